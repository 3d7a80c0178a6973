import type { ReceivingAccount, TransferSource } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { hourMs, minuteMs } from '../../../kit/duration.ts';
import { DomainError, invalidInput } from '../../../kit/errors.ts';
import { toInstant, toLocalTime } from '../../../kit/local-time.ts';
import { parseMoney } from '../../../kit/money.ts';
import { checkText } from '../../../kit/text.ts';
import { toLocalDate } from '../../../kit/time-zone.ts';
import type { MethodCode } from '../../../method/catalogue.ts';
import { getScheme } from '../../../method/schemes.ts';
import { isActive } from '../../accounts/receiving-account/receiving-account-state.ts';
import type { TransferInput } from './draft-transfer.ts';

/** One item of a bank feed. The account is given by ID, or by method and account number. */
export type TransferItem = {
  id: string;
  receivingAccountId?: string | null | undefined;
  method?: string | null | undefined;
  account?: string | null | undefined;
  amount: number | string;
  currency: string;
  reference: string;
  payerName?: string | null | undefined;
  paidAt: string;
  /** `debit` for outgoing money; the default is `credit`. */
  direction?: 'credit' | 'debit' | null | undefined;
};

const referenceMax = 1_000;
/** The largest difference between two time zones. */
const timeZoneSpreadMs = 26 * hourMs;

export type ParsedItem = { item: TransferItem; account: ReceivingAccount; input: TransferInput };
export type InvalidItem = { item: TransferItem; detail: string };

type FeedContext = { accounts: readonly ReceivingAccount[]; source: TransferSource };

/** Parses the items of a feed in order. Each result has its account, or the validation error in `detail`. */
export async function parseItems(
  db: Db,
  { items, now, ...feed }: FeedContext & { items: readonly TransferItem[]; now: Date },
): Promise<(ParsedItem | InvalidItem)[]> {
  const parsedItems = items.map((item) => tryParse(item, feed));
  const futureItems = parsedItems
    .filter((one) => 'input' in one)
    .filter((one) => isInFuture(one.input, one.account, now));
  const recordedItems = await findRecorded(db, feed.source, futureItems, now);
  const rejected = new Set<ParsedItem | InvalidItem>(futureItems.filter((one) => !recordedItems.has(one)));
  const { message: detail } = invalidInput('/paidAt', 'must not be in the future');
  return parsedItems.map((one) => (rejected.has(one) ? { item: one.item, detail } : one));
}

/**
 * Returns the items recorded before: they are in the future only because the account's time zone was corrected
 * since.
 */
