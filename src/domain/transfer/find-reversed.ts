import type { Transfer } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { dayMs } from '../../kit/duration.ts';
import { foldReference } from '../../method/nonce.ts';
import { noncesOf } from './nonces-of.ts';

/** A bank takes a booking back so long after it, and dates the two so far apart the wrong way round. */
const reversedWithinDays = 120;
const datedBeforeDays = 3;

/**
 * The credit that a reversal takes back: same account, amount and currency, not taken back yet, with the bank reference
 * that the reversal names; else with the same nonce, else with the same words, the latest first. Null: none is sure.
 */
export async function findReversed(
  tx: Tx,
  reversal: Transfer,
  reference: string | undefined,
): Promise<Transfer | null> {
  const { receivingAccountId, amount, currency } = reversal;
  const paidAt = reversal.paidAt.getTime();
  const credits = await tx.transfer.findMany({
    where: {
      receivingAccountId,
      amount,
      currency,
      direction: 'credit',
      status: { not: 'duplicate' },
      paidAt: {
        gte: new Date(paidAt - reversedWithinDays * dayMs),
        lte: new Date(paidAt + datedBeforeDays * dayMs),
      },
    },
    orderBy: { id: 'desc' },
  });
  const reversals = await tx.transfer.findMany({
    where: { reversesId: { in: credits.map(({ id }) => id) } },
    select: { reversesId: true },
  });
  const gone = new Set(reversals.map(({ reversesId }) => reversesId));
  const left = credits.filter(({ id }) => !gone.has(id));
  const nonces = noncesOf(reversal);
  const words = foldReference(reversal.reference);
  return (
    left.find(({ bankReference }) => reference !== undefined && bankReference === reference) ??
    left.find((credit) => noncesOf(credit).some((nonce) => nonces.includes(nonce))) ??
    left.find((credit) => words !== '' && foldReference(credit.reference) === words) ??
    null
  );
}
