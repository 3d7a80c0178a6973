/** The languages that messages are written in, as the customer's pages are. */
export const messageLanguages = ['en', 'zh', 'th'] as const;

export type MessageLanguage = (typeof messageLanguages)[number];
