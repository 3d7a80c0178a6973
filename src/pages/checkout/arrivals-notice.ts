import type { CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import { amount, fill } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import { merchantName } from '../parts/summary.ts';

/** Reports the money that arrived for the charge, or for one that it replaced, and that is not applied to it yet. */
export function arrivalsNotice(i18n: PageI18n, charge: CheckoutCharge, text: string): Html | undefined {
  const sums = Map.groupBy(charge.arrivals, ({ money }) => money.currency);
  if (sums.size === 0) return undefined;
  const amounts = [...sums].map(([currency, arrivals]) => {
    const minor = arrivals.reduce((sum, { money }) => sum + money.minor, 0n);
    return amount(i18n, { minor, currency });
  });
  const received = html`${amounts.map((one, i) => (i === 0 ? one : html` + ${one}`))}`;
  return html`<p class="arrived" role="status">${fill(text, { received, merchant: merchantName(charge.merchant) })}</p>`;
}
