import type { Export, Prisma } from '../../../../prisma/client/client.ts';
import { type CsvColumn, column, formatHeader, formatLines, numberColumn } from '../../../kit/csv.ts';
import { toDecimal } from '../../../kit/money.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';
import { formatName } from '../../../language/format-name.ts';
import { formatOwnReference } from '../../../language/format-own-reference.ts';
import type { JournalAccount } from '../../money-in/books/postings-sql.ts';
import {
  type DailyPosting,
  type JournalLine,
  readJournal,
  sumDailyPostings,
} from '../../money-in/books/read-journal.ts';
import type { OrderLine } from '../../platform/order-line.ts';
import type { ExportRequest } from './export-request.ts';

type JournalRequest = Extract<ExportRequest, { kind: 'journal' }>;

const accountNames: Record<JournalAccount, string> = {
  bank: 'Bank',
  sales: 'Sales',
  customer_deposits: 'Customer deposits',
  refunds: 'Refunds',
  bank_fees: 'Bank fees',
  other_income: 'Other income',
  unmatched_receipts: 'Unmatched receipts',
  returned_receipts: 'Returned receipts',
};

const toAmount = (minor: bigint, currency: string) => (minor > 0n ? toDecimal({ minor, currency }) : null);

/** A line with the data of its account and charge, if any, by which an accountant recognizes the payment. */
type JournalRow = JournalLine & { receivingAccount: string | undefined; charge: JournalCharge | undefined };

const journalColumns: readonly CsvColumn<JournalRow>[] = [
  column('date', ({ day }) => day),
  column('entry', ({ id, kind }) => `${id} ${kind}`),
  column('account', ({ account }) => accountNames[account]),
  numberColumn('debit', ({ amount, currency }) => toAmount(amount, currency)),
  numberColumn('credit', ({ amount, currency }) => toAmount(-amount, currency)),
  column('currency', ({ currency }) => currency),
  column('receiving account', ({ receivingAccount }) => receivingAccount ?? null),
  column('charge', ({ chargeId }) => chargeId),
  chargeColumn('payment reference', ({ paymentReference }) => paymentReference),
  chargeColumn('customer', (charge) => formatName('en', charge) || null),
  chargeColumn('email', ({ email }) => email),
  chargeColumn('invoice number', ({ invoice }) => invoice && String(invoice.number)),
  chargeColumn('your reference', ({ notifyPayload }) => notifyPayload && formatOwnReference(notifyPayload)),
  chargeColumn(
    'order numbers',
    ({ orders }) =>
      toOrderLines(orders)
        .flatMap(({ id }) => id ?? [])
        .join(' ') || null,
  ),
  chargeColumn('description', ({ orders }) => toOrderLines(orders).map(describeOrderLine).join('; ') || null),
];

function chargeColumn(title: string, value: (charge: JournalCharge) => string | null): CsvColumn<JournalRow> {
  return column(title, ({ charge }) => (charge ? value(charge) : null));
}

const toOrderLines = (orders: Prisma.JsonValue) => orders as OrderLine[];

function describeOrderLine({ id, name = id ?? '', quantity = 1 }: OrderLine): string {
  return quantity === 1 ? name : `${quantity} × ${name}`;
}

const chargeSelection = {
  id: true,
  paymentReference: true,
  email: true,
  firstName: true,
  lastName: true,
  notifyPayload: true,
  orders: true,
  invoice: { select: { number: true } },
} satisfies Prisma.ChargeSelect;

type JournalCharge = Prisma.ChargeGetPayload<{ select: typeof chargeSelection }>;

async function addDetails(reads: StaleReads, lines: readonly JournalLine[]): Promise<JournalRow[]> {
  const ids = [...new Set(lines.flatMap(({ chargeId }) => chargeId ?? []))];
  const charges = await reads.stale.charge.findMany({
    where: { id: { in: ids } },
    select: chargeSelection,
  });
  const chargesById = new Map(charges.map((charge) => [charge.id, charge]));
  const accountIds = [...new Set(lines.map(({ receivingAccountId }) => receivingAccountId))];
  const accounts = await reads.stale.receivingAccount.findMany({
    where: { id: { in: accountIds } },
    select: { id: true, account: true },
  });
  const accountsById = new Map(accounts.map(({ id, account }) => [id, account]));
  return lines.map((line) => ({
    ...line,
    receivingAccount: accountsById.get(line.receivingAccountId),
    charge: chargesById.get(line.chargeId ?? ''),
  }));
}

/** Returns the next page of a journal with one line for each posting. */
export async function writeJournalPage(
  reads: StaleReads,
  row: Export,
  { request, entryCount, bom }: { request: JournalRequest; entryCount: number; bom: string },
): Promise<{ text: string; rows: number; cursor: string | null }> {
  const merchant = await reads.stale.merchant.findUniqueOrThrow({ where: { id: row.merchantId } });
  const period = { merchant, mode: row.mode, from: request.from, to: request.to };
  const page = await readJournal(reads, { ...period, after: row.lastId, entryCount });
  const header = row.chunkCount === 0 ? bom + formatHeader(journalColumns) : '';
  return {
    text: header + formatLines(journalColumns, await addDetails(reads, page.lines)),
    rows: page.lines.length,
    cursor: page.cursor,
  };
}

type XeroLine = DailyPosting & { code: string; taxRate: string; currency: string };

const toXeroDate = (day: string) => day.split('-').reverse().join('/');

/**
 * The columns of the template that Xero publishes for manual journals. Lines with the same narration and date are
 * one journal. A positive amount is a debit.
 */
const xeroColumns: readonly CsvColumn<XeroLine>[] = [
  column('*Narration', ({ day, currency }) => `Causeway ${day} ${currency}`),
  column('*Date', ({ day }) => toXeroDate(day)),
  column('Description', ({ account }) => accountNames[account]),
  column('*AccountCode', ({ code }) => code),
  column('*TaxRate', ({ taxRate }) => taxRate),
  numberColumn('*Amount', ({ amount, currency }) => toDecimal({ minor: amount, currency })),
  column('TrackingName1', () => null),
  column('TrackingOption1', () => null),
  column('TrackingName2', () => null),
  column('TrackingOption2', () => null),
];

/** Returns one manual journal for each day, in one currency. */
export async function writeXeroJournal(
  reads: StaleReads,
  { merchantId, mode }: Export,
  request: Extract<JournalRequest, { format: 'xero' }>,
): Promise<{ text: string; rows: number }> {
  const { from, to, currency, accountCodes, taxRateName } = request;
  const merchant = await reads.stale.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  const postings = await sumDailyPostings(reads, { merchant, mode, from, to, currency });
  const lines = postings.map((posting) => ({
    ...posting,
    currency,
    code: accountCodes[posting.account],
    taxRate: taxRateName,
  }));
  return { text: formatHeader(xeroColumns) + formatLines(xeroColumns, lines), rows: lines.length };
}
