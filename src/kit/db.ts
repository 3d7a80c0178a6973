import type { Socket } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../../prisma/client/client.ts';
import { ourConnections } from './connection-names.ts';
import { hasSqlState, sqlStates } from './sql-state.ts';
import { statementNames } from './statement-names.ts';
import { tracedPool } from './traced-pool.ts';
import type { Tracer } from './tracer.ts';

/** Inside a transaction. Helpers that take a `tx` never open their own. */
export type Tx = Prisma.TransactionClient;

/** What operations work on: Prisma, the pool beneath it, and what must happen around each transaction. */
export type Db = {
  prisma: PrismaClient;
  pool: pg.Pool;
  /** Set where `prisma` is a transaction: for what must be written whatever becomes of that. */
  apart?: PrismaClient;
  /** Tells the other processes, after commit, that an object changed. A hint: losing it costs delay, never truth. */
  announce: (notice: string) => void;
  /** Run after the work of every transaction, or part of one, and within it: what is written down of every change. */
  afterWork?: (tx: Tx, result: unknown) => Promise<void>;
  /** Run first and last in every transaction: where the edge asks for and keeps the answer to an idempotency key. */
  beforeWork?: (tx: Tx) => Promise<void>;
  beforeCommit?: (tx: Tx, result: unknown) => Promise<void>;
  /** The same for work that is one statement: whose turn it takes, and the row that keeps the answer to its result. */
  once?: { scope: string; keptRow: (result: unknown) => Promise<object> };
};

/** Milliseconds that whoever wants a connection waits for one, and that a transaction may take. */
const usualWaits = { connectionMs: 5_000, transactionMs: 10_000 };

/**
 * Opens the database. A connection over which nothing came or went for `silenceMsMax` is given up, with whatever waits
 * for its answer: a server that vanished without a word (its machine gone, the network cut) else keeps the pool's
 * connections for a quarter of an hour. Left out: a statement may take as long as it likes.
 */
export function openDb(options: {
  connectionString: string;
  poolSize: number;
  onError: (error: Error) => void;
  silenceMsMax?: number;
  waits?: typeof usualWaits;
  /** What its connections are called. */
  name?: string;
  /** Told of statements that belong to something it is told of. */
  tracer?: Tracer | undefined;
}): Db {
  const { silenceMsMax, tracer, waits = usualWaits } = options;
  const settings = {
    connectionString: options.connectionString,
    max: options.poolSize,
    connectionTimeoutMillis: waits.connectionMs,
    application_name: options.name ?? ourConnections,
  };
  const pool = tracer ? tracedPool(settings, tracer) : new pg.Pool(settings);
  pool.on('error', options.onError);
  // A connection that breaks while it is lent out, between two statements, tells only its own listeners.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    if (silenceMsMax !== undefined) giveUpWhenSilent(client, silenceMsMax);
  });
  const adapter = new PrismaPg(pool, {
    onPoolError: options.onError,
    statementNameGenerator: statementNames('prisma'),
  });
  const transactionOptions = { maxWait: waits.connectionMs, timeout: waits.transactionMs };
  return { prisma: new PrismaClient({ adapter, transactionOptions }), pool, announce: () => {} };
}

/** The driver then tells whoever waits that the connection terminated. */
function giveUpWhenSilent(client: pg.PoolClient, silenceMsMax: number): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setTimeout(silenceMsMax, () => stream.destroy());
}

export async function closeDb(db: Db): Promise<void> {
  await db.prisma.$disconnect();
  await db.pool.end();
}

/** Reads that belong together, such as a page and its total: all see the same moment. */
export function readTogether<Reads extends Prisma.PrismaPromise<unknown>[]>(
  db: Pick<Db, 'prisma'>,
  reads: [...Reads],
): Promise<{ [Index in keyof Reads]: Awaited<Reads[Index]> }> {
  return db.prisma.$transaction(reads, { isolationLevel: 'RepeatableRead' }) as Promise<{
    [Index in keyof Reads]: Awaited<Reads[Index]>;
  }>;
}

const afterCommitCalls = new WeakMap<Tx, ((db: Db) => void)[]>();
const databases = new WeakMap<Tx, Db>();

export const deadlockTriesMax = 3;

/**
 * One transaction (read committed): all of `work` or nothing of it. State changes inside are compare-and-set or hold
 * row locks, so the isolation level need not save them. After a deadlock it is done again, so `work` may run twice.
 * Given a `db` whose Prisma is a transaction already, the work is a part of that one: all of the part or nothing.
 */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const isPart = isInTransaction(db);
  for (let tries = 1; ; tries++) {
    try {
      return await (isPart ? transactPart(db, work) : transactOnce(db, work));
    } catch (error) {
      if (tries >= deadlockTriesMax || !hasSqlState(error, sqlStates.deadlockDetected)) throw error;
    }
  }
}

async function transactOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const calls: ((db: Db) => void)[] = [];
  const result = await db.prisma.$transaction(async (tx) => {
    afterCommitCalls.set(tx, calls);
    databases.set(tx, db);
    await db.beforeWork?.(tx);
    const value = await work(tx);
    await db.afterWork?.(tx, value);
    await db.beforeCommit?.(tx, value);
    return value;
  });
  for (const call of calls) call(db);
  return result;
}

async function transactPart<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx: Tx = db.prisma;
  const calls = afterCommitCalls.get(tx) ?? [];
  const callsBefore = calls.length;
  await tx.$executeRaw`SAVEPOINT part`;
  try {
    const value = await work(tx);
    await db.afterWork?.(tx, value);
    await tx.$executeRaw`RELEASE SAVEPOINT part`;
    return value;
  } catch (error) {
    calls.length = callsBefore;
    await tx.$executeRaw`ROLLBACK TO SAVEPOINT part`;
    await tx.$executeRaw`RELEASE SAVEPOINT part`;
    throw error;
  }
}

/** Whether what is done through this `db` is part of a transaction. */
export function isInTransaction(db: Db): boolean {
  return afterCommitCalls.has(db.prisma);
}

/** The same in a transaction of its own: what is done through it is part of that. */
export function within<D extends Db>(db: D, tx: Tx): D {
  return { ...db, prisma: tx as D['prisma'], apart: db.apart ?? db.prisma };
}

/** Registers what to do once the transaction has committed; dropped when it rolls back. */
export function afterCommit(tx: Tx, call: (db: Db) => void): void {
  const calls = afterCommitCalls.get(tx);
  if (!calls) throw new Error('afterCommit needs the tx of transact()');
  calls.push(call);
}

/** What `transact` was given for this transaction. */
export function dbOf(tx: Tx): Db {
  const db = databases.get(tx);
  if (!db) throw new Error('dbOf needs the tx of transact()');
  return db;
}
