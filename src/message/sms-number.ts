import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { invalidInputError } from '../kit/errors.ts';
import { methodCodes, paymentMethods } from '../method/catalog.ts';

/** Countries (ISO 3166-1 alpha-2) that a merchant allows in addition to those of the payment methods. */
export type SmsCountries = { additionalPhoneCountries: string[] };

const callingCodes = new Set(methodCodes.map((code) => paymentMethods[code].callingCode));

/**
 * Number types that cannot receive SMS, or that charge the sender a premium. Unknown types are allowed,
 * because network operators often introduce new ranges.
 */
const excludedTypes = new Set([
  'FIXED_LINE',
  'PREMIUM_RATE',
  'SHARED_COST',
  'TOLL_FREE',
  'UAN',
  'PAGER',
  'VOICEMAIL',
]);

/**
 * Checks that an E.164 number may receive SMS, to prevent fraud with expensive destinations. Returns the
 * number's country. `path` is the path of the number in the input, for errors.
 */
export function checkSmsNumber(number: string, path: string, smsCountries: SmsCountries): string | undefined {
  const parsed = parsePhoneNumberFromString(number);
  const country = parsed?.country;
  const isAllowed =
    callingCodes.has(`+${parsed?.countryCallingCode}`) ||
    (country !== undefined && smsCountries.additionalPhoneCountries.includes(country));
  if (!isAllowed) {
    throw invalidInputError(
      `${path}/code`,
      'must be the calling code of a country with a supported payment method, or of a country in additionalPhoneCountries',
    );
  }
  if (excludedTypes.has(parsed?.getType() ?? '')) throw invalidInputError(path, 'must be a mobile number');
  return country;
}

export function canReceiveSms(number: string, smsCountries: SmsCountries): boolean {
  try {
    checkSmsNumber(number, '', smsCountries);
    return true;
  } catch {
    return false;
  }
}
