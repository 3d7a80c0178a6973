import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { parsePhone } from '../../kit/contact.ts';
import { invalidInput } from '../../kit/errors.ts';
import { methodCodes, paymentMethods } from '../../method/catalogue.ts';

/** As it arrives. */
export type PhoneInput = { code: string; phone: string };

/** E.164, and the country it is of. */
export type VerifiablePhone = { number: string; country: string | undefined };

const callingCodes = new Set(methodCodes.map((code) => paymentMethods[code].callingCode));

/** Kinds of numbers that take no SMS, or cost whoever sends one. Unknown kinds pass: new ranges open all the time. */
const refusedKinds = new Set([
  'FIXED_LINE',
  'PREMIUM_RATE',
  'SHARED_COST',
  'TOLL_FREE',
  'UAN',
  'PAGER',
  'VOICEMAIL',
]);

/**
 * A phone that a code may be sent to: of a country of the payment methods, or one that the merchant added. Every SMS
 * costs, and codes to far and costly numbers are how such services are robbed. Error: `invalid_request`.
 */
export function parseVerifiablePhone(
  input: PhoneInput,
  allowed: { phoneCountries: string[] },
): VerifiablePhone {
  const number = parsePhone(input, '/phone');
  const parsed = parsePhoneNumberFromString(number);
  const country = parsed?.country;
  const isAllowed =
    callingCodes.has(`+${parsed?.countryCallingCode}`) ||
    (country !== undefined && allowed.phoneCountries.includes(country));
  if (!isAllowed)
    throw invalidInput(
      '/phone/code',
      'must be of a country of the payment methods, or one added in settings',
    );
  if (refusedKinds.has(parsed?.getType() ?? '')) throw invalidInput('/phone', 'must be a mobile number');
  return { number, country };
}
