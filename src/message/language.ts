/** The languages of messages, which are those of the customer pages. */
export const messageLanguages = ['en', 'zh', 'th'] as const;

export type MessageLanguage = (typeof messageLanguages)[number];

const languageByCountry: Record<string, MessageLanguage> = { HK: 'zh', TH: 'th' };

/** Returns the default message language of a country (ISO 3166-1 alpha-2); English for others. */
export function getCountryLanguage(country: string | undefined): MessageLanguage {
  return languageByCountry[country ?? ''] ?? 'en';
}

/** Returns the message language with this code; English for unsupported codes. */
export function toMessageLanguage(text: string): MessageLanguage {
  return messageLanguages.find((language) => language === text) ?? 'en';
}
