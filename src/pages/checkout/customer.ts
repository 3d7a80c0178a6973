import type { Charge } from '../../../prisma/client/client.ts';
import { maskEmail, maskPhone } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';

/** Returns the customer's contact details, masked unless this browser may view them; `undefined` after erasure. */
export function customerText(
  charge: Pick<Charge, 'email' | 'phone'>,
  canViewDetails: boolean,
): string | undefined {
  const email = charge.email !== null && !canViewDetails ? maskEmail(charge.email) : charge.email;
  const phone = charge.phone !== null && !canViewDetails ? maskPhone(charge.phone) : charge.phone;
  const contacts = [email, phone].filter((text) => text !== null);
  return contacts.length === 0 ? undefined : contacts.join(', ');
}

export function customerLine(
  i18n: PageI18n,
  charge: Pick<Charge, 'email' | 'phone'>,
  canViewDetails: boolean,
): Html | undefined {
  const text = customerText(charge, canViewDetails);
  if (text === undefined) return undefined;
  return html`<p class="customer"><span>${i18n.strings.summary.customer}</span> ${text}</p>`;
}
