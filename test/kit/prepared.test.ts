import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryPrepared } from '../../src/kit/prepared.ts';
import { testDatabase } from '../setup/database.ts';

/** Statements past Prisma: what they give is what the driver's own give. */

let pool: pg.Pool;
let client: pg.PoolClient;
/** How often PostgreSQL told the columns of a statement on the connection. */
let descriptions = 0;

beforeAll(async () => {
  const { connectionString } = await testDatabase();
  pool = new pg.Pool({ connectionString });
  client = await pool.connect();
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  connection.on('rowDescription', () => descriptions++);
});

afterAll(async () => {
  client.release();
  await pool.end();
});

test('values go in and rows come out as with the driver, the first time and later', async () => {
  const text = `
    SELECT n, $1::text AS "aText", $2::bigint AS "anAmount", $3::numeric AS "aRate", $4::timestamptz AS "aTime",
      $5::boolean AS "isSo", $6::jsonb AS "anObject", $7::text[] AS words, $8::bytea AS bytes, $9::text AS nothing,
      ARRAY[1, n]::int[] AS numbers, 'live'::text AS mode
    FROM generate_series(1, $10::int) n`;
  const given = (rows: number): unknown[] => [
    `Chan Tai Man 陳大文 ${'long '.repeat(500)}“quoted” \\ '' \t`,
    9_007_199_254_740_993n,
    '1.250000000000000001',
    new Date('2026-11-21T09:30:00.123Z'),
    true,
    { word: 'tea', list: [1, null, 'x'] },
    ['a "b"', 'c\\d', '', 'NULL', 'é'],
    Buffer.from([0, 1, 254, 255]),
    null,
    rows,
  ];
  for (const rows of [1, 3, 0, 2]) {
    const { rows: own } = await client.query(text, given(rows));
    expect(await queryPrepared(client, text, given(rows))).toEqual(own);
    expect(own).toHaveLength(rows);
  }
});

test('times are those given, in whatever year', async () => {
  const text = 'SELECT $1::timestamptz AS at';
  const years = ['-000043-03-15', '0079-08-24', '1969-12-31', '1970-01-01', '9999-12-31', '+012026-01-01'];
  for (const day of years) {
    const at = new Date(`${day}T23:59:59.999Z`);
    const [row] = await queryPrepared<{ at: Date }>(client, text, [at]);
    expect(row!.at).toEqual(at);
  }
});

test('PostgreSQL is asked once a connection what the columns are', async () => {
  const ask = (n: number) => queryPrepared(client, 'SELECT $1::int AS once, now() AS "aTime"', [n]);
  const before = descriptions;
  expect(await ask(1)).toEqual([{ once: 1, aTime: expect.any(Date) }]);
  expect(await ask(2)).toEqual([{ once: 2, aTime: expect.any(Date) }]);
  expect(descriptions - before).toBe(1);
  // Nor does one connection know of another's.
  const other = await pool.connect();
  expect(await queryPrepared(other, 'SELECT $1::int AS once, now() AS "aTime"', [3])).toHaveLength(1);
  other.release();
  expect(await queryPrepared(pool, 'SELECT $1::int AS once, now() AS "aTime"', [4])).toHaveLength(1);
});

test('a refusal of PostgreSQL is told, before the statement is prepared and after, and the connection goes on', async () => {
  const divide = (by: number) => queryPrepared(client, 'SELECT 6 / $1::int AS share', [by]);
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
  expect(await divide(3)).toEqual([{ share: 2 }]);
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
  expect(await divide(2)).toEqual([{ share: 3 }]);
  await expect(queryPrepared(client, 'SELECT nothing', [])).rejects.toMatchObject({ code: '42703' });
  await expect(queryPrepared(client, 'SELECT nothing', [])).rejects.toMatchObject({ code: '42703' });
  expect(await divide(1)).toEqual([{ share: 6 }]);
});

test('a value that cannot be read fails its statement alone', async () => {
  const charOid = 18;
  const reader = pg.types.getTypeParser(charOid);
  pg.types.setTypeParser(charOid, () => {
    throw new Error('no such letter');
  });
  try {
    const text = `SELECT 'x'::"char" AS letter FROM generate_series(1, $1::int)`;
    await expect(queryPrepared(client, text, [2])).rejects.toThrow('no such letter');
    expect(await queryPrepared(client, text, [0])).toEqual([]);
  } finally {
    pg.types.setTypeParser(charOid, reader);
  }
});

test('what writes without giving rows gives none', async () => {
  await client.query('CREATE TEMPORARY TABLE scratch (word text)');
  const write = () => queryPrepared(client, 'INSERT INTO scratch VALUES ($1)', ['tea']);
  expect([await write(), await write()]).toEqual([[], []]);
  expect((await client.query('SELECT count(*)::int FROM scratch')).rows).toEqual([{ count: 2 }]);
});

test('whoever waits on a connection that breaks is told', async () => {
  const broken = await pool.connect();
  broken.on('error', () => {});
  const waiting = queryPrepared(broken, 'SELECT pg_sleep($1), pg_backend_pid()', [20]);
  const told = expect(waiting).rejects.toMatchObject({ code: '57P01' });
  const { processID } = broken as unknown as { processID: number };
  await client.query('SELECT pg_terminate_backend($1)', [processID]);
  await told;
  broken.release(true);
});
