import type { DashboardTexts } from './strings.ts';

/** A language of the dashboard. Its texts are loaded only for users who see the dashboard in the language. */
type DashboardLanguage = {
  /** The language's own name. */
  name: string;
  load: () => Promise<DashboardTexts>;
};

/** All languages by language tag (BCP 47). English comes first and is the default. */
export const languages: Readonly<Record<string, DashboardLanguage>> = {
  en: { name: 'English', load: async () => (await import('./strings/en.ts')).en },
  'zh-Hant': { name: '繁體中文', load: async () => (await import('./strings/zh-hant.ts')).zhHant },
  th: { name: 'ไทย', load: async () => (await import('./strings/th.ts')).th },
  id: { name: 'Bahasa Indonesia', load: async () => (await import('./strings/id.ts')).id },
  vi: { name: 'Tiếng Việt', load: async () => (await import('./strings/vi.ts')).vi },
};
