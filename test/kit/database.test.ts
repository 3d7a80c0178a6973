import { createServer, type Server, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkDatabase } from '../../src/kit/check-database.ts';
import { closeDb, openDb } from '../../src/kit/db.ts';
import { migrate, readMigrations } from '../../src/kit/migrate.ts';
import { isUnavailable } from '../../src/kit/unavailable.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { withPgTransaction } from '../../src/kit/with-pg-transaction.ts';
import { createEmptyDatabase } from '../setup/database.ts';
import { serviceTest } from '../setup/fixtures.ts';
import type { ServiceOnDatabase } from '../setup/service.ts';
import { databaseUrl } from '../setup/template.ts';
import { getTestPostgres } from '../setup/test-postgres.ts';

/** Builds a message of PostgreSQL's protocol, version 3: a letter, the length, the parts. */
function buildMessage(letter: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(letter), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  return int32(value).subarray(2);
}

/** The messages after which a connection is open. */
const opened = Buffer.concat([buildMessage('R', int32(0)), buildMessage('Z', Buffer.from('I'))]);

async function listenLocally(onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function getServerUrl(server: Server): string {
  return `postgresql://ada:secret@127.0.0.1:${(server.address() as { port: number }).port}/causeway`;
}

describe('Check of DATABASE_URL', () => {
  /** Accepts any credentials, and responds to each query with the version. */
  function answerAs(version: string, socket: Socket): void {
    socket.once('data', () => {
      socket.write(opened);
      socket.on('data', (question) => {
        if (question[0] !== 'Q'.charCodeAt(0)) return;
        const column = [
          Buffer.from('server_version\0'),
          int32(0),
          int16(0),
          int32(25),
          int16(-1),
          int32(-1),
          int16(0),
        ];
        const row = buildMessage('D', int16(1), int32(version.length), Buffer.from(version));
        socket.write(
          Buffer.concat([
            buildMessage('T', int16(1), ...column),
            row,
            buildMessage('C', Buffer.from('SHOW\0')),
            buildMessage('Z', Buffer.from('I')),
          ]),
        );
      });
    });
  }

  async function startServer(version: string): Promise<string> {
    const server = await listenLocally((socket) => answerAs(version, socket));
    onTestFinished(() => void server.close());
    return getServerUrl(server);
  }

  test('rejects PostgreSQL before 14 with both versions, and accepts 14 and the version of the tests', async () => {
    await expect(
      checkDatabase('DATABASE_URL', await startServer('13.22 (Debian 13.22-0+deb11u1)')),
    ).rejects.toThrow(/^DATABASE_URL: PostgreSQL 13\.22 .* is too old: it must be 14 or later$/);
    await checkDatabase('DATABASE_URL', await startServer('14.1'));
    await checkDatabase('DATABASE_URL', (await getTestPostgres()).url);
  });

  test('distinguishes an unknown host from a missing database, without the password', async () => {
    const unknown = checkDatabase('DATABASE_URL', 'postgresql://ada:letmein@no-such-host.invalid/causeway');
    await expect(unknown).rejects.toThrow(
      /^DATABASE_URL: cannot reach PostgreSQL at no-such-host\.invalid \((?!.*letmein)/,
    );
    const missing = checkDatabase(
      'DATABASE_URL',
      databaseUrl((await getTestPostgres()).url, 'no_such_database'),
    );
    await expect(missing).rejects.toThrow(
      /^DATABASE_URL: the database does not exist on .*: create it first/,
    );
  });
});

describe('Migrations', () => {
  const query = (url: string, sql: string) =>
    withClient(url, async (client) => (await client.query({ text: sql, rowMode: 'array' })).rows.flat());

  const tablesSql = `SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`;

  test('A database of an older, unreleased chain of migrations is rejected in one line and not changed', async () => {
    const url = await createEmptyDatabase(onTestFinished);
    const older = {
      name: '20261120000000_init',
      sql: 'CREATE TABLE charge (id text); INSERT INTO charge VALUES (1)',
    };
    await migrate(url, [older]);
    const error: Error = await migrate(url).catch((reason) => reason);
    expect(error.message).toMatch(
      /^An unreleased older version .*20261120000000_init.*Create a new database, or restore a backup.*$/,
    );
    expect(await query(url, tablesSql)).toEqual(['_prisma_migrations', 'charge']);
    expect(await query(url, 'SELECT id FROM charge')).toEqual(['1']);
  });

  test('A database of an earlier edition of the baseline is rejected and not changed', async () => {
    const url = await createEmptyDatabase(onTestFinished);
    const [baseline] = await readMigrations();
    await migrate(url, [{ ...baseline!, sql: 'CREATE TABLE charge (id text)' }]);
    await expect(migrate(url)).rejects.toThrow(baseline!.name);
    expect(await query(url, tablesSql)).toEqual(['_prisma_migrations', 'charge']);
  });

  test('A database that a newer version has migrated is accepted', async () => {
    const url = await createEmptyDatabase(onTestFinished);
    const migrations = await readMigrations();
    const next = { name: '29990101000000_next', sql: 'ALTER TABLE charge ADD COLUMN channel text' };
    await migrate(url, [...migrations, next]);
    expect(await migrate(url)).toEqual([]);
  });
});

describe('withPgTransaction', () => {
  const test = serviceTest;

  test('A transaction whose work ignored a failed statement is rolled back and throws', async ({
    service,
  }) => {
    const work = withPgTransaction(service, async (tx) => {
      await tx.query('CREATE TABLE rolled_back (id int)');
      await tx.query('SELECT 1 / 0').catch(() => {});
      return 'done';
    });
    await expect(work).rejects.toThrow('rolled back because a statement failed');
    const { rows } = await service.pool.query("SELECT to_regclass('rolled_back') AS found");
    expect(rows).toEqual([{ found: null }]);
  });
});

describe('isUnavailable', () => {
  const test = serviceTest;

  const readFailure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'done',
      (reason: unknown) => reason,
    );

  /** Statements by Prisma, by Prisma within a transaction, and by the driver. */
  const senders: Record<string, (service: ServiceOnDatabase, sql: string) => Promise<unknown>> = {
    Prisma: ({ prisma }, sql) => prisma.$executeRawUnsafe(sql),
    'a transaction of Prisma': ({ prisma }, sql) => prisma.$transaction((tx) => tx.$executeRawUnsafe(sql)),
    'the driver': ({ pool }, sql) => pool.query(sql),
  };

  test.for(Object.entries(senders))(
    'distinguishes errors of the server from errors of statements by %s',
    async ([_, send], { service }) => {
      const raise = (code: string) => `DO $$ BEGIN RAISE 'an error' USING ERRCODE = '${code}'; END $$`;
      for (const code of ['53100', '53200', '53300', '57P01', '57P03', '58030', '25006', '08006']) {
        expect([code, isUnavailable(await readFailure(send(service, raise(code))))]).toEqual([code, true]);
      }
      for (const code of ['22012', '23505', '40001', '42P01', '57014', 'P0001', 'XX000']) {
        expect([code, isUnavailable(await readFailure(send(service, raise(code))))]).toEqual([code, false]);
      }
      expect(
        isUnavailable(await readFailure(send(service, 'SELECT pg_terminate_backend(pg_backend_pid())'))),
      ).toBe(true);
    },
  );

  test('is true when the server resets, ends or rejects connections', async () => {
    const server = await listenLocally((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    const gone = openDb({ connectionString: getServerUrl(server), poolSize: 2, onError: () => {} });
    onTestFinished(() => closeDb(gone));
    const failures = () =>
      Promise.all([
        readFailure(gone.prisma.$queryRaw`SELECT 1`),
        readFailure(gone.prisma.charge.count()),
        readFailure(gone.prisma.$transaction(async (tx) => tx.charge.count())),
        readFailure(gone.pool.query('SELECT 1')),
      ]);
    expect((await failures()).map(isUnavailable)).toEqual([true, true, true, true]);
    await new Promise((resolve) => server.close(resolve));
    expect((await failures()).map(isUnavailable)).toEqual([true, true, true, true]);
  });

  test('is true for a connection that the server ends as it opens, and the process continues', async () => {
    const error = ['SFATAL', 'C57P01', 'Mterminating connection due to administrator command', ''];
    const ended = buildMessage('E', Buffer.from(error.map((field) => `${field}\0`).join('')));
    const server = await listenLocally(
      (socket) => void socket.once('data', () => socket.end(Buffer.concat([opened, ended]))),
    );
    onTestFinished(() => void server.close());
    const ending = openDb({ connectionString: getServerUrl(server), poolSize: 2, onError: () => {} });
    onTestFinished(() => closeDb(ending));
    expect(isUnavailable(await readFailure(ending.pool.query('SELECT 1')))).toBe(true);
    expect(isUnavailable(await readFailure(ending.prisma.charge.count()))).toBe(true);
  });

  test('is true for a connection of a silent server, and the pool continues with others', async ({
    service,
  }) => {
    const impatient = openDb({
      connectionString: service.connectionString,
      poolSize: 1,
      onError: () => {},
      inactivityTimeoutMs: 200,
    });
    onTestFinished(() => closeDb(impatient));
    const asleep = impatient.pool.query('SELECT pg_sleep(20)');
    expect(isUnavailable(await readFailure(asleep))).toBe(true);
    const inTransaction = impatient.prisma.$transaction(
      async (tx) => tx.$queryRaw`SELECT pg_sleep(20)::text`,
    );
    expect(isUnavailable(await readFailure(inTransaction))).toBe(true);
    expect(await impatient.prisma.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  });
});
