import type { Language } from './languages.ts';

/**
 * The default language of each country (ISO 3166-1 alpha-2) in which it is not English. Banks in India and the
 * Philippines write to their customers in English.
 */
const languageByCountry: Readonly<Record<string, Language>> = {
  CN: 'zh',
  HK: 'zh-Hant',
  MO: 'zh-Hant',
  TW: 'zh-Hant',
  ID: 'id',
  KR: 'ko',
  MY: 'ms',
  TH: 'th',
  VN: 'vi',
};

/** Returns the default language of customers in a country, for example if a customer's own language is unknown. */
export function getCountryLanguage(country: string | undefined): Language {
  return languageByCountry[country ?? ''] ?? 'en';
}
