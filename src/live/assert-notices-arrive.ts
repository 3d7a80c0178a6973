import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { formatNotice, noticeChannel } from '../event/notice.ts';
import { timedOut, withTimeout } from '../kit/with-timeout.ts';
import type { Hub } from './hub.ts';

const arrivalMsMax = 5_000;

/**
 * Throws if a notice that is sent through the pool does not reach the hub. A connection pooler in transaction
 * mode accepts LISTEN but delivers nothing, and every open page and cache would silently miss the changes of
 * other processes.
 */
export async function assertNoticesArrive(
  pool: Pick<Pool, 'query'>,
  hub: Hub,
  { timeoutMs = arrivalMsMax } = {},
): Promise<void> {
  const objectId = `listen-check-${randomUUID()}`;
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  // After a reconnect of the listener, the hub calls without a notice, which proves nothing.
  const unsubscribe = hub.subscribe(objectId, (notice) => notice && resolve());
  try {
    const notice = formatNotice({ objectId, merchantId: 'none', mode: 'live' });
    await pool.query('SELECT pg_notify($1, $2)', [noticeChannel, notice]);
    if ((await withTimeout(timeoutMs, arrived)) !== timedOut) return;
  } finally {
    unsubscribe();
  }
  throw new Error(
    'DATABASE_DIRECT_URL: notifications sent through DATABASE_URL do not arrive at the LISTEN connection. ' +
      'If DATABASE_URL is a connection pooler such as PgBouncer, set DATABASE_DIRECT_URL to the PostgreSQL server behind it.',
  );
}
