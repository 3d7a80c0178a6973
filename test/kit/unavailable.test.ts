import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { closeDb, openDb } from '../../src/kit/db.ts';
import { isUnavailable } from '../../src/kit/unavailable.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { setupDatabase } from '../setup/database.ts';

const onCleanup = cleanupAfterFile();

const { db, connectionString } = await setupDatabase(onCleanup);

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (reason: unknown) => reason,
  );

/** By Prisma, by Prisma within a transaction, and by the driver alone. */
const ways = {
  Prisma: (sql: string) => db.prisma.$executeRawUnsafe(sql),
  'a transaction of Prisma': (sql: string) => db.prisma.$transaction((tx) => tx.$executeRawUnsafe(sql)),
  'the driver': (sql: string) => db.pool.query(sql),
};

test.each(Object.entries(ways))(
  'what PostgreSQL says of itself is told from what we did wrong, by %s',
  async (_, ask) => {
    const raise = (code: string) => `DO $$ BEGIN RAISE 'a fault' USING ERRCODE = '${code}'; END $$`;
    for (const code of ['53100', '53200', '53300', '57P01', '57P03', '58030', '25006', '08006']) {
      expect([code, isUnavailable(await failureOf(ask(raise(code))))]).toEqual([code, true]);
    }
    for (const code of ['22012', '23505', '40001', '42P01', '57014', 'P0001', 'XX000']) {
      expect([code, isUnavailable(await failureOf(ask(raise(code))))]).toEqual([code, false]);
    }
    expect(isUnavailable(await failureOf(ask('SELECT pg_terminate_backend(pg_backend_pid())')))).toBe(true);
  },
);

test('a server that resets, ends or refuses connections is away, whoever asks', async () => {
  const server = createServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const gone = openDb({
    connectionString: `postgresql://ada:secret@127.0.0.1:${port}/causeway`,
    poolSize: 2,
    onError: () => {},
  });
  onTestFinished(() => closeDb(gone));
  const failures = () =>
    Promise.all([
      failureOf(gone.prisma.$queryRaw`SELECT 1`),
      failureOf(gone.prisma.charge.count()),
      failureOf(gone.prisma.$transaction(async (tx) => tx.charge.count())),
      failureOf(gone.pool.query('SELECT 1')),
    ]);
  expect((await failures()).map(isUnavailable)).toEqual([true, true, true, true]);
  await new Promise((resolve) => server.close(resolve));
  expect((await failures()).map(isUnavailable)).toEqual([true, true, true, true]);
});

test('a connection whose server has gone silent is given up, and the pool goes on with others', async () => {
  const impatient = openDb({ connectionString, poolSize: 1, onError: () => {}, inactivityTimeoutMs: 200 });
  onTestFinished(() => closeDb(impatient));
  const asleep = impatient.pool.query('SELECT pg_sleep(20)');
  expect(isUnavailable(await failureOf(asleep))).toBe(true);
  const inTransaction = impatient.prisma.$transaction(async (tx) => tx.$queryRaw`SELECT pg_sleep(20)::text`);
  expect(isUnavailable(await failureOf(inTransaction))).toBe(true);
  expect(await impatient.prisma.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
});
