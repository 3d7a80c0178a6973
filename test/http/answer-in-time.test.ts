import Fastify from 'fastify';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { enforceRequestTimeout } from '../../src/http/enforce-request-timeout.ts';
import { basicAuth } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** Whatever hangs, here a lock that another session holds: nobody waits for ever. */

const requestTimeoutMs = 800;
let running: TestApp;
let url = '';
let merchant: NewMerchant;

beforeAll(async () => {
  running = await setupApp(onCleanup, { requestTimeoutMs });
  merchant = await seedMerchant(running.context.service, {}, new Date());
  url = await running.app.listen({ port: 0, host: '127.0.0.1' });
});

/** While another session keeps everybody from these tables. */
async function whileHanging<T>(tables: string, work: () => Promise<T>): Promise<T> {
  const session = await running.context.service.pool.connect();
  await session.query(`BEGIN; LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
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
    headers: { authorization: basicAuth(merchant.keys.live), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const terms = { email: 'ada@example.com', merchantCurrency: 'HKD', method: 'fps' };
const made = { ...terms, merchantAmount: 25 };
const query = `mutation ($input: CreateChargeInput!) { createCharge(input: $input) {
  ... on CreateChargeSuccess { charge { id } } } }`;

test('a request whose work does not end in time is answered 503; the repeat with its key tells what became of it', async () => {
  const headers = { 'idempotency-key': 'order 7' };
  const refused = await whileHanging('charge', () => post('/charges', made, headers));
  expect(refused.status).toBe(503);
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  expect(await refused.json()).toMatchObject({ code: 'unavailable', status: 503 });
  const repeat = async () => (await post('/charges', made, headers)).status;
  await expect.poll(repeat).toBe(201);
  expect(await running.context.service.prisma.charge.count()).toBe(1);
});

test('unless told otherwise, nine seconds are given', async () => {
  const app = Fastify();
  enforceRequestTimeout(app);
  const begun = Promise.withResolvers<void>();
  app.get('/', () => {
    begun.resolve();
    return new Promise(() => {});
  });
  await app.ready();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const answer = app.inject('/');
  await begun.promise;
  vi.advanceTimersByTime(9_000);
  expect((await answer).json()).toMatchObject({ message: 'No response within 9 s; retry the request' });
});

test('by GraphQL as well', async () => {
  const variables = { input: { ...terms, merchantAmount: '30' } };
  const refused = await whileHanging('charge', () => post('/graphql', { query, variables }));
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'unavailable' } }] });
});

test('a page as well, in its own words', async () => {
  const key = merchant.keys.live.publishableKey;
  const address = `${url}/checkout?apiKey=${key}&amount=25&currency=HKD`;
  await expect.poll(async () => (await fetch(address)).status).toBe(200);
  const refused = await whileHanging('api_key, merchant', () => fetch(address));
  expect(refused.status).toBe(503);
  expect(refused.headers.get('content-type')).toContain('text/html');
});

test('neither a stream that waits for news, nor a file that is long in coming, is ended', async () => {
  const ended = new AbortController();
  onCleanup(() => ended.abort());
  const follow = () =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: basicAuth(merchant.keys.live),
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query: 'subscription { chargesUpdated { id } }' }),
      signal: ended.signal,
    });
  let stream = await follow();
  // A busy machine may take longer than is given here to begin it.
  while (stream.status === 503) stream = await follow();
  let sent = 0;
  const slowly = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, requestTimeoutMs / 2));
      sent++;
      controller.enqueue(new TextEncoder().encode('2026-11-17,25,hello\n'));
      if (sent === 4) controller.close();
    },
  });
  const uploaded = await fetch(`${url}/uploads`, {
    method: 'PUT',
    headers: { authorization: basicAuth(merchant.keys.live), 'content-type': 'text/csv' },
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