async function findRecorded(
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

function isLocal({ paidAtIsDate, contentTime }: TransferInput): boolean {
  return paidAtIsDate || contentTime !== undefined;
}

function tryParse(item: TransferItem, feed: FeedContext): ParsedItem | InvalidItem {
  try {
    return parseItem(item, feed);
  } catch (error) {
    if (error instanceof DomainError) return { item, detail: error.message };
    throw error;
  }
}

function parseItem(item: TransferItem, { accounts, source }: FeedContext): ParsedItem {
  const account = resolveAccount(accounts, item);
  const { paidAt, paidAtIsDate, localTime } = parsePaidAt(item.paidAt, account);
  const money = parseMoney(item.amount, item.currency, '/amount');
  const reference = checkText(item.reference, '/reference', referenceMax);
  const toContent = (contentTime: string) => ({
    contentTime,
    content: JSON.stringify([money.minor.toString(), money.currency, reference, contentTime]),
  });
  const instantContent = toContent(paidAt.toISOString());
  const localContent = paidAtIsDate
    ? undefined
    : toContent(localTime ?? toLocalTime(paidAt, account.timeZone));
  const input: TransferInput = {
    source,
    bankReference: parseId(item.id),
    // Keeps the local time, because its instant changes when the account's time zone is corrected.
    ...(localContent && localTime !== undefined
      ? { ...localContent, alternative: instantContent }
      : { content: instantContent.content, alternative: localContent }),
    money,
    reference,
    payerName: item.payerName == null ? undefined : checkText(item.payerName, '/payerName', 200),
    paidAt,
    paidAtIsDate,
  };
  return { item, account, input };
}

/** An empty ID would be the same for all transfers. */
function parseId(id: string): string {
  if (id.trim() === '') throw invalidInput('/id', 'must be the bank’s transaction ID');
  return checkText(id, '/id', 255);
}

type AccountIdentifier = {
  receivingAccountId?: string | null | undefined;
  method?: string | null | undefined;
  account?: string | null | undefined;
};

/**
 * Returns the account that a feed item identifies: by ID, or by method and number in exact or normalized form.
 * Prefers the active account if several match. Error: `invalid_request` if none matches or the match is
 * ambiguous.
 */
export function resolveAccount(
  accounts: readonly ReceivingAccount[],
  { receivingAccountId, method, account }: AccountIdentifier,
): ReceivingAccount {
  const candidates =
    receivingAccountId != null
      ? accounts.filter(({ id }) => id === receivingAccountId)
      : findByNumber(accounts, method, account ?? '');
  if (candidates.length === 0)
    throw invalidInput(
      '/receivingAccountId',
      'or method and account must identify one of your receiving accounts',
    );
  const [match, ...others] = candidates.length === 1 ? candidates : candidates.filter(isActive);
  if (match && others.length === 0) return match;
  const ids = candidates.map(({ id }) => id).join(', ');
  throw invalidInput('/account', `matches several receiving accounts: use receivingAccountId (${ids})`);
}

function findByNumber(
  accounts: readonly ReceivingAccount[],
  method: AccountIdentifier['method'],
  number: string,
): ReceivingAccount[] {
  const sameMethod = accounts.filter((one) => one.method === method);
  const exact = sameMethod.filter((one) => one.account === number);
  if (exact.length > 0) return exact;
  return sameMethod.filter(
    (one) => foldAccountNumber(one.method, one.account) === foldAccountNumber(one.method, number),
  );
}

/** Banks group digits differently. In an address, every character counts but case does not. */
function foldAccountNumber(method: string, account: string): string {
  if (account.includes('@')) return account.trim().toLowerCase();
  const digitsAndLetters = account.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  return getScheme(method as MethodCode).foldAccount?.(digitsAndLetters) ?? digitsAndLetters;
}

/** Rejects implausible dates, long before PostgreSQL's own limit. */
const earliestDate = '2000-01-01';
/** Tolerated clock skew of the bank. */
const futureLimitMs = 5 * minuteMs;

const paidAtPattern =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Parses the time of a payment in a bank feed: an ISO 8601 date or time. A time without an offset is in the
 * receiving account's time zone and is also returned as `localTime`. Error: 400 for any other format and for an
 * invalid day.
 */
export function parsePaidAt(
  text: string,
  account: Pick<ReceivingAccount, 'timeZone'>,
): { paidAt: Date; paidAtIsDate: boolean; localTime?: string } {
  const [, date = '', time, offset] = paidAtPattern.exec(text) ?? [];
  const midnight = new Date(`${date}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
  if (date < earliestDate || !isDay) throw invalidInput('/paidAt', 'must be an ISO 8601 date or time');
  const paidAt = time === undefined ? midnight : combineDateAndTime(date, time, offset, account.timeZone);
  if (Number.isNaN(paidAt.getTime())) throw invalidInput('/paidAt', 'must be an ISO 8601 date or time');
  const isLocal = time !== undefined && offset === undefined;
  return {
    paidAt,
    paidAtIsDate: time === undefined,
    ...(isLocal && {
      localTime: new Date(`${withSeconds(date, time).slice(0, 23)}Z`).toISOString().slice(0, 23),
    }),
  };
}

/** Whether the payment time is in the future. A date is in the receiving account's time zone. */
export function isInFuture(
  { paidAt, paidAtIsDate }: { paidAt: Date; paidAtIsDate: boolean },
  account: Pick<ReceivingAccount, 'timeZone'>,
  now: Date,
): boolean {
  const latest = new Date(now.getTime() + futureLimitMs);
  if (!paidAtIsDate) return paidAt > latest;
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
