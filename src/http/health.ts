import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../context.ts';
import { getMigrationNames } from '../kit/migrate.ts';
import { withTimeout } from '../kit/with-timeout.ts';

/** The time after which a database that does not respond is reported as not ready. */
const readinessMsMax = 2_000;

/**
 * `/healthz` reports that the process responds. `/readyz` reports that it can process requests: it is not
 * stopping, holds the current data key, and the database is writable with all migrations of this version.
 * Neither reveals details.
 */
export function registerHealthRoutes(app: FastifyInstance, { service, stopSignal }: Context): void {
  app.get('/healthz', { schema: { hide: true } }, async (_request, reply) => sendStatus(reply, true));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) =>
    sendStatus(reply, !stopSignal?.aborted && (await isReady(service))),
  );
}

function sendStatus(reply: FastifyReply, ok: boolean): FastifyReply {
  return reply.code(ok ? 200 : 503).send({ ok });
}

/** Ignores migrations of newer versions, which other processes may have applied, because migrations only add. */
async function isReady({ pool, secrets }: Context['service']): Promise<boolean> {
  const names = await getMigrationNames();
  const readiness = pool
    .query<{ count: string; data_key: string | null; reads_only: boolean }>(
      `SELECT count(DISTINCT migration_name), (SELECT id FROM data_key WHERE activated_at IS NOT NULL AND retired_at IS NULL) AS data_key,
         current_setting('transaction_read_only')::boolean AS reads_only
       FROM _prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL AND migration_name = ANY ($1)`,
      [names],
    )
    .then(
      ({ rows: [row] }) =>
        Number(row?.count) === names.length &&
        row?.reads_only === false &&
        (row.data_key === null || secrets.hasDataKey(row.data_key)),
      () => false,
    );
  return (await withTimeout(readinessMsMax, readiness)) === true;
}
