import type { Export, ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { toDecimal } from '../../../kit/money.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { localDate } from '../../../kit/time-zone.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalogue.ts';
import { readPayoutDetails } from '../../payments/refund/read-payout-details.ts';
import { type Column, column, csvHeader, csvLines, numberColumn } from '../export/csv.ts';
import type { ExportFormat } from '../export/export-request.ts';
import { canPayByFile, printPain001 } from './pain-001.ts';
import type { Payment } from './payment.ts';

type Chosen = { format: ExportFormat; refundIds: readonly string[]; payingAccountId: string | null };

/**
 * The file of refunds to pay. What has been paid, reopened or asked for in a later file since this one was asked for is
 * left out, so that nothing is paid twice. Errors, which end the making: `refund_not_processing` when nothing is left,
 * `receiving_account_invalid`.
 */
export async function writePayouts(
  service: Db & { secrets: Secrets },
  row: Export,
  { format, refundIds, payingAccountId }: Chosen,
  now: Date,
): Promise<{ text: string; rows: number }> {
  const payments = await readPayments(service, row, { refundIds, payingAccountId });
  if (payments.length === 0) {
    throw new DomainError(
      'refund_not_processing',
      'All of these refunds have since been paid, reopened or exported in a later file',
    );
  }
  if (format === 'csv') return { text: payoutCsv(payments), rows: payments.length };
  const unfit = payments.find(({ from }) => !canPayByFile(from));
  if (unfit) {
    const detail = `The account ${unfit.from.account} cannot be used in a payment file: choose another account or export CSV`;
    throw new DomainError('receiving_account_invalid', detail);
  }
  const merchant = await service.prisma.merchant.findUniqueOrThrow({ where: { id: row.merchantId } });
  const text = printPain001(payments, {
    version: format === 'pain.001.001.03' ? '03' : '09',
    messageId: row.id,
    initiator: merchant.name,
    day: localDate(now, merchant.timeZone),
    now,
  });
  return { text, rows: payments.length };
}

async function readPayments(
  { prisma, secrets }: Db & { secrets: Secrets },
  { merchantId, mode, createdAt }: Export,
  { refundIds, payingAccountId }: Omit<Chosen, 'format'>,
): Promise<Payment[]> {
  const paying: ReceivingAccount | null = payingAccountId
    ? await prisma.receivingAccount.findFirst({ where: { id: payingAccountId, merchantId, mode } })
    : null;
  const refunds = await prisma.refund.findMany({
    // Marked by this file still: reopened, it has lost the mark, and is in a later file if it has one again.
    where: {
      id: { in: [...refundIds] },
      merchantId,
      mode,
      status: 'processing',
      payoutExportedAt: createdAt,
    },
    include: { charge: { include: { receivingAccount: true } } },
    orderBy: { id: 'asc' },
  });
  const payments: Payment[] = [];
  for (const { charge, ...refund } of refunds) {
    const details = await readPayoutDetails(secrets, refund);
    if (details === null) continue;
    const { country } = paymentMethods[charge.method as MethodCode];
    payments.push({ refund, details, country, from: paying ?? charge.receivingAccount });
  }
  return payments;
}

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
function payoutCsv(payments: readonly Payment[]): string {
  return csvHeader(columns) + csvLines(columns, payments);
}
