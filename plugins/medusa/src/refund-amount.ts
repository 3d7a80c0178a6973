import type { SessionCharge } from './payment-state.ts';

/** The currencies in which banks transfer whole units only. */
const wholeUnitCurrencies = ['IDR', 'KRW', 'VND'];

/**
 * Converts an amount of the order, in major units, into the currency in which the customer paid. Refunding the whole
 * order returns all that the customer had to pay, including the offset that made the amount unique.
 */
export function toRefundAmount(charge: SessionCharge, amount: number): number {
  const merchantAmount = Number(charge.merchantAmount);
  const customerAmount = Number(charge.customerAmount);
  if (amount === merchantAmount) return customerAmount;
  const isConverted = charge.merchantCurrency !== charge.customerCurrency;
  const unit = wholeUnitCurrencies.includes(charge.customerCurrency) ? 1 : 100;
  const exact = isConverted ? (amount * customerAmount) / merchantAmount : amount;
  const rounded = Math.round(exact * unit) / unit;
  // Rounded partial refunds can exceed the whole amount.
  const refundable = Number(charge.amountRefundable ?? rounded);
  return rounded > refundable && rounded - refundable < 1.5 / unit ? refundable : rounded;
}
