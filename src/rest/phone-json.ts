import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** An E.164 number as the interface writes it in requests. */
export function splitPhone(phone: string): { code: string; phone: string } {
  const number = parsePhoneNumberFromString(phone);
  if (!number) throw new Error('a stored phone number is not E.164');
  return { code: `+${number.countryCallingCode}`, phone: number.nationalNumber };
}
