import type { ReceivingAccount, TransferSource } from '../../../../../prisma/client/client.ts';
import type { Db } from '../../../../kit/db.ts';
import { hourMs, minuteMs } from '../../../../kit/duration.ts';
import { DomainError, invalidInputError } from '../../../../kit/errors.ts';
import { toInstant, toLocalTime } from '../../../../kit/local-time.ts';
import { parseMoney } from '../../../../kit/money.ts';
import { checkText } from '../../../../kit/text.ts';
import { toLocalDate } from '../../../../kit/time-zone.ts';
import { appendReferences } from './append-references.ts';
import type { TransferInput } from './draft-transfer.ts';
import type { ReportedItem } from './record-items.ts';
import { type AccountIdentifier, resolveAccount } from './resolve-account.ts';

/**
 * A reported transfer, not validated yet. `amount` is in major units, and `paidAt` is an ISO 8601 date or
 * time.
 */
export type TransferItem = AccountIdentifier & {
  id: string;
  amount: number | string;
  currency: string;
  reference: string;
  payerName?: string | null | undefined;
  paidAt: string;
  /** `debit` for outgoing money; the default is `credit`. */
  direction?: 'credit' | 'debit' | null | undefined;
};

const referenceLengthMax = 1_000;
/** The largest difference between two time zones. */
const timeZoneSpreadMs = 26 * hourMs;

type ParsedItem = ReportedItem & { item: TransferItem };
type InvalidItem = { item: TransferItem; detail: string };

type ReportContext = { accounts: readonly ReceivingAccount[]; source: TransferSource };

/**
 * Parses reported transfers in order. Each result has the account and the input, or the validation error in
 * `detail`.
 */
export async function parseItems(
  db: Db,
  { items, now, ...context }: ReportContext & { items: readonly TransferItem[]; now: Date },
): Promise<(ParsedItem | InvalidItem)[]> {
  const parsedItems = items.map((item) => tryParseItem(item, context));
  const futureItems = parsedItems
    .filter((parsed) => 'input' in parsed)
    .filter((parsed) => isInFuture(parsed.input, parsed.account, now));
  const recordedItems = await findRecordedItems(db, context.source, futureItems, now);
  const rejected = new Set<ParsedItem | InvalidItem>(
    futureItems.filter((parsed) => !recordedItems.has(parsed)),
  );
  const { message: detail } = invalidInputError('/paidAt', 'must not be in the future');
  return parsedItems.map((parsed) => (rejected.has(parsed) ? { item: parsed.item, detail } : parsed));
}

/**
 * Returns the items that were recorded before. Their times are now in the future, because the account's time
 * zone was corrected since.
 */
async function findRecordedItems(
  db: Db,
  source: TransferSource,
  futureItems: readonly ParsedItem[],
  now: Date,
): Promise<ReadonlySet<ParsedItem>> {
  const latest = new Date(now.getTime() + timeZoneSpreadMs);
  const localItems = futureItems.filter(
    ({ input, account }) => isLocal(input) && !isInFuture(input, account, latest),
  );
  if (localItems.length === 0) return new Set();
  const rows = await db.prisma.transfer.findMany({
    where: {
      receivingAccountId: { in: localItems.map(({ account }) => account.id) },
      source,
      bankReference: { in: localItems.map(({ input }) => input.bankReference) },
    },
    select: { receivingAccountId: true, bankReference: true },
  });
  const keys = new Set(rows.map((row) => `${row.receivingAccountId} ${row.bankReference}`));
  return new Set(localItems.filter(({ account, input }) => keys.has(`${account.id} ${input.bankReference}`)));
}

function isLocal({ isPaidAtDateOnly, contentTime }: TransferInput): boolean {
  return isPaidAtDateOnly || contentTime !== undefined;
}

function tryParseItem(item: TransferItem, context: ReportContext): ParsedItem | InvalidItem {
  try {
    return parseItem(item, context);
  } catch (error) {
    if (error instanceof DomainError) return { item, detail: error.message };
    throw error;
  }
}

