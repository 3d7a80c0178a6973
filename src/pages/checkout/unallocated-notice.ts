import type { CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import type { Money } from '../../kit/money.ts';
import { amount, fill } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import { merchantName } from '../parts/summary.ts';

/** Shows money that arrived for the charge, or for one that it replaced, and that is not applied yet. */
export function unallocatedNotice(i18n: PageI18n, charge: CheckoutCharge, text: string): Html | undefined {
  const sums = Map.groupBy(charge.unallocatedTransfers, ({ money }) => money.currency);
  if (sums.size === 0) return undefined;
  const received = sumText(
    i18n,
    [...sums].map(([currency, unallocatedTransfers]) => {
      return { minor: unallocatedTransfers.reduce((sum, { money }) => sum + money.minor, 0n), currency };
    }),
  );
  return html`<p class="arrived" role="status">${fill(text, { received, merchant: merchantName(charge.merchant) })}</p>`;
}

export function returnsNotice(i18n: PageI18n, { returns, merchant }: CheckoutCharge): Html | undefined {
  if (returns.length === 0) return undefined;
  const values = { returned: sumText(i18n, returns), merchant: merchantName(merchant) };
  return html`<p class="aside" role="status">${fill(i18n.strings.arrived.returned, values)}</p>`;
}

function sumText(i18n: PageI18n, sums: readonly Money[]): Html {
  return html`${sums.map((money, i) => html`${i > 0 && ' + '}${amount(i18n, money)}`)}`;
}
