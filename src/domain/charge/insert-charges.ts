import type { Charge } from '../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../event/unit-of-work.ts';
import type { Tx } from '../../kit/db.ts';
import { insertRows } from '../../kit/insert-rows.ts';
import { newNonce } from '../../method/nonce.ts';
import { recordChargeEvents } from './charge-events.ts';
import { chargeRow } from './charge-row.ts';
import type { PreparedCharge } from './charge-terms.ts';
import { insertWhereFree, nonceRestMs, nonceTriesMax } from './insert-charge.ts';

export type NewCharge = { id: string; customerId: string; prepared: PreparedCharge };

/**
 * Inserts many pending charges with their events, as insertCharge does one, in a few statements: for sweeps. Where
 * amounts tell payments apart they are inserted one by one, as each takes one that the next cannot have. Answers the ids of
 * those for which no account has a nonce to give: they keep no other from being made.
 */
export async function insertCharges(
  uow: UnitOfWork,
  asked: readonly NewCharge[],
  change: { actor: string; now: Date },
): Promise<ReadonlySet<string>> {
  const isPlain = ({ prepared }: NewCharge) => prepared.accounts[0].uniqueAmountsMax === null;
  const inserted: Charge[] = [];
  let waiting = asked.filter(isPlain);
  for (let tries = 0; waiting.length > 0 && tries < nonceTriesMax; tries++) {
    const charges = await insertSome(uow.tx, waiting, change.now);
    inserted.push(...charges);
    const isThere = new Set(charges.map(({ id }) => id));
    waiting = waiting.filter(({ id }) => !isThere.has(id));
  }
  await recordChargeEvents(uow, inserted, 'charge_created', change);
  const unmade = new Set<string>();
  for (const { prepared, id, customerId } of [...waiting, ...asked.filter((one) => !isPlain(one))]) {
    const charge = await insertWhereFree(uow, prepared, { id, customerId, ...change });
    if (!charge) unmade.add(id);
  }
  return unmade;
}

/** Those whose nonce is free; answers them as they are stored. */
async function insertSome(tx: Tx, asked: readonly NewCharge[], now: Date): Promise<Charge[]> {
  const rows = asked.map(({ prepared, id, customerId }) => {
    const { accounts, customerMoney } = prepared;
    const place = { account: accounts[0], customerMoney, amountAdded: null };
    return chargeRow(prepared, { ...place, id, customerId, nonce: newNonce(), now });
  });
  const isResting = await readResting(tx, rows, now);
  const free = rows.filter((row) => !isResting.has(keyOf(row)));
  await insertRows(tx, 'charge', free, { skipDuplicates: true });
  return tx.charge.findMany({ where: { id: { in: free.map(({ id }) => id) } }, orderBy: { id: 'asc' } });
}

type GivenNonce = { receivingAccountId: string; nonce: string };

const keyOf = ({ receivingAccountId, nonce }: GivenNonce) => `${receivingAccountId} ${nonce}`;

async function readResting(tx: Tx, given: readonly GivenNonce[], now: Date): Promise<ReadonlySet<string>> {
  const accounts = given.map(({ receivingAccountId }) => receivingAccountId);
  const nonces = given.map(({ nonce }) => nonce);
  const since = new Date(now.getTime() - nonceRestMs);
  const used = await tx.$queryRaw<GivenNonce[]>`
    SELECT receiving_account_id AS "receivingAccountId", nonce FROM charge
    WHERE (receiving_account_id, nonce) IN (SELECT * FROM unnest(${accounts}::text[], ${nonces}::text[]))
      AND created_at > ${since}`;
  return new Set(used.map(keyOf));
}
