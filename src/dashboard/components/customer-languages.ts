import { getCountryLanguage } from '../../language/country-language.ts';
import { formatLanguage } from '../format/labels.ts';

/** The values of `Locale`, in the order of the customer pages. */
const locales = ['en', 'zh_Hant', 'zh', 'id', 'ms', 'fil', 'vi', 'th', 'ko', 'hi'] as const;
export type CustomerLocale = (typeof locales)[number];

/** Returns the language tag of a locale, such as `zh-Hant`. */
export const toLanguageTag = (locale: CustomerLocale) => locale.replace('_', '-');

/** Returns the language of most customers of a merchant in the country. */
export const getLocalLanguage = (country: string | undefined) =>
  getCountryLanguage(country).replace('-', '_') as CustomerLocale;

/** The languages of the customer pages as choices for a select. */
export const customerLanguages = locales.map((value) => ({
  value,
  label: formatLanguage(toLanguageTag(value)),
}));
