/** The languages of messages to merchants and operators. */
export const teamLanguages = ['en', 'zh', 'th'] as const;

export type TeamLanguage = (typeof teamLanguages)[number];
