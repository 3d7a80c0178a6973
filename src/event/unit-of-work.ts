import type { Db, Tx } from '../kit/db.ts';
import { insertRows } from '../kit/insert-rows.ts';
import { retryDeadlocks } from '../kit/retry-deadlocks.ts';
import { type EventInput, toEventRow } from './event-row.ts';

/**
 * One transaction and everything that commits with it. It is the service with the transaction as its
 * `prisma`. Functions that read through a service therefore also read through a unit of work.
 */
export type UnitOfWork<S extends Db = Db> = S & {
  tx: Tx;
  /** Pending events. They are written in this order, in one statement, at the end of the work or before a savepoint. */
  events: EventInput[];
  /** Registers a function to call after the commit; a rollback discards it. */
  afterCommit: (callback: () => void) => void;
};

/**
 * Runs `work` in one transaction (read committed). State changes inside are compare-and-set or hold row
 * locks, so they need no higher isolation level. A deadlock is retried, so `work` may run more than once.
 * If `service` is a unit of work, `work` runs in a savepoint of its transaction.
 */
export function transact<S extends Db, T>(service: S, work: (uow: UnitOfWork<S>) => Promise<T>): Promise<T> {
  if (isUnitOfWork(service)) return withSavepoint(service, work);
  return retryDeadlocks(async () => {
    const callbacks: (() => void)[] = [];
    const result = await service.prisma.$transaction((tx) =>
      runWork(createUnitOfWork(service, tx, callbacks), work),
    );
    for (const callback of callbacks) callback();
    return result;
  });
}

/**
 * Runs `work` in a savepoint: if it throws, its changes, events and callbacks are discarded, but the
 * transaction continues.
 */
async function withSavepoint<S extends Db, T>(
  uow: UnitOfWork<S>,
  work: (part: UnitOfWork<S>) => Promise<T>,
): Promise<T> {
  const { tx } = uow;
  // Earlier events are written before the savepoint, so that they precede its events and survive its rollback.
  await writeEvents(uow);
  return retryDeadlocks(async () => {
    const callbacks: (() => void)[] = [];
    await tx.$executeRaw`SAVEPOINT part`;
    try {
      const result = await runWork(createUnitOfWork<S>(uow, tx, callbacks), work);
      await tx.$executeRaw`RELEASE SAVEPOINT part`;
      for (const callback of callbacks) uow.afterCommit(callback);
      return result;
    } catch (error) {
      await tx.$executeRaw`ROLLBACK TO SAVEPOINT part`;
      await tx.$executeRaw`RELEASE SAVEPOINT part`;
      throw error;
    }
  });
}

export function isUnitOfWork<S extends Db>(service: S): service is UnitOfWork<S> {
  return 'tx' in service;
}

function createUnitOfWork<S extends Db>(service: S, tx: Tx, callbacks: (() => void)[]): UnitOfWork<S> {
  const afterCommit = (callback: () => void) => {
    callbacks.push(callback);
  };
  return { ...service, prisma: tx as S['prisma'], tx, events: [], afterCommit };
}

async function runWork<S extends Db, T>(
  uow: UnitOfWork<S>,
  work: (uow: UnitOfWork<S>) => Promise<T>,
): Promise<T> {
  const result = await work(uow);
  await writeEvents(uow);
  return result;
}

async function writeEvents({ tx, events }: UnitOfWork): Promise<void> {
  await insertRows(tx, 'event', events.map(toEventRow));
  events.length = 0;
}
