import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { invalidInputError } from './errors.ts';

const emailPattern =
  /^[^\s@"<>(),;:\\[\]]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;

/**
 * Returns the trimmed email address. Throws `invalid_request` naming `path` if the format is invalid. To compare
 * addresses, fold them with `foldEmail`.
 */
export function parseEmail(text: string, path: string): string {
  const email = text.trim();
  if (email.length > 254 || !emailPattern.test(email))
    throw invalidInputError(path, 'must be an email address');
  return email;
}

export function foldEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Returns the mailbox that an address most likely reaches: lower case, without a +tag, and without dots for Gmail. Use
 * the result only for limits, because other mail servers may treat these addresses as different mailboxes.
 */
export function normalizeMailbox(email: string): string {
  const folded = foldEmail(email);
  const at = folded.lastIndexOf('@');
  const [name = '', domain = ''] = [folded.slice(0, at).replace(/\+.*$/, ''), folded.slice(at + 1)];
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/**
 * Converts `{ code: '+852', phone: '5123 4567' }` to E.164 (`+85251234567`). Throws `invalid_request` naming `path` if
 * the country code is unknown, or the length of the number is not possible in its country.
 */
export function parsePhone(input: { code: string; phone: string }, path: string): string {
  const national = input.phone.replace(/[\s().-]/g, '');
  const code = input.code.startsWith('+') ? input.code : `+${input.code.trim()}`;
  const number =
    /^\+\d{1,3}$/.test(code) && /^\d{4,14}$/.test(national)
      ? parsePhoneNumberFromString(code + national)
      : undefined;
  if (!number?.isPossible())
    throw invalidInputError(path, 'must be a phone number, such as { code: "+852", phone: "51234567" }');
  return number.number;
}

/** Like `parsePhone`, for a text with the country code (`+852 5123 4567`, `0085251234567`). */
export function parseInternationalPhone(text: string, path: string): string {
  const digits = text.replace(/[\s().-]/g, '').replace(/^00/, '+');
  const number = /^\+\d{5,15}$/.test(digits) ? parsePhoneNumberFromString(digits) : undefined;
  if (!number?.isPossible())
    throw invalidInputError(path, 'must be a phone number with country code, such as +852 5123 4567');
  return number.number;
}

/** Formats an E.164 number for display: `+852 5123 4567`. */
export function formatPhone(phone: string): string {
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
}

/** Splits an E.164 number into the country code and national number that requests use. */
export function splitPhone(phone: string): { code: string; phone: string } {
  const number = parsePhoneNumberFromString(phone);
  if (!number) throw new Error('stored phone number is not in E.164 format');
  return { code: `+${number.countryCallingCode}`, phone: number.nationalNumber };
}

/** Returns the phone number of a filter without its leading `+`, which may be a space or `%2B` in a query string. */
export function toPhoneDigits(text: string): string {
  return text.replace(/^(?:\+|%2B|\s)+/i, '');
}

export function isCountryCode(text: string): boolean {
  return isSupportedCountry(text);
}
