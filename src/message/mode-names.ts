import type { TeamLanguage } from './team-language.ts';

/** The names of the modes, as the dashboard and the customer pages call them. */
export const modeNames: Record<TeamLanguage, Record<'live' | 'sandbox', string>> = {
  en: { live: 'Live', sandbox: 'Sandbox' },
  zh: { live: '正式', sandbox: '沙盒' },
  th: { live: 'ใช้งานจริง', sandbox: 'แซนด์บ็อกซ์' },
};
