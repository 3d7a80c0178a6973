import type { Socket } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../../prisma/client/client.ts';
import { applicationName } from './application-names.ts';
import { getStatementName } from './statement-names.ts';
import { createTracedPool } from './traced-pool.ts';
import type { Tracer } from './tracer.ts';

/** Inside a transaction. Helpers that take a `tx` never open their own. */
export type Tx = Prisma.TransactionClient;

/** What operations work on: Prisma and the pool beneath it. */
export type Db = {
  prisma: PrismaClient;
  pool: pg.Pool;
  /** Tells the other processes, after commit, that an object changed. A hint: losing it costs delay, never truth. */
  announce: (notice: string) => void;
};

/** Milliseconds that whoever wants a connection waits for one, and that a transaction may take. */
const defaultTimeouts = { connectionMs: 5_000, transactionMs: 10_000 };

/**
 * Opens the database. A connection over which nothing came or went for `silenceMsMax` is given up, with whatever waits
 * for its answer: a server that vanished without a word (its machine gone, the network cut) else keeps the pool's
 * connections for a quarter of an hour. Left out: a statement may take as long as it likes.
 */
export function openDb(options: {
  connectionString: string;
  poolSize: number;
  onError: (error: Error) => void;
  inactivityTimeoutMs?: number;
  timeouts?: typeof defaultTimeouts;
  /** What its connections are called. */
  name?: string;
  /** Told of statements that belong to something it is told of. */
  tracer?: Tracer | undefined;
}): Db {
  const { inactivityTimeoutMs, tracer, timeouts = defaultTimeouts } = options;
  const settings = {
    connectionString: options.connectionString,
    max: options.poolSize,
    connectionTimeoutMillis: timeouts.connectionMs,
    application_name: options.name ?? applicationName,
  };
  const pool = tracer ? createTracedPool(settings, tracer) : new pg.Pool(settings);
  pool.on('error', options.onError);
  // A connection that breaks while it is lent out, between two statements, tells only its own listeners.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    if (inactivityTimeoutMs !== undefined) destroyWhenInactive(client, inactivityTimeoutMs);
  });
  const adapter = new PrismaPg(pool, {
    onPoolError: options.onError,
    // The adapter passes undefined on to the driver, which then prepares nothing; its type does not say so.
    statementNameGenerator: ({ sql }) => getStatementName(sql) as string,
  });
  const transactionOptions = { maxWait: timeouts.connectionMs, timeout: timeouts.transactionMs };
  return { prisma: new PrismaClient({ adapter, transactionOptions }), pool, announce: () => {} };
}

/** The driver then tells whoever waits that the connection terminated. */
function destroyWhenInactive(client: pg.PoolClient, inactivityTimeoutMs: number): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setTimeout(inactivityTimeoutMs, () => stream.destroy());
}

export async function closeDb(db: Db): Promise<void> {
  await db.prisma.$disconnect();
  await db.pool.end();
}

/** Reads that belong together, such as a page and its total: all see the same moment. */
export function readBatch<Reads extends Prisma.PrismaPromise<unknown>[]>(
  db: Pick<Db, 'prisma'>,
  reads: [...Reads],
): Promise<{ [Index in keyof Reads]: Awaited<Reads[Index]> }> {
  return db.prisma.$transaction(reads, { isolationLevel: 'RepeatableRead' }) as Promise<{
    [Index in keyof Reads]: Awaited<Reads[Index]>;
  }>;
}
