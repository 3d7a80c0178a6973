import { newId } from '../../src/kit/id.ts';
import { count } from './counts.ts';
import { everyNoun } from './every-noun.ts';
import { fillTables } from './fill-tables.ts';
import { type GraphqlApp, graphqlApp } from './graphql.ts';

/**
 * An application whose tables that grow are large, with rows of eleven merchants, and the ids by noun of what its test
 * merchant has.
 */
export async function largeTables(): Promise<{ app: GraphqlApp; ids: Record<string, string> }> {
  const app = await graphqlApp();
  const { service, clock } = app.context;
  const { pool, prisma } = service;
  const ids = (await everyNoun(app)) as Record<string, string>;
  const { id } = app.merchant.merchant;
  await pool.query(
    `INSERT INTO idempotency_key
     SELECT $1, 'live', 'key', 'fingerprint', 201, 'encrypted', now(), now() + interval '1 day'`,
    [id],
  );
  await pool.query(
    `INSERT INTO phone_verification (merchant_id, mode, phone, code_hash, expires_at, created_at)
     SELECT $1, 'live', '+85251234567', 'hash', now(), now()`,
    [id],
  );
  const others = Array.from({ length: 10 }, () => newId('merchant', clock.now()));
  const { eventId } = await prisma.notification.findUniqueOrThrow({ where: { id: ids.notification! } });
  const { receivingAccount: _account, webhook: _webhook, plan: _plan, user: _user, ...grow } = ids;
  await fillTables(pool, {
    // Old versions of PostgreSQL look fifty rows up by an index only where the table is larger.
    rows: count(process.env.TEST_POSTGRES ? 20_000 : 8_000, 1_000_000),
    merchants: [id, ...others],
    models: [...Object.values(grow), eventId],
  });
  // That one was put there by hand; the job has nothing to build.
  await pool.query("UPDATE export SET status = 'completed'");
  return { app, ids };
}

/** Milliseconds that this may take. */
export const largeTablesMs = count(60_000, 3_600_000);
