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

/** One item of a bank feed, as it arrives; the account by its id, or by method and account number. */
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
  /** `debit` for money that went out; left out: it came. */
  direction?: 'credit' | 'debit' | null | undefined;
};

const referenceMax = 1_000;
/** Two time zones lie so far apart at most. */
const timeZoneSpreadMs = 26 * hourMs;

export type ParsedItem = { item: TransferItem; account: ReceivingAccount; input: TransferInput };
export type InvalidItem = { item: TransferItem; detail: string };

type FeedContext = { accounts: readonly ReceivingAccount[]; source: TransferSource };

/** Parses the items of a feed, in their order: each with its account, or with what is wrong with it. */
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

/** Those that were recorded before: they are in the future only because the account's time zone has been corrected since. */
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
    // A local time as told: the instant it means changes when the account's time zone is corrected.
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

/** One that says nothing would be the same for all. */
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
 * The account that an item of a feed names: by its id, or by method and number as the account shows it, else as banks
 * write it. Where several fit, the one in use. Error: `invalid_request` where none fits, or nothing tells which.
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

/** Banks group numbers in their own ways; in an address every character but its case counts. */
function foldAccountNumber(method: string, account: string): string {
  if (account.includes('@')) return account.trim().toLowerCase();
  const digitsAndLetters = account.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  return getScheme(method as MethodCode).foldAccount?.(digitsAndLetters) ?? digitsAndLetters;
}

/** Before this no transfer that anybody waits for was made; PostgreSQL's own limit lies far below. */
const earliestDate = '2000-01-01';
/** A clock of the bank's may run ahead of ours by so much. */
const futureLimitMs = 5 * minuteMs;

const paidAtPattern =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * When money was paid, as a bank feed tells it: ISO 8601, a date alone, or a time; a time without an offset is one of
 * the receiving account's time zone, and answered as `localTime` too. Error: 400 for anything else and for a day that is
 * none.
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

/** Whether money would be paid later than now; a date is one of the receiving account's time zone. */
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
