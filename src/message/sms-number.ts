import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { invalidInput } from '../kit/errors.ts';
import { methodCodes, paymentMethods } from '../method/catalogue.ts';

/** The countries that a merchant has added to those of the payment methods, as ISO 3166-1 alpha-2 codes. */
export type SmsCountries = { phoneCountries: string[] };

const callingCodes = new Set(methodCodes.map((code) => paymentMethods[code].callingCode));

/**
 * Kinds of numbers that receive no SMS, or for which the sender pays a premium. Unknown kinds pass, because operators
 * open new ranges all the time.
 */
const excludedKinds = new Set([
  'FIXED_LINE',
  'PREMIUM_RATE',
  'SHARED_COST',
  'TOLL_FREE',
  'UAN',
  'PAGER',
  'VOICEMAIL',
]);

/**
 * Checks that an SMS may go to an E.164 number: SMS to distant and expensive numbers are how such services are defrauded.
 * Returns the number's country. Error: `invalid_request`.
 */
export function checkSmsNumber(number: string, path: string, smsCountries: SmsCountries): string | undefined {
  const parsed = parsePhoneNumberFromString(number);
  const country = parsed?.country;
  const isAllowed =
    callingCodes.has(`+${parsed?.countryCallingCode}`) ||
    (country !== undefined && smsCountries.phoneCountries.includes(country));
  if (!isAllowed) {
    throw invalidInput(
      `${path}/code`,
      'must be in a country of the payment methods or in one added in the settings',
    );
  }
  if (excludedKinds.has(parsed?.getType() ?? '')) throw invalidInput(path, 'must be a mobile number');
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
