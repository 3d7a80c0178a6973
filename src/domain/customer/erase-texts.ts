import type { Tx } from '../../kit/db.ts';
import { noncesOf } from '../transfer/nonces-of.ts';
import type { Traces } from './find-traces.ts';

/** Rows that are read and written at a time. */
const batch = 1_000;

/** Members of event payloads that say something about a person. */
const personal = new Set(['email', 'phone', 'firstName', 'lastName', 'payerName']);

/** Empties payers' names and remarks. A remark keeps its nonces: by them a repeat of the same money is known. */
export async function eraseTransfers(tx: Tx, { transferIds }: Traces): Promise<void> {
  for (const some of batches(transferIds)) {
    const rows = await tx.$queryRaw<{ id: string; reference: string }[]>`
      SELECT id, reference FROM transfer WHERE id = ANY(${some}) ORDER BY id FOR NO KEY UPDATE`;
    await tx.$executeRaw`UPDATE transfer SET payer_name = NULL, reference = given.reference
      FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map((row) => noncesOnly(row.reference))}::text[])
        AS given (id, reference)
      WHERE transfer.id = given.id AND (payer_name IS NOT NULL OR transfer.reference <> given.reference)`;
  }
}

/** Empties event payloads of what says something about a person; answers how many. */
export async function eraseEvents(tx: Tx, traces: Traces): Promise<number> {
  const { chargeIds, refundIds, sessionIds, transferIds, subscriptionIds, invoiceIds } = traces;
  const objectIds = [chargeIds, refundIds, sessionIds, transferIds, subscriptionIds, invoiceIds].flat();
  let changed = 0;
  for (const some of batches(objectIds)) {
    const events = await tx.$queryRaw<{ id: string; payload: string }[]>`
      SELECT id, payload FROM event WHERE object_id = ANY(${some})`;
    const bare = events
      .map(({ id, payload }) => ({ id, payload, bare: JSON.stringify(JSON.parse(payload, withoutPerson)) }))
      .filter((event) => event.bare !== event.payload);
    if (bare.length === 0) continue;
    changed += bare.length;
    await tx.$executeRaw`UPDATE event SET payload = given.payload
      FROM unnest(${bare.map(({ id }) => id)}::text[], ${bare.map((event) => event.bare)}::text[])
        AS given (id, payload)
      WHERE event.id = given.id`;
  }
  return changed;
}

/** For JSON.parse: leaves out what is personal, at any depth. `reference` is the payer's remark. */
function withoutPerson(key: string, value: unknown): unknown {
  if (personal.has(key)) return undefined;
  return key === 'reference' && typeof value === 'string' ? noncesOnly(value) : value;
}

function noncesOnly(reference: string): string {
  return noncesOf({ reference }).join(' ');
}

function* batches(ids: string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += batch) yield ids.slice(at, at + batch);
}
