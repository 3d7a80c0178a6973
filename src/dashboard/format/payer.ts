import { fillText } from '../../language/fill-text.ts';
import { formatName as formatFullName, type PersonName } from '../../language/format-name.ts';
import { language, t } from '../language/texts.ts';

/** Returns the full name, or the part of it that is known; `''` if none is. */
export function formatName(name: PersonName): string {
  return formatFullName(language, name);
}

type Payer = PersonName & { email: string | null; phone: string | null; sellerName?: string | null };

/**
 * Returns the payer's name or, if it is unknown, the email address or the phone number. Customers at the counter are
 * often unknown; then the seller is named. If nothing is known, returns `unknown`.
 */
export function formatPayer(payer: Payer, unknown: string = t.common.unknown): string {
  const known = formatName(payer) || payer.email || payer.phone;
  if (known) return known;
  return payer.sellerName ? fillText(t.format.counterSaleBy, { seller: payer.sellerName }) : unknown;
}
