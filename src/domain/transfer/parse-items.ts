import type { ReceivingAccount, TransferSource } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { hourMs } from '../../kit/duration.ts';
import { DomainError, invalidInput } from '../../kit/errors.ts';
import { localTimeOf } from '../../kit/instant-of.ts';
import { parseMoney } from '../../kit/money.ts';
import { checkText } from '../../kit/text.ts';
import type { TransferInput } from './draft-transfer.ts';
import { findToldAccount } from './find-told-account.ts';
import { parsePaidAt } from './parse-paid-at.ts';

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
