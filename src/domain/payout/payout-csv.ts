import { toDecimal } from '../../kit/money.ts';
import { type Column, column, csvHeader, csvLines, numberColumn } from '../export/csv.ts';
import type { Payment } from './payment.ts';

const columns: readonly Column<Payment>[] = [
  column('reference', ({ refund }) => refund.payoutReference),
  numberColumn('amount', ({ refund }) =>
    toDecimal({ minor: refund.customerAmount, currency: refund.customerCurrency }),
  ),
  column('currency', ({ refund }) => refund.customerCurrency),
  column('holder', ({ details }) => details.holder),
  column('bank', ({ details }) => details.bank),
  column('account', ({ details }) => details.account),
  column('country', ({ country }) => country),
  column('payingAccount', ({ from }) => from.account),
  column('payingAccountId', ({ from }) => from.id),
  column('refundId', ({ refund }) => refund.id),
  column('chargeId', ({ refund }) => refund.chargeId),
];

/** What is to be paid, a line a refund. It holds bank details in the clear. */
export function payoutCsv(payments: readonly Payment[]): string {
  return csvHeader(columns) + csvLines(columns, payments);
}
