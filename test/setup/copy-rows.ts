import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { Db } from '../../src/kit/db.ts';
import { getIdType, type IdType, newEventId, newId } from '../../src/kit/id.ts';
import { noon, seedCharge } from './seed.ts';

/** The values of a copy of the row with the ID `of`, by column. */
type Copy = { of: string; id: string } & Record<string, unknown>;

export async function copyRows({ pool }: Db, table: string, copies: Copy[]): Promise<void> {
  await pool.query(
    `INSERT INTO "${table}" SELECT p.* FROM jsonb_array_elements($1::jsonb) e JOIN "${table}" t ON t.id = e->>'of',
       jsonb_populate_record(t, e - 'of') p`,
    [JSON.stringify(copies, (_name, value) => (typeof value === 'bigint' ? String(value) : value))],
  );
}

/**
 * Copies an object once for each of `changes` (values by column), together with its events up to its version.
 * Returns the IDs in order.
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
  const noun = getIdType(first.id) as IdType;
  const copies = changes.map((change) => ({ ...change, of: first.id, id: newId(noun, first.createdAt) }));
  await copyRows(db, table, copies);
  const eventCopies = copies.flatMap(({ id: object_id }) =>
    events.map(({ id: of, createdAt, payload }) => {
      const id = newEventId(createdAt);
      // The payload contains the event id.
      return { of, id, object_id, payload: payload.replace(of, id) };
    }),
  );
  await copyRows(db, 'event', eventCopies);
  return copies.map(({ id }) => id);
}

/** Creates a charge that was completed at `at`, worth `cents` US cents, as a copy of a regular charge. */
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
  const existing = await prisma.charge.findFirst({ where: { merchantId: merchant.merchant.id, mode } });
  const { metadata: _, ...template } = existing ?? (await seedCharge(service, merchant, { mode, now: noon }));
  await prisma.charge.create({
    data: {
      ...template,
      id: newId('charge', createdAt),
      status,
      destination: template.destination as object,
      orders: template.orders as object[],
      usdAmount: cents,
      completedAt: at,
      createdAt,
    },
  });
}
