import type { Charge } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { dayMs } from '../../kit/duration.ts';
import { DomainError } from '../../kit/errors.ts';
import { newId } from '../../kit/id.ts';
import { newNonce } from '../../method/nonce.ts';
import { chargeRow } from './charge-row.ts';
import type { PreparedCharge } from './charge-terms.ts';
import { findPlace } from './find-place.ts';
import { recordChargeEvents } from './transition-charge.ts';

/** A nonce is not used again on its account for so long, so that late money finds the charge it was meant for. */
export const nonceRestMs = 180 * dayMs;
export const nonceTriesMax = 20;

/**
 * Inserts the pending charge with a nonce of its own (and, where that tells payments apart, an amount of its own) and its
 * event, in the caller's transaction.
 */
export async function insertCharge(
  tx: Tx,
  prepared: PreparedCharge,
  options: { id?: string; customerId: string; actor: string; address?: string | undefined; now: Date },
): Promise<Charge> {
  const id = options.id ?? newId('charge', options.now);
  for (let tries = 0; tries < nonceTriesMax; tries++) {
    const nonce = newNonce();
    const place = await findPlace(tx, prepared, options.now);
    if (await isNonceResting(tx, place.account.id, nonce, options.now)) continue;
    const [charge] = await tx.charge.createManyAndReturn({
      data: [chargeRow(prepared, { ...options, ...place, id, nonce })],
      skipDuplicates: true,
    });
    if (!charge) continue;
    await recordChargeEvents(tx, [charge], 'charge_created', options);
    return charge;
  }
  throw new DomainError('unavailable', 'No free reference was found for the charge; try again');
}

async function isNonceResting(
  tx: Tx,
  receivingAccountId: string,
  nonce: string,
  now: Date,
): Promise<boolean> {
  const used = await tx.charge.findFirst({
    where: { receivingAccountId, nonce, createdAt: { gt: new Date(now.getTime() - nonceRestMs) } },
    select: { id: true },
  });
  return used !== null;
}
