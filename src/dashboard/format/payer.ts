import { formatName as formatFullName, type PersonName } from '../../language/format-name.ts';

/** Returns the full name, or the part of it that is known; `''` if none is. */
export function formatName(name: PersonName): string {
  return formatFullName('en', name);
}

/** Returns the payer's name or, if it is unknown, the email address or the phone number. */
export function formatPayer(payer: PersonName & { email: string | null; phone: string | null }): string {
  return formatName(payer) || payer.email || payer.phone || 'Unknown';
}
