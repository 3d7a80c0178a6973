import type { SessionCharge } from './payment-state.ts';

/** The currencies in which banks transfer whole units only. */
const wholeUnitCurrencies = ['IDR', 'KRW', 'VND'];

/**
 * Converts an amount of the order into the currency in which the customer paid. The refund of the whole amount
 * returns all that the customer had to pay, including the part that made the amount unique.
 */
export function toRefundAmount(charge: SessionCharge, amount: number): number {
  const merchantAmount = Number(charge.merchantAmount);
  const customerAmount = Number(charge.customerAmount);
  if (amount === merchantAmount) return customerAmount;
  const isConverted = charge.merchantCurrency !== charge.customerCurrency;
  const unit = wholeUnitCurrencies.includes(charge.customerCurrency) ? 1 : 100;
  const exact = isConverted ? (amount * customerAmount) / merchantAmount : amount;
  const rounded = Math.round(exact * unit) / unit;
  // Several parts can exceed the whole by a rounding error.
  const refundable = Number(charge.amountRefundable ?? rounded);
  return rounded > refundable && rounded - refundable < 1.5 / unit ? refundable : rounded;
}
