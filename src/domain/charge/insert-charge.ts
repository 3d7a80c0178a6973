import type { Charge } from '../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../event/unit-of-work.ts';
import type { Tx } from '../../kit/db.ts';
import { dayMs } from '../../kit/duration.ts';
import { DomainError } from '../../kit/errors.ts';
import { newId } from '../../kit/id.ts';
import { newNonce } from '../../method/nonce.ts';
import { recordChargeEvents } from './charge-events.ts';
import { chargeRow } from './charge-row.ts';
import type { PreparedCharge } from './charge-terms.ts';
import { findPlace } from './find-place.ts';

/** A nonce is not used again on its account for so long, so that late money finds the charge it was meant for. */
export const nonceRestMs = 180 * dayMs;
export const nonceTriesMax = 20;

type Change = {
  id?: string;
  customerId: string;
  actor: string;
  address?: string | undefined;
  now: Date;
};

/**
 * Inserts the pending charge with a nonce of its own (and, where that tells payments apart, an amount of its own) and its
 * event, in the caller's transaction. Error: `method_unavailable` where nearly all
 * references of every account are used or in cooldown: a reference in cooldown is never given again.
 */
export async function insertCharge(
  uow: UnitOfWork,
  prepared: PreparedCharge,
  change: Change,
): Promise<Charge> {
  const charge = await insertWhereFree(uow, prepared, change);
  if (!charge) {
    const { method } = prepared.terms;
    throw new DomainError('method_unavailable', `No payment reference is free on the accounts of ${method}`);
  }
  return charge;
}

/** The same, on the first of the accounts that has a nonce to give; undefined where none has. */
export async function insertWhereFree(
  uow: UnitOfWork,
  prepared: PreparedCharge,
  change: Change,
): Promise<Charge | undefined> {
  const used = new Set<string>();
  for (;;) {
    const [first, ...others] = prepared.accounts.filter(({ id }) => !used.has(id));
    if (!first) return undefined;
    const made = await tryNonces(uow, { ...prepared, accounts: [first, ...others] }, change);
    if ('charge' in made) return made.charge;
    used.add(made.usedUp);
  }
}

/** The charge, or the account on which no nonce was free. */
async function tryNonces(
  uow: UnitOfWork,
  prepared: PreparedCharge,
  change: Change,
): Promise<{ charge: Charge } | { usedUp: string }> {
  const { tx } = uow;
  const id = change.id ?? newId('charge', change.now);
  // It stays free however many nonces are tried: whoever else looks for one waits until we commit.
  const place = await findPlace(tx, prepared, change.now);
  for (let tries = 0; tries < nonceTriesMax; tries++) {
    const nonce = newNonce();
    if (await isNonceResting(tx, place.account.id, nonce, change.now)) continue;
    const [charge] = await tx.charge.createManyAndReturn({
      data: [chargeRow(prepared, { ...change, ...place, id, nonce })],
      skipDuplicates: true,
    });
    if (!charge) continue;
    await recordChargeEvents(uow, [charge], 'charge_created', change);
    return { charge };
  }
  return { usedUp: place.account.id };
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