function parseItem(item: TransferItem, { accounts, source }: ReportContext): ParsedItem {
  const account = resolveAccount(accounts, item);
  const { paidAt, isPaidAtDateOnly, localTime } = parsePaidAt(item.paidAt, account);
  const money = parseMoney(item.amount, item.currency, '/amount');
  const reference = checkText(item.reference, '/reference', referenceLengthMax);
  const toContent = (contentTime: string) => ({
    contentTime,
    content: JSON.stringify([money.minor.toString(), money.currency, reference, contentTime]),
  });
  const instantContent = toContent(paidAt.toISOString());
  const localContent = isPaidAtDateOnly
    ? undefined
    : toContent(localTime ?? toLocalTime(paidAt, account.timeZone));
  const payerName = item.payerName == null ? undefined : checkText(item.payerName, '/payerName', 200);
  const input: TransferInput = {
    source,
    bankReference: parseId(item.id),
    // Keeps the local time, because its instant changes when the account's time zone is corrected.
    ...(localContent && localTime !== undefined
      ? { ...localContent, alternative: instantContent }
      : { content: instantContent.content, alternative: localContent }),
    money,
    reference: appendReferences(reference, [payerName]),
    payerName,
    paidAt,
    isPaidAtDateOnly,
  };
  return { item, account, kind: item.direction === 'debit' ? 'debit' : 'credit', input };
}

/** Rejects an empty ID, which would be the same for all transfers. */
function parseId(id: string): string {
  if (id.trim() === '') throw invalidInputError('/id', 'must be the bank’s transaction ID');
  return checkText(id, '/id', 255);
}

/** Earlier dates are rejected as implausible. */
const earliestDate = '2000-01-01';
/** How far the clock of a bank may be ahead. */
const futureLimitMs = 5 * minuteMs;

const paidAtPattern =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Parses the time of a reported payment: an ISO 8601 date or time. A time without an offset is in the receiving
 * account's time zone and is also returned as `localTime`.
 */
export function parsePaidAt(
  text: string,
  account: Pick<ReceivingAccount, 'timeZone'>,
): { paidAt: Date; isPaidAtDateOnly: boolean; localTime?: string } {
  const [, date = '', time, offset] = paidAtPattern.exec(text) ?? [];
  const midnight = new Date(`${date}T00:00:00Z`);
  const isValidDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
  if (!isValidDay) throw invalidPaidAtError();
  if (date < earliestDate) throw invalidInputError('/paidAt', `must not be before ${earliestDate}`);
  const paidAt = time === undefined ? midnight : combineDateAndTime(date, time, offset, account.timeZone);
  if (Number.isNaN(paidAt.getTime())) throw invalidPaidAtError();
  const isLocal = time !== undefined && offset === undefined;
  return {
    paidAt,
    isPaidAtDateOnly: time === undefined,
    ...(isLocal && {
      localTime: new Date(`${withSeconds(date, time).slice(0, 23)}Z`).toISOString().slice(0, 23),
    }),
  };
}

function invalidPaidAtError(): DomainError {
  return invalidInputError('/paidAt', 'must be an ISO 8601 date or time, such as 2026-11-20T08:30:00Z');
}

/**
 * Returns whether the payment time is in the future by more than the tolerance. A date is in the receiving
 * account's time zone.
 */
export function isInFuture(
  { paidAt, isPaidAtDateOnly }: { paidAt: Date; isPaidAtDateOnly: boolean },
  account: Pick<ReceivingAccount, 'timeZone'>,
  now: Date,
): boolean {
  const latest = new Date(now.getTime() + futureLimitMs);
  if (!isPaidAtDateOnly) return paidAt > latest;
  return paidAt.toISOString().slice(0, 10) > toLocalDate(latest, account.timeZone);
}

function combineDateAndTime(date: string, time: string, offset: string | undefined, timeZone: string): Date {
  const local = withSeconds(date, time);
  if (offset !== undefined) return new Date(`${local}${offset}`);
  return Number.isNaN(Date.parse(`${local}Z`)) ? new Date(Number.NaN) : toInstant(local, timeZone);
}

function withSeconds(date: string, time: string): string {
  return `${date}T${time.length === 5 ? `${time}:00` : time}`;
}
