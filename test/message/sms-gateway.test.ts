import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Service } from '../../src/domain/platform/service.ts';
import { newDataKey, openKeyring } from '../../src/kit/secrets.ts';
import { smsSigningKeys } from '../../src/message/sms-sender.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { readMessage, seedSms, sendDueMessages } from '../setup/messages.ts';
import { drip, floodResponse, neverRespond, respondWith, startReceiver } from '../setup/receiver.ts';
import { setupService, testDataKey } from '../setup/service.ts';
import { createTempDir } from '../setup/temp-dir.ts';

const onCleanup = cleanupAfterFile();

/** SMS by a gateway: the posts of docs/operations/mail-and-sms.md, against a real HTTP server. */

let service: Service;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

beforeEach(async () => {
  await service.prisma.message.deleteMany();
});

test('the gateway is posted the number and the text, signed as documented, with an id that stays', async () => {
  await using gateway = await startReceiver(respondWith(202));
  const id = await seedSms(service, { to: '+85251234567', content: { text: 'รหัส 123456' } });
  const url = new URL('/sms?from=shop', gateway.url);
  url.username = 'me';
  url.password = 'p@:ss';
  await sendDueMessages(service, 'sms', { smsUrl: url.href });
  const [request] = gateway.requests;
  expect(request).toMatchObject({ method: 'POST', path: '/sms?from=shop' });
  expect(JSON.parse(request!.body)).toEqual({ to: '+85251234567', text: 'รหัส 123456' });
  const { headers, body } = request!;
  expect(headers['idempotency-key']).toBe(id);
  expect(headers.authorization).toBe(`Basic ${Buffer.from('me:p@:ss').toString('base64')}`);
  const timestamp = headers['causeway-timestamp'] as string;
  expect(Math.abs(Date.now() / 1_000 - Number(timestamp))).toBeLessThan(60);
  const [key] = smsSigningKeys(service.secrets);
  const expected = createHmac('sha256', key!).update(`${timestamp}.${body}`).digest('hex');
  expect(headers['causeway-signature']).toBe(`v1=${expected}`);
  expect(await readMessage(service, id)).toMatchObject({ status: 'sent', contentEncrypted: null });
});

test.each([
  [200, 'sent', null],
  [299, 'sent', null],
  [302, 'pending', 'the SMS gateway answered 302'],
  [400, 'failed', 'the SMS gateway answered 400'],
  [401, 'pending', 'the SMS gateway answered 401'],
  [404, 'pending', 'the SMS gateway answered 404'],
  [422, 'failed', 'the SMS gateway answered 422'],
  [500, 'pending', 'the SMS gateway answered 500'],
])('an answer of %i makes it %s', async (answer, status, lastError) => {
  await using gateway = await startReceiver(respondWith(answer, { location: '/elsewhere' }));
  const id = await seedSms(service);
  await sendDueMessages(service, 'sms', { smsUrl: gateway.url });
  expect(await readMessage(service, id)).toMatchObject({ status, lastError, attemptCount: 1 });
  expect(gateway.requests).toHaveLength(1);
});

test('Retry-After is honoured', async () => {
  await using gateway = await startReceiver(respondWith(429, { 'retry-after': '600' }));
  const clock = createFakeClock(new Date());
  const id = await seedSms(service, { now: clock.now() });
  await sendDueMessages(service, 'sms', { smsUrl: gateway.url }, { clock });
  const { nextAttemptAt } = await readMessage(service, id);
  expect(nextAttemptAt!.getTime() - clock.now().getTime()).toBe(600_000);
});

test('a code that cannot be sent before it expires is given up, not sent late', async () => {
  await using gateway = await startReceiver(respondWith(503, { 'retry-after': '600' }));
  const now = new Date();
  const id = await seedSms(service, { now, expiresAt: new Date(now.getTime() + 300_000) });
  await sendDueMessages(service, 'sms', { smsUrl: gateway.url });
  expect(await readMessage(service, id)).toMatchObject({ status: 'failed', contentEncrypted: null });
});

