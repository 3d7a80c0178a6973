import type { Socket } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../../prisma/client/client.ts';
import { applicationName } from './application-names.ts';
import { DatabaseClient } from './database-client.ts';
import { getStatementName } from './statement-names.ts';
import { createTracedPool } from './traced-pool.ts';
import type { Tracer } from './tracer.ts';

/** A transaction. Functions that take a `tx` never open a transaction themselves. */
export type Tx = Prisma.TransactionClient;

/** The database access of operations: Prisma, and the pool that it uses. */
export type Db = {
  prisma: PrismaClient;
  pool: pg.Pool;
  /**
   * Notifies all processes that an object changed; called after the commit. A lost notice delays updates but never
   * corrupts data. `openDb` returns a no-op, which the service replaces with its announcer.
   */
  announce: (notice: string) => void;
};

/** The maximum wait for a connection, and the maximum duration of a transaction. */
const defaultTimeouts = { connectionMs: 5_000, transactionMs: 10_000 };

/**
 * Opens the database. A connection without traffic for `inactivityTimeoutMs` is destroyed, and its pending query
 * rejects: a server that vanishes without closing its connections would otherwise block the pool for about 15 minutes.
 * Without `inactivityTimeoutMs`, statements have no time limit.
 */
export function openDb(options: {
  connectionString: string;
  poolSize: number;
  onError: (error: Error) => void;
  inactivityTimeoutMs?: number | undefined;
  timeouts?: typeof defaultTimeouts;
  /** The `application_name` of the connections; default `causeway`. */
  name?: string;
  /** Traces statements that run inside an active span. */
  tracer?: Tracer | undefined;
}): Db {
  const { inactivityTimeoutMs, tracer, timeouts = defaultTimeouts } = options;
  const settings = {
    connectionString: options.connectionString,
    max: options.poolSize,
    connectionTimeoutMillis: timeouts.connectionMs,
    application_name: options.name ?? applicationName,
  };
  const pool = tracer
    ? createTracedPool(settings, tracer)
    : new pg.Pool({ ...settings, Client: DatabaseClient });
  pool.on('error', options.onError);
  if (inactivityTimeoutMs !== undefined)
    pool.on('connect', (client) => destroyWhenInactive(client, inactivityTimeoutMs));
  const adapter = new PrismaPg(pool, {
    onPoolError: options.onError,
    // The adapter passes undefined on to the driver, which then does not prepare the statement. The type of the adapter
    // does not allow undefined.
    statementNameGenerator: ({ sql }) => getStatementName(sql) as string,
  });
  const transactionOptions = { maxWait: timeouts.connectionMs, timeout: timeouts.transactionMs };
  return { prisma: new PrismaClient({ adapter, transactionOptions }), pool, announce: () => {} };
}

/**
 * Destroys the socket of an inactive connection, so that the driver rejects pending queries ("Connection terminated").
 */
function destroyWhenInactive(client: pg.PoolClient, inactivityTimeoutMs: number): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setTimeout(inactivityTimeoutMs, () => stream.destroy());
}

export async function closeDb(db: Db): Promise<void> {
  await db.prisma.$disconnect();
  await db.pool.end();
}

/** Runs several reads, such as a page and its total count, in one snapshot. */
export function readBatch<Reads extends Prisma.PrismaPromise<unknown>[]>(
  db: Pick<Db, 'prisma'>,
  reads: [...Reads],
): Promise<{ [Index in keyof Reads]: Awaited<Reads[Index]> }> {
  return db.prisma.$transaction(reads, { isolationLevel: 'RepeatableRead' }) as Promise<{
    [Index in keyof Reads]: Awaited<Reads[Index]>;
  }>;
}
