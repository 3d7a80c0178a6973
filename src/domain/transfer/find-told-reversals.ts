import type { ReceivingAccount, Transfer } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { readUnpaired } from './find-twins.ts';
import { daysIn, pairingDays } from './match-twins.ts';
import { noncesOf } from './nonces-of.ts';

/** A reversal, with the nonces in its text and in that of the credit it took back. */
export type ToldReversal = { id: string; reversesId: string | null; nonces: string[] };

/**
 * The reversals that other sources told of within the days of pairing and that may be this one: of the same amount, and
 * not the same as one of this source's yet. What else went out is none.
 */
export async function findToldReversals(
  tx: Tx,
  reversal: Transfer,
  account: ReceivingAccount,
): Promise<ToldReversal[]> {
  const dayOf = daysIn(account.timeZone);
  const told = (await readUnpaired(tx, [reversal])).filter(
    (other) =>
      other.currency === reversal.currency && Math.abs(dayOf(other) - dayOf(reversal)) <= pairingDays,
  );
  if (told.length === 0) return [];
  const ids = told.map(({ id }) => id);
  // Money that went out is a payout, has a reason why it is none, or took a credit back.
  const rows = await tx.$queryRaw<
    { id: string; reversesId: string | null; reference: string; taken: string | null }[]
  >`
    SELECT r.id, r.reverses_id AS "reversesId", r.reference, credit.reference AS taken
    FROM transfer r LEFT JOIN transfer credit ON credit.id = r.reverses_id
    WHERE r.id = ANY(${ids}) AND (r.status = 'exception' OR r.reverses_id IS NOT NULL
      OR r.reason IS NULL AND NOT EXISTS (SELECT 1 FROM refund_payout p WHERE p.transfer_id = r.id))
    ORDER BY r.id`;
  return rows.map(({ id, reversesId, reference, taken }) => ({
    id,
    reversesId,
    nonces: [...noncesOf({ reference }), ...(taken === null ? [] : noncesOf({ reference: taken }))],
  }));
}
