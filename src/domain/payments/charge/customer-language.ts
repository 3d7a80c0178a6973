import type { Charge } from '../../../../prisma/client/client.ts';
import { getCountryLanguage } from '../../../language/country-language.ts';
import { type Language, toLanguage } from '../../../language/languages.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';

/** Returns the language of the customer's pages or, if it is unknown, of the method's country. */
export function getCustomerLanguage({ language, method }: Charge): Language {
  if (language !== null) return toLanguage(language);
  return getCountryLanguage(paymentMethods[method as MethodCode].country);
}
