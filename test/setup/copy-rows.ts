import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { Db } from '../../src/kit/db.ts';
import { getIdNoun, type IdNoun, newEventId, newId } from '../../src/kit/id.ts';
import { makeCharge, noon } from './makers.ts';

/** A row to be made: as the one with the id `of`, but for the columns that it has itself. */
type Copy = { of: string; id: string } & Record<string, unknown>;

/** Copies rows of a table within it, in one statement, as anybody else would write them. */
export async function copyRows({ pool }: Db, table: string, copies: Copy[]): Promise<void> {
  await pool.query(
    `INSERT INTO "${table}" SELECT p.* FROM jsonb_array_elements($1::jsonb) e JOIN "${table}" t ON t.id = e->>'of',
       jsonb_populate_record(t, e - 'of') p`,
    [JSON.stringify(copies)],
  );
}

/**
 * Copies of an object, one for each of `changes`, which says by column what is its own beside the id; with the events
 * that led the first one to where it stands. Gives their ids, in order.
 */
export async function copyObject(
  db: Db,
  table: string,
  first: { id: string; version: number; createdAt: Date },
  changes: Record<string, unknown>[],
): Promise<string[]> {
  const { rows: events } = await db.pool.query<{ id: string; createdAt: Date; payload: string }>(
    `SELECT id, created_at AS "createdAt", payload FROM event
     WHERE object_id = $1 AND object_version <= $2 ORDER BY id`,
    [first.id, first.version],
  );
  const noun = getIdNoun(first.id) as IdNoun;
  const copies = changes.map((change) => ({ ...change, of: first.id, id: newId(noun, first.createdAt) }));
  await copyRows(db, table, copies);
  const eventCopies = copies.flatMap(({ id: object_id }) =>
    events.map(({ id: of, createdAt, payload }) => {
      const id = newEventId(createdAt);
      // A payload names its own event.
      return { of, id, object_id, payload: payload.replace(of, id) };
    }),
  );
  await copyRows(db, 'event', eventCopies);
  return copies.map(({ id }) => id);
}

/** A charge that completed at a time, worth so many US cents: a copy of one that was made the usual way. */
export async function copyCompletedCharge(
  service: Service,
  merchant: NewMerchant,
  options: {
    at: Date;
    cents: bigint | null;
    createdAt?: Date;
    mode?: 'live' | 'sandbox';
    status?: 'expired';
  },
): Promise<void> {
  const { at, cents, createdAt = at, mode = 'live', status = 'completed' } = options;
  const { prisma } = service;
  const found = await prisma.charge.findFirst({ where: { merchantId: merchant.merchant.id, mode } });
  const model = found ?? (await makeCharge(service, merchant, { mode, now: noon }));
  await prisma.charge.create({
    data: {
      ...model,
      id: newId('charge', createdAt),
      status,
      destination: model.destination as object,
      orders: model.orders as object[],
      usdAmount: cents,
      completedAt: at,
      createdAt,
    },
  });
}
