import type { ReceivingAccount, TransferSource } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { hourMs, minuteMs } from '../../../kit/duration.ts';
import { DomainError, invalidInput } from '../../../kit/errors.ts';
import { instantOf, localTimeOf } from '../../../kit/instant-of.ts';
import { parseMoney } from '../../../kit/money.ts';
import { checkText } from '../../../kit/text.ts';
import { localDate } from '../../../kit/time-zone.ts';
import type { MethodCode } from '../../../method/catalogue.ts';
import { schemeOf } from '../../../method/schemes.ts';
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
const zonesApartMs = 26 * hourMs;

export type Parsed = { account: ReceivingAccount; input: TransferInput };

type Telling = { accounts: readonly ReceivingAccount[]; source: TransferSource; now: Date };

/** Reads what a feed tells: each item with its account, or what is wrong with it. */
export async function parseItems(
  db: Db,
  { items, ...telling }: Telling & { items: readonly TransferItem[] },
): Promise<(Parsed | { detail: string })[]> {
  const parsed = items.map((item) => tryParse(item, telling));
  const later = { ...telling, now: new Date(telling.now.getTime() + zonesApartMs) };
  const ahead = new Map(
    parsed.flatMap((one, i) => {
      const again = 'detail' in one ? tryParse(items[i] as TransferItem, later) : one;
      return again !== one && 'input' in again && isLocal(again.input) ? [[i, again] as const] : [];
    }),
  );
  const isKnown = await findRecorded(db, telling.source, [...ahead.values()]);
  return parsed.map((one, i) => {
    const again = ahead.get(i);
    return again && isKnown(again) ? again : one;
  });
}

function isLocal({ paidAtIsDate, contentTime }: TransferInput): boolean {
  return paidAtIsDate || contentTime !== undefined;
}

/** What was recorded lies in the future only because the account's time zone has been corrected since. */
async function findRecorded(
  db: Db,
  source: TransferSource,
  parsed: readonly Parsed[],
): Promise<(one: Parsed) => boolean> {
  const rows =
    parsed.length === 0
      ? []
      : await db.prisma.transfer.findMany({
          where: {
            receivingAccountId: { in: parsed.map(({ account }) => account.id) },
            source,
            bankReference: { in: parsed.map(({ input }) => input.bankReference) },
          },
          select: { receivingAccountId: true, bankReference: true },
        });
  const keys = new Set(rows.map((row) => `${row.receivingAccountId} ${row.bankReference}`));
  return ({ account, input }) => keys.has(`${account.id} ${input.bankReference}`);
}

function tryParse(item: TransferItem, telling: Telling): Parsed | { detail: string } {
  try {
    return parseItem(item, telling);
  } catch (error) {
    if (error instanceof DomainError) return { detail: error.message };
    throw error;
  }
}

function parseItem(item: TransferItem, { accounts, source, now }: Telling): Parsed {
  const account = findToldAccount(accounts, item);
  const { paidAt, paidAtIsDate, localTime } = parsePaidAt(item.paidAt, account, now);
  const money = parseMoney(item.amount, item.currency, '/amount');
  const reference = checkText(item.reference, '/reference', referenceMax);
  const contentAt = (contentTime: string) => ({
    contentTime,
    content: JSON.stringify([money.minor.toString(), money.currency, reference, contentTime]),
  });
  const instant = contentAt(paidAt.toISOString());
  const local = paidAtIsDate ? undefined : contentAt(localTime ?? localTimeOf(paidAt, account.timeZone));
  const input: TransferInput = {
    source,
    bankReference: readId(item.id),
    // A local time as told: the instant it means changes when the account's time zone is corrected.
    ...(local && localTime !== undefined
      ? { ...local, otherwise: instant }
      : { content: instant.content, otherwise: local }),
    money,
    reference,
    payerName: item.payerName == null ? undefined : checkText(item.payerName, '/payerName', 200),
    paidAt,
    paidAtIsDate,
  };
  return { account, input };
}

