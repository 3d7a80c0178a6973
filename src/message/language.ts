/** The languages that messages are written in, as the customer's pages are. */
export const messageLanguages = ['en', 'zh', 'th'] as const;

export type MessageLanguage = (typeof messageLanguages)[number];

const languageByCountry: Record<string, MessageLanguage> = { HK: 'zh', TH: 'th' };

/** What somebody of a country (ISO 3166-1 alpha-2) is written to in, where nothing else is known; English elsewhere. */
export function getCountryLanguage(country: string | undefined): MessageLanguage {
  return languageByCountry[country ?? ''] ?? 'en';
}

/** The language of this code; English where messages are not written in it. */
export function toMessageLanguage(text: string): MessageLanguage {
  return messageLanguages.find((language) => language === text) ?? 'en';
}
