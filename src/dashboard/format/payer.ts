import { formatName as formatFullName, type PersonName } from '../../language/format-name.ts';
import { language, t } from '../language/texts.ts';

/** Returns the full name, or the part of it that is known; `''` if none is. */
export function formatName(name: PersonName): string {
  return formatFullName(language, name);
}

/** Returns the payer's name or, if it is unknown, the email address or the phone number. */
export function formatPayer(payer: PersonName & { email: string | null; phone: string | null }): string {
  return formatName(payer) || payer.email || payer.phone || t.common.unknown;
}
