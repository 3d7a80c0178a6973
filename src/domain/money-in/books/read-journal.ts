import { addDays, countDays } from '../../../kit/day-start.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';
import { type BookPeriod, toPostingParameters } from './book-period.ts';
import { type JournalAccount, journalAccounts, postingsSql } from './postings-sql.ts';

/** A line of an entry, in minor units. A positive amount is a debit. The lines of an entry add up to zero. */
export type JournalLine = {
  /** The ID of the transfer or payout of the entry. */
  id: string;
  kind: 'receipt' | 'return' | 'refund' | 'fee';
  /** The day of the entry, such as `2026-11-20`, in the merchant's time zone. */
  day: string;
  receivingAccountId: string;
  currency: string;
  account: JournalAccount;
  amount: bigint;
  chargeId: string | null;
};

const accountOrder = `array_position(ARRAY['${journalAccounts.join("','")}'], account)`;

type JournalPage = {
  lines: JournalLine[];
  /** The key of the last entry, such as `2026-11-20 tr_… receipt`; null after the last page. */
  cursor: string | null;
};

/**
 * Returns the lines of the next `entryCount` entries, in order of day and ID. All lines of an entry are in one
 * page, so that each page balances. Reads only the days from that of the cursor on, and doubles their number until
 * they have enough entries: otherwise each page would derive the postings of the whole period.
 */
export async function readJournal(
  reads: StaleReads,
  options: BookPeriod & { after: string | null; entryCount: number },
): Promise<JournalPage> {
  const { after, entryCount, ...period } = options;
  const from = after?.slice(0, dayLength) ?? period.from;
  for (let dayCount = 1; ; dayCount *= 2) {
    const isLast = dayCount >= countDays(from, period.to);
    const to = isLast ? period.to : addDays(from, dayCount - 1);
    const page = await readEntries(reads, { ...period, from, to }, { after, entryCount });
    if (isLast || page.cursor !== null) return page;
  }
}

const dayLength = '2026-11-20'.length;

/** Reads the next entries of the period. The cursor is null if there are fewer than `entryCount`. */
async function readEntries(
  reads: StaleReads,
  period: BookPeriod,
  { after, entryCount }: { after: string | null; entryCount: number },
): Promise<JournalPage> {
  const key = `to_char(day, 'YYYY-MM-DD') || ' ' || id || ' ' || kind`;
  const rows = await reads.select<Omit<JournalLine, 'amount'> & { amount: string; key: string }>(
    `${postingsSql}, entry AS (
      SELECT DISTINCT (${key}) COLLATE "C" AS key FROM posting
      WHERE amount <> 0 AND (${key}) COLLATE "C" > $8 ORDER BY 1 LIMIT $9
    )
    SELECT entry.key, id, kind, to_char(day, 'YYYY-MM-DD') AS day, receiving_account_id AS "receivingAccountId", currency,
      account, amount, charge_id AS "chargeId"
    FROM posting JOIN entry ON entry.key = (${key}) COLLATE "C"
    WHERE amount <> 0 ORDER BY entry.key, ${accountOrder}, charge_id`,
    [...toPostingParameters(period), after ?? '', entryCount],
  );
  const entryKeys = new Set(rows.map(({ key: entryKey }) => entryKey));
  const lines = rows.map(({ key: _, amount, ...line }) => ({ ...line, amount: BigInt(amount) }));
  return { lines, cursor: entryKeys.size < entryCount ? null : (rows.at(-1)?.key ?? null) };
}

/** The sum of an account on one day. */
export type DailyPosting = Pick<JournalLine, 'day' | 'account' | 'amount'>;

/** Returns the sums by day and account in one currency. The sums of a day add up to zero. */
export async function sumDailyPostings(
  reads: StaleReads,
  { currency, ...period }: BookPeriod & { currency: string },
): Promise<DailyPosting[]> {
  const rows = await reads.select<{ day: string; account: JournalAccount; amount: string }>(
    `${postingsSql}
    SELECT to_char(day, 'YYYY-MM-DD') AS day, account, sum(amount) AS amount FROM posting WHERE currency = $8
    GROUP BY day, account HAVING sum(amount) <> 0 ORDER BY day, ${accountOrder}`,
    [...toPostingParameters(period), currency],
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}
