import type { Transfer } from '../../../../../prisma/client/client.ts';
import type { Tx } from '../../../../kit/db.ts';
import { dayMs } from '../../../../kit/duration.ts';
import { foldReference } from '../../../../method/payment-reference.ts';
import type { BankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import { getPaymentReferences } from '../../../payments/allocation/get-payment-references.ts';
import { duplicateWindowDays } from './match-duplicates.ts';

/**
 * The lines of earlier files that a file may list again with another date or wording. They are read once for
 * each amount, because a shop with a single price has thousands of equal amounts.
 */
export type RelistedLineCheck = {
  /** The references of the lines in the file. Earlier lines with one of them are other payments. */
  ownReferences: ReadonlySet<string>;
  /** The days of the lines in the file. */
  from: Date;
  until: Date;
  byAmount: Map<string, EarlierLineIndex>;
};

type EarlierLine = { lineKey: string; paidAt: number; hasReference: boolean };
/** The earlier lines of one amount, by payment reference (`R…`), folded text (`T…`) and time (`P…`). */
type EarlierLineIndex = Map<string, EarlierLine[]>;

const windowMs = duplicateWindowDays * dayMs;

/**
 * Returns the new credits of a statement that an earlier file of the same kind may have reported with another date or
 * wording: with the same amount, at most 3 days apart, and with a common payment reference, the same text or the same
 * date. The bank gives them no reference, so a user has to decide. The value is false if only the new line has a
 * payment reference, because it may then still pay the charge with it.
 */
export async function findReportedAgain(
  tx: Tx,
  transfers: readonly Transfer[],
  { account, relistedLineCheck }: { account: BankAccount; relistedLineCheck?: RelistedLineCheck },
): Promise<Map<Transfer, boolean>> {
  const lines = transfers.filter(
    ({ source, bankReference }) => source === 'statement' && isSynthetic(bankReference),
  );
  if (lines.length === 0) return new Map();
  const earlier = relistedLineCheck ?? createRelistedLineCheck(lines);
  await readEarlierTransfers(tx, lines, { account, earlier });
  return new Map(
    lines.flatMap((line) => {
      const index = earlier.byAmount.get(toAmountKey(line))!;
      const references = getPaymentReferences(line);
      const lineKey = toLineKey(line);
      const has = (key: string, isCandidate: (earlier: EarlierLine) => boolean = () => true) =>
        // Of equal lines of a day, the file lists both, so they are different payments.
        index
          .get(key)
          ?.some(
            (earlier) => earlier.lineKey !== lineKey && isClose(earlier, line) && isCandidate(earlier),
          ) ?? false;
      if (references.some((reference) => has(`R${reference}`))) return [[line, true] as const];
      const hasReference = references.length > 0;
      const isCandidate = (earlier: EarlierLine) => !hasReference || !earlier.hasReference;
      const isSimilar =
        has(`T${foldReference(line.reference)}`, isCandidate) ||
        has(`P${line.paidAt.getTime()}`, isCandidate);
      return isSimilar ? [[line, !hasReference] as const] : [];
    }),
  );
}

function createRelistedLineCheck(lines: readonly Transfer[]): RelistedLineCheck {
  const times = lines.map(({ paidAt }) => paidAt.getTime());
  const [from, until] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  return { ownReferences: new Set(), from, until, byAmount: new Map() };
}

/** Reads the earlier lines of amounts that have not been read yet. Equal lines of a day are read as one. */
async function readEarlierTransfers(
  tx: Tx,
  lines: readonly Transfer[],
  { account, earlier }: { account: BankAccount; earlier: RelistedLineCheck },
): Promise<void> {
  const [first] = lines;
  const newLines = lines.filter((line) => !earlier.byAmount.has(toAmountKey(line)));
  if (!first || newLines.length === 0) return;
  for (const line of newLines) earlier.byAmount.set(toAmountKey(line), new Map());
  const rows = await tx.transfer.findMany({
    where: {
      receivingAccountId: { in: [...account.sharedIds] },
      source: 'statement',
      fileKind: first.fileKind,
      direction: 'credit',
      amount: { in: [...new Set(newLines.map(({ amount }) => amount))] },
      paidAt: {
        gte: new Date(earlier.from.getTime() - windowMs),
        lte: new Date(earlier.until.getTime() + windowMs),
      },
      status: { not: 'duplicate' },
      undoneAt: null,
      statementId: { not: first.statementId },
    },
    select: { amount: true, currency: true, reference: true, paidAt: true, bankReference: true },
  });
  const known = new Set<string>();
  for (const row of rows) {
    const index = earlier.byAmount.get(toAmountKey(row));
    const lineKey = toLineKey(row);
    if (!index || earlier.ownReferences.has(row.bankReference) || known.has(lineKey)) continue;
    known.add(lineKey);
    const references = getPaymentReferences(row);
    const paidAt = row.paidAt.getTime();
    const reported = { lineKey, paidAt, hasReference: references.length > 0 };
    const keys = references.map((reference) => `R${reference}`);
    for (const key of [...keys, `T${foldReference(row.reference)}`, `P${paidAt}`]) {
      const list = index.get(key);
      if (list) list.push(reported);
      else index.set(key, [reported]);
    }
  }
}

function isClose({ paidAt }: EarlierLine, line: Transfer): boolean {
  return Math.abs(line.paidAt.getTime() - paidAt) <= windowMs;
}

function toAmountKey({ amount, currency }: Pick<Transfer, 'amount' | 'currency'>): string {
  return `${amount} ${currency}`;
}

/** Returns the synthetic reference without the position among equal lines. */
function toLineKey({ bankReference }: Pick<Transfer, 'bankReference'>): string {
  return bankReference.slice(0, bankReference.lastIndexOf(':'));
}

/** The beginning of the references of lines that have none from the bank. */
export const syntheticPrefix = 'line:';

export function isSynthetic(bankReference: string): boolean {
  return bankReference.startsWith(syntheticPrefix);
}
