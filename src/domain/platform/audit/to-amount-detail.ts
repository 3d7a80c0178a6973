import { toDecimal } from '../../../kit/money.ts';

type PayableObject = { customerAmount: bigint; customerCurrency: string };

/** Returns the amount of a charge or refund for the detail of its audit entry. */
export function toAmountDetail({ customerAmount: minor, customerCurrency: currency }: PayableObject) {
  return { amount: toDecimal({ minor, currency }), currency };
}