/** One that says nothing would be the same for all. */
function readId(id: string): string {
  if (id.trim() === '') throw invalidInput('/id', 'must be what the bank calls the transfer');
  return checkText(id, '/id', 255);
}

type Named = {
  receivingAccountId?: string | null | undefined;
  method?: string | null | undefined;
  account?: string | null | undefined;
};

/**
 * The account that an item of a feed names: by its id, or by method and number as the account shows it, else as banks
 * write it. Where several fit, the one in use. Error: `invalid_request` where none fits, or nothing tells which.
 */
export function findToldAccount(
  accounts: readonly ReceivingAccount[],
  { receivingAccountId, method, account }: Named,
): ReceivingAccount {
  const fitting =
    receivingAccountId != null
      ? accounts.filter(({ id }) => id === receivingAccountId)
      : findByNumber(accounts, method, account ?? '');
  if (fitting.length === 0)
    throw invalidInput('/receivingAccountId', 'or method and account must name a receiving account of yours');
  const [found, ...others] = fitting.length === 1 ? fitting : fitting.filter(isActive);
  if (found && others.length === 0) return found;
  const ids = fitting.map(({ id }) => id).join(', ');
  throw invalidInput('/account', `fits several receiving accounts: name one by receivingAccountId (${ids})`);
}

function findByNumber(
  accounts: readonly ReceivingAccount[],
  method: Named['method'],
  number: string,
): ReceivingAccount[] {
  const ofMethod = accounts.filter((one) => one.method === method);
  const exact = ofMethod.filter((one) => one.account === number);
  if (exact.length > 0) return exact;
  return ofMethod.filter((one) => fold(one.method, one.account) === fold(one.method, number));
}

/** Banks group numbers in their own ways; in an address every character but its case counts. */
function fold(method: string, account: string): string {
  if (account.includes('@')) return account.trim().toLowerCase();
  const digitsAndLetters = account.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  return schemeOf(method as MethodCode).foldAccount?.(digitsAndLetters) ?? digitsAndLetters;
}

/** Before this no transfer that anybody waits for was made; PostgreSQL's own limit lies far below. */
const earliest = '2000-01-01';
/** A clock of the bank's may run ahead of ours by so much. */
const futureLimitMs = 5 * minuteMs;

const form = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * When money was paid, as a bank feed tells it: ISO 8601, a date alone, or a time; a time without an offset is one of
 * the receiving account's time zone, and answered as `localTime` too. Error: 400 for anything else, for a day that is
 * none, and for the future.
 */
export function parsePaidAt(
  text: string,
  account: Pick<ReceivingAccount, 'timeZone'>,
  now: Date,
): { paidAt: Date; paidAtIsDate: boolean; localTime?: string } {
  const [, date = '', time, offset] = form.exec(text) ?? [];
  const midnight = new Date(`${date}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
  if (date < earliest || !isDay) throw invalidInput('/paidAt', 'must be an ISO 8601 date or time');
  const latest = new Date(now.getTime() + futureLimitMs);
  const paidAt = time === undefined ? midnight : instant(date, time, offset, account.timeZone);
  if (Number.isNaN(paidAt.getTime())) throw invalidInput('/paidAt', 'must be an ISO 8601 date or time');
  const isFuture = time === undefined ? date > localDate(latest, account.timeZone) : paidAt > latest;
  if (isFuture) throw invalidInput('/paidAt', 'must not be in the future');
  const isLocal = time !== undefined && offset === undefined;
  return {
    paidAt,
    paidAtIsDate: time === undefined,
    ...(isLocal && {
      localTime: new Date(`${withSeconds(date, time).slice(0, 23)}Z`).toISOString().slice(0, 23),
    }),
  };
}

function instant(date: string, time: string, offset: string | undefined, timeZone: string): Date {
  const local = withSeconds(date, time);
  if (offset !== undefined) return new Date(`${local}${offset}`);
  return Number.isNaN(Date.parse(`${local}Z`)) ? new Date(Number.NaN) : instantOf(local, timeZone);
}

function withSeconds(date: string, time: string): string {
  return `${date}T${time.length === 5 ? `${time}:00` : time}`;
}
