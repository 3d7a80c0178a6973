import type { Export, ReceivingAccount } from '../../../../prisma/client/client.ts';
import { type CsvColumn, column, formatHeader, formatLines, numberColumn } from '../../../kit/csv.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { toDecimal } from '../../../kit/money.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { toLocalDate } from '../../../kit/time-zone.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { decryptPayoutDetails } from '../../payments/refund/decrypt-payout-details.ts';
import { canPayByFile, type PayoutInstruction, printPain001 } from './pain-001.ts';

/** The formats of payout files. All other exports are CSV. */
export const exportFormats = ['csv', 'pain.001.001.03', 'pain.001.001.09'] as const;
export type ExportFormat = (typeof exportFormats)[number];

type PayoutSelection = { format: ExportFormat; refundIds: readonly string[]; payingAccountId: string | null };

/**
 * Writes the file of refunds to be paid. Omits refunds that have been paid, reopened or exported in a later
 * file since the request, so that nothing is paid twice. These errors end the export: `refund_not_processing`
 * if no refund is left, `receiving_account_invalid`.
 */
export async function writePayouts(
  service: Db & { secrets: Secrets },
  row: Export,
  { format, refundIds, payingAccountId }: PayoutSelection,
  now: Date,
): Promise<{ text: string; rows: number }> {
  const payments = await readPayments(service, row, { refundIds, payingAccountId });
  if (payments.length === 0) {
    throw new DomainError(
      'refund_not_processing',
      'All of these refunds have since been paid, reopened or exported in a later file',
    );
  }
  if (format === 'csv') return { text: formatPayoutCsv(payments), rows: payments.length };
  const unsupportedPayment = payments.find(({ payingAccount }) => !canPayByFile(payingAccount));
  if (unsupportedPayment) {
    const detail = `The account ${unsupportedPayment.payingAccount.account} cannot be used in a payment file: choose another account or export CSV`;
    throw new DomainError('receiving_account_invalid', detail);
  }
  const merchant = await service.prisma.merchant.findUniqueOrThrow({ where: { id: row.merchantId } });
  const text = printPain001(payments, {
    version: format === 'pain.001.001.03' ? '03' : '09',
    messageId: row.id,
    initiator: merchant.name,
    day: toLocalDate(now, merchant.timeZone),
    now,
  });
  return { text, rows: payments.length };
}

async function readPayments(
  { prisma, secrets }: Db & { secrets: Secrets },
  { merchantId, mode, createdAt }: Export,
  { refundIds, payingAccountId }: Omit<PayoutSelection, 'format'>,
): Promise<PayoutInstruction[]> {
  const chosenAccount: ReceivingAccount | null = payingAccountId
    ? await prisma.receivingAccount.findFirst({ where: { id: payingAccountId, merchantId, mode } })
    : null;
  const refunds = await prisma.refund.findMany({
    // Selects only refunds that are still marked by this file, because reopening removes the mark and a later
    // file replaces it.
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
  const payments: PayoutInstruction[] = [];
  for (const { charge, ...refund } of refunds) {
    const details = await decryptPayoutDetails(secrets, refund);
    if (details === null) continue;
    const { country } = paymentMethods[charge.method as MethodCode];
    payments.push({ refund, details, country, payingAccount: chosenAccount ?? charge.receivingAccount });
  }
  return payments;
}

const columns: readonly CsvColumn<PayoutInstruction>[] = [
  column('reference', ({ refund }) => refund.payoutReference),
  numberColumn('amount', ({ refund }) =>
    toDecimal({ minor: refund.customerAmount, currency: refund.customerCurrency }),
  ),
  column('currency', ({ refund }) => refund.customerCurrency),
  column('holder', ({ details }) => details.holder),
  column('bank', ({ details }) => details.bank),
  column('account', ({ details }) => details.account),
  column('country', ({ country }) => country),
  column('payingAccount', ({ payingAccount }) => payingAccount.account),
  column('payingAccountId', ({ payingAccount }) => payingAccount.id),
  column('refundId', ({ refund }) => refund.id),
  column('chargeId', ({ refund }) => refund.chargeId),
  column('scheme', ({ details }) => details.scheme ?? ''),
];

/** Formats one line per refund, with bank details in plain text. */
function formatPayoutCsv(payments: readonly PayoutInstruction[]): string {
  return formatHeader(columns) + formatLines(columns, payments);
}
