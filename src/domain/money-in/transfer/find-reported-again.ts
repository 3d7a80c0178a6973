import type { Transfer } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { foldReference } from '../../../method/payment-reference.ts';
import { getPaymentReferences } from '../../payments/allocation/get-payment-references.ts';
import { duplicateWindowDays } from './match-duplicates.ts';

/**
 * Returns the new credits of a statement that an earlier file of the same kind may have reported with another date or
 * wording: with the same amount, at most 3 days apart, and with a common payment reference, the same text or the same
 * date. The bank gives them no reference, so a user has to decide.
 */
export async function findReportedAgain(tx: Tx, transfers: readonly Transfer[]): Promise<Set<Transfer>> {
  const lines = transfers.filter(({ source }) => source === 'statement');
  const [first] = lines;
  if (!first) return new Set();
  const times = lines.map(({ paidAt }) => paidAt.getTime());
  const windowMs = duplicateWindowDays * dayMs;
  const earlierLines = await tx.transfer.findMany({
    where: {
      receivingAccountId: first.receivingAccountId,
      source: 'statement',
      fileKind: first.fileKind,
      direction: 'credit',
      amount: { in: [...new Set(lines.map(({ amount }) => amount))] },
      paidAt: {
        gte: new Date(Math.min(...times) - windowMs),
        lte: new Date(Math.max(...times) + windowMs),
      },
      status: { not: 'duplicate' },
      undoneAt: null,
      statementId: { not: first.statementId },
    },
    select: { amount: true, currency: true, reference: true, paidAt: true, bankReference: true },
  });
  const isSame = (line: Transfer, earlier: (typeof earlierLines)[number]) => {
    const isClose = Math.abs(line.paidAt.getTime() - earlier.paidAt.getTime()) <= windowMs;
    if (line.amount !== earlier.amount || line.currency !== earlier.currency || !isClose) return false;
    // Of equal lines of a day, the file lists both, so they are different payments.
    if (toLineKey(line) === toLineKey(earlier)) return false;
    const [own, other] = [getPaymentReferences(line), getPaymentReferences(earlier)];
    if (own.length > 0 && other.length > 0) return own.some((reference) => other.includes(reference));
    const isSameText = foldReference(line.reference) === foldReference(earlier.reference);
    return isSameText || line.paidAt.getTime() === earlier.paidAt.getTime();
  };
  return new Set(lines.filter((line) => earlierLines.some((earlier) => isSame(line, earlier))));
}

/** Returns the synthetic reference without the position among equal lines. */
function toLineKey({ bankReference }: Pick<Transfer, 'bankReference'>): string {
  return bankReference.slice(0, bankReference.lastIndexOf(':'));
}
