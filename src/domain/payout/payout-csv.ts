import { toDecimal } from '../../kit/money.ts';
import { type Column, csvHeader, csvLines, ours } from '../export/csv.ts';
import type { Payment } from './payment.ts';

const columns: readonly Column<Payment>[] = [
  ours('reference', ({ refund }) => refund.payoutReference),
  ours('amount', ({ refund }) =>
    toDecimal({ minor: refund.customerAmount, currency: refund.customerCurrency }),
  ),
  ours('currency', ({ refund }) => refund.customerCurrency),
  { title: 'holder', value: ({ details }) => details.holder },
  { title: 'bank', value: ({ details }) => details.bank },
  { title: 'account', value: ({ details }) => details.account },
  ours('country', ({ country }) => country),
  { title: 'payingAccount', value: ({ from }) => from.account },
  ours('payingAccountId', ({ from }) => from.id),
  ours('refundId', ({ refund }) => refund.id),
  ours('chargeId', ({ refund }) => refund.chargeId),
];

/** What is to be paid, a line a refund. It holds bank details in the clear. */
export function payoutCsv(payments: readonly Payment[]): string {
  return csvHeader(columns) + csvLines(columns, payments);
}
