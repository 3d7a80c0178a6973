import { beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { closeDb, openDb } from '../../src/kit/db.ts';
import { isUnavailable } from '../../src/kit/unavailable.ts';
import { basic } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { atEnd } from '../setup/at-end.ts';
import { makeMerchant } from '../setup/makers.ts';

/** Whatever hangs, here a lock that another session holds: nobody waits for ever. */

const answerMsMax = 800;
let running: TestApp;
let url = '';
let merchant: NewMerchant;

beforeAll(async () => {
  running = await testApp({ answerMsMax });
  merchant = await makeMerchant(running.context.service, {}, new Date());
  url = await running.app.listen({ port: 0, host: '127.0.0.1' });
});

/** While another session keeps everybody from the charges. */
async function whileHanging<T>(work: () => Promise<T>): Promise<T> {
  const session = await running.context.service.pool.connect();
  await session.query('BEGIN; LOCK TABLE charge IN ACCESS EXCLUSIVE MODE');
  try {
    return await work();
  } finally {
    await session.query('ROLLBACK');
    session.release();
  }
}

const post = (path: string, body: object, headers = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: basic(merchant.keys.live), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const terms = { email: 'ada@example.com', merchantCurrency: 'HKD', method: 'fps' };
const made = { ...terms, merchantAmount: 25 };
const query = `mutation ($input: CreateChargeInput!) { createCharge(input: $input) {
  ... on CreateChargeSuccess { charge { id } } } }`;

test('a request whose work does not end in time is answered 503; the repeat with its key tells what became of it', async () => {
  const headers = { 'idempotency-key': 'order 7' };
  const refused = await whileHanging(() => post('/charges', made, headers));
  expect(refused.status).toBe(503);
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  expect(await refused.json()).toMatchObject({ code: 'unavailable', status: 503 });
  const repeat = async () => (await post('/charges', made, headers)).status;
  await expect.poll(repeat).toBe(201);
  expect(await running.context.service.prisma.charge.count()).toBe(1);
});

test('by GraphQL as well', async () => {
  const variables = { input: { ...terms, merchantAmount: '30' } };
  const refused = await whileHanging(() => post('/graphql', { query, variables }));
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'unavailable' } }] });
});

test('a page as well, in its own words', async () => {
  const key = merchant.keys.live.publishableKey;
  const address = `${url}/checkout?apiKey=${key}&amount=25&currency=HKD`;
  await expect.poll(async () => (await fetch(address)).status).toBe(200);
  const session = await running.context.service.pool.connect();
  await session.query('BEGIN; LOCK TABLE api_key, merchant IN ACCESS EXCLUSIVE MODE');
  const refused = await fetch(address);
  await session.query('ROLLBACK');
  session.release();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('content-type')).toContain('text/html');
});

test('neither a stream that waits for news, nor a file that is long in coming, is ended', async () => {
  const ended = new AbortController();
  atEnd(() => ended.abort());
  const follow = () =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: basic(merchant.keys.live),
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query: 'subscription { chargesUpdated { id } }' }),
      signal: ended.signal,
    });
  let stream = await follow();
  // A busy machine may take longer than is given here to begin it.
  while (stream.status === 503) stream = await follow();
  const slowly = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, answerMsMax / 2));
      sent++;
      controller.enqueue(new TextEncoder().encode('2026-11-17,25,hello\n'));
      if (sent === 4) controller.close();
    },
  });
  let sent = 0;
  const uploaded = await fetch(`${url}/uploads`, {
    method: 'PUT',
    headers: { authorization: basic(merchant.keys.live), 'content-type': 'text/csv' },
    body: slowly,
    duplex: 'half',
  } as RequestInit);
  expect(uploaded.status).toBe(200);
  let id = '';
  const make = async () => {
    const charge = await post('/charges', { ...made, notifyPayload: 'news' });
    ({ id = '' } = (await charge.json()) as { id?: string });
    return id;
  };
  await expect.poll(make).toMatch(/^ch_/);
  let told = '';
  for await (const part of stream.body as unknown as AsyncIterable<Uint8Array>) {
    told += new TextDecoder().decode(part);
    if (told.includes(id)) break;
  }
  expect(told).toContain(id);
});

test('a connection whose server has gone silent is given up, and the pool goes on with others', async () => {
  const db = openDb({
    connectionString: running.connectionString,
    poolSize: 1,
    onError: () => {},
    silenceMsMax: 200,
  });
  const error = await db.pool.query('SELECT pg_sleep(20)').catch((reason: unknown) => reason);
  expect(isUnavailable(error)).toBe(true);
  const inTransaction = await db.prisma
    .$transaction(async (tx) => tx.$queryRaw`SELECT pg_sleep(20)::text`)
    .catch((reason: unknown) => reason);
  expect(isUnavailable(inTransaction)).toBe(true);
  expect((await db.prisma.$queryRaw`SELECT 1 AS one`) as unknown).toEqual([{ one: 1 }]);
  await closeDb(db);
});
