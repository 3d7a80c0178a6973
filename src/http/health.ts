import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../context.ts';
import { getMigrationNames } from '../kit/migrate.ts';
import { withTimeout } from '../kit/with-timeout.ts';

/** A database that takes longer than this is not ready for work. */
const readinessMsMax = 2_000;

/**
 * `/healthz`: the process answers. `/readyz`: it can do work, which takes the database, which takes changes and whose
 * schema is not behind its own, and the current data key, and it is not about to stop. Yes or no, no details.
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

/** Other processes may have brought the schema further: they only ever add. */
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