test.each([
  ['never answers', neverRespond(), 'pending', 'timed out'],
  ['drips', drip(), 'pending', 'timed out'],
  ['never ends', floodResponse(), 'sent', null],
] as const)('a gateway that %s takes no more than its time', async (_, handler, status, lastError) => {
  await using gateway = await startReceiver(handler);
  const id = await seedSms(service);
  await sendDueMessages(service, 'sms', { smsUrl: gateway.url }, { timeoutMs: 300 });
  expect(await readMessage(service, id)).toMatchObject({ status, lastError });
});

test('a gateway that is down gets the repeat under the same id', async () => {
  const gone = await startReceiver();
  await gone.stop();
  const id = await seedSms(service);
  await sendDueMessages(service, 'sms', { smsUrl: gone.url });
  const { lastError, nextAttemptAt } = await readMessage(service, id);
  expect(lastError).toBe('the connection was refused');
  await using back = await startReceiver();
  await sendDueMessages(service, 'sms', { smsUrl: back.url }, { clock: createFakeClock(nextAttemptAt!) });
  expect(back.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([id]);
});

test('two workers share fifty without sending one twice', async () => {
  await using gateway = await startReceiver();
  const ids = await Promise.all(
    Array.from({ length: 50 }, (_, n) => seedSms(service, { to: `+852512300${10 + n}` })),
  );
  const settings = { smsUrl: gateway.url };
  await Promise.all([sendDueMessages(service, 'sms', settings), sendDueMessages(service, 'sms', settings)]);
  expect(gateway.requests.map(({ headers }) => headers['idempotency-key']).sort()).toEqual(ids.sort());
});

test('SMS of the sandbox never reach the gateway', async () => {
  await using gateway = await startReceiver();
  const id = await seedSms(service, { mode: 'sandbox' });
  await sendDueMessages(service, 'sms', { smsUrl: gateway.url });
  expect(gateway.requests).toHaveLength(0);
  expect((await readMessage(service, id)).status).toBe('captured');
});

test('the signing key is one of 64 hexadecimal digits while there is one data key', () => {
  expect(smsSigningKeys(service.secrets)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test('the verification of docs/operations/mail-and-sms.md takes what the service signs, and nothing else', async () => {
  const docs = readFileSync(new URL('../../docs/operations/mail-and-sms.md', import.meta.url), 'utf8');
  const snippet = /```js\n([^`]*isFromCauseway[^`]*(?:`[^`]+`[^`]*)*?)```/.exec(docs)![1]!;
  const file = join(await createTempDir(onTestFinished), 'verify.mjs');
  await writeFile(file, `${snippet}\nexport { isFromCauseway };`);
  const { isFromCauseway } = await import(pathToFileURL(file).href);
  await using gateway = await startReceiver();
  await seedSms(service);
  await sendDueMessages(service, 'sms', { smsUrl: gateway.url });
  const { headers, body } = gateway.requests[0]!;
  const [key] = smsSigningKeys(service.secrets);
  expect(isFromCauseway(headers, body, key)).toBe(true);
  expect(isFromCauseway(headers, `${body} `, key)).toBe(false);
  expect(isFromCauseway(headers, body, 'another key')).toBe(false);
  expect(isFromCauseway({ ...headers, 'causeway-timestamp': '1763380800' }, body, key)).toBe(false);
  expect(isFromCauseway({ ...headers, 'causeway-signature': 'v1=' }, body, key)).toBe(false);

  // Until the retired data key is forgotten, either key verifies.
  const rotated = await openKeyring(async () => ({ current: newDataKey(), others: [testDataKey] }));
  await seedSms(service);
  await sendDueMessages({ ...service, secrets: rotated }, 'sms', { smsUrl: gateway.url });
  const [, changing] = gateway.requests;
  const keys = smsSigningKeys(rotated);
  expect([keys.length, keys[1]]).toEqual([2, key]);
  for (const one of keys) expect(isFromCauseway(changing!.headers, changing!.body, one)).toBe(true);
});
