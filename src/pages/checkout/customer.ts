import type { Charge } from '../../../prisma/client/client.ts';
import { maskEmail, maskPhone } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Reader } from '../reader.ts';

/** Who pays, in full only in the browser that made the charge; undefined after erasure. */
export function customerText(charge: Pick<Charge, 'email' | 'phone'>, isOwn: boolean): string | undefined {
  const email = charge.email !== null && !isOwn ? maskEmail(charge.email) : charge.email;
  const phone = charge.phone !== null && !isOwn ? maskPhone(charge.phone) : charge.phone;
  const known = [email, phone].filter((text) => text !== null);
  return known.length === 0 ? undefined : known.join(', ');
}

export function customerLine(
  reader: Reader,
  charge: Pick<Charge, 'email' | 'phone'>,
  isOwn: boolean,
): Html | undefined {
  const text = customerText(charge, isOwn);
  if (text === undefined) return undefined;
  return html`<p class="customer"><span>${reader.strings.summary.customer}</span> ${text}</p>`;
}
