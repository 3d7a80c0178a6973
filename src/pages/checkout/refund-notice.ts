import type { CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import { amount, fill } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import { merchantName } from '../parts/summary.ts';

/** Returns how much of a paid charge was refunded, and how much is on its way to the customer. */
export function sumRefunds({ refunds }: CheckoutCharge): { refundedMinor: bigint; pendingMinor: bigint } {
  const sum = (isCompleted: boolean) =>
    refunds
      .filter(({ status }) => (status === 'completed') === isCompleted)
      .reduce((total, { customerAmount }) => total + customerAmount, 0n);
  return { refundedMinor: sum(true), pendingMinor: sum(false) };
}

/** States what the merchant has refunded, and what it is refunding. */
export function refundNotice(i18n: PageI18n, charge: CheckoutCharge): Html | undefined {
  const { refundedMinor, pendingMinor } = sumRefunds(charge);
  const { refunded, refunding } = i18n.strings.paid;
  const line = (text: string, minor: bigint) =>
    minor > 0n &&
    html`<p><strong>${fill(text, {
      merchant: merchantName(charge.merchant),
      amount: amount(i18n, { minor, currency: charge.customerCurrency }),
    })}</strong></p>`;
  return html`${line(refunded, refundedMinor)}${line(refunding, pendingMinor)}`;
}
