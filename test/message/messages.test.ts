import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished } from 'vitest';
import { newDataKey, openKeyring } from '../../src/kit/secrets.ts';
import { measureMessages } from '../../src/message/measure-messages.ts';
import { pruneMessages } from '../../src/message/prune-messages.ts';
import { smsSigningKeys } from '../../src/message/sms-sender.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { serviceTest } from '../setup/fixtures.ts';
import { readMessage, seedChatMessage, seedMail, seedSms, sendDueMessages } from '../setup/messages.ts';
import { drip, floodResponse, neverRespond, respondWith, startReceiver } from '../setup/receiver.ts';
import { testDataKey } from '../setup/service.ts';
import { createTempDir } from '../setup/temp-dir.ts';

const test = serviceTest.extend('emptyMailbox', { auto: true }, async ({ service }) => {
  await service.prisma.message.deleteMany();
});

describe('SMS gateway', () => {
  test('receives number and text, signed as documented, with a stable ID', async ({ service }) => {
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

  test.for([
    [200, 'sent', null],
    [299, 'sent', null],
    [302, 'pending', 'the SMS gateway responded with 302'],
    [400, 'failed', 'the SMS gateway responded with 400'],
    [401, 'pending', 'the SMS gateway responded with 401'],
    [404, 'pending', 'the SMS gateway responded with 404'],
    [422, 'failed', 'the SMS gateway responded with 422'],
    [500, 'pending', 'the SMS gateway responded with 500'],
  ] as const)('response %i makes the SMS %s', async ([response, status, lastError], { service }) => {
    await using gateway = await startReceiver(respondWith(response, { location: '/elsewhere' }));
    const id = await seedSms(service);
    await sendDueMessages(service, 'sms', { smsUrl: gateway.url });
    expect(await readMessage(service, id)).toMatchObject({ status, lastError, attemptCount: 1 });
    expect(gateway.requests).toHaveLength(1);
  });

  test('is called again after its Retry-After', async ({ service }) => {
    await using gateway = await startReceiver(respondWith(429, { 'retry-after': '600' }));
    const clock = createFakeClock(new Date());
    const id = await seedSms(service, { now: clock.now() });
    await sendDueMessages(service, 'sms', { smsUrl: gateway.url }, { clock });
    const { nextAttemptAt } = await readMessage(service, id);
    expect(nextAttemptAt!.getTime() - clock.now().getTime()).toBe(600_000);
  });

  test('receives no code after its expiry', async ({ service }) => {
    await using gateway = await startReceiver(respondWith(503, { 'retry-after': '600' }));
    const now = new Date();
    const id = await seedSms(service, { now, expiresAt: new Date(now.getTime() + 300_000) });
    await sendDueMessages(service, 'sms', { smsUrl: gateway.url });
    expect(await readMessage(service, id)).toMatchObject({ status: 'failed', contentEncrypted: null });
  });

  test.for([
    ['never responds', neverRespond(), 'pending', 'timed out'],
    ['drips', drip(), 'pending', 'timed out'],
    ['never ends', floodResponse(), 'sent', null],
  ] as const)('that %s is limited by a timeout', async ([_, handler, status, lastError], { service }) => {
    await using gateway = await startReceiver(handler);
    const id = await seedSms(service);
    await sendDueMessages(service, 'sms', { smsUrl: gateway.url }, { timeoutMs: 300 });
    expect(await readMessage(service, id)).toMatchObject({ status, lastError });
  });

  test('that was unreachable receives the retry with the same ID', async ({ service }) => {
    const unreachable = await startReceiver();
    await unreachable.stop();
    const id = await seedSms(service);
    await sendDueMessages(service, 'sms', { smsUrl: unreachable.url });
    const { lastError, nextAttemptAt } = await readMessage(service, id);
    expect(lastError).toBe('the connection was refused');
    await using back = await startReceiver();
    await sendDueMessages(service, 'sms', { smsUrl: back.url }, { clock: createFakeClock(nextAttemptAt!) });
    expect(back.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([id]);
  });

  test('receives each SMS once from two concurrent workers', async ({ service }) => {
    await using gateway = await startReceiver();
    const ids = await Promise.all(
      Array.from({ length: 50 }, (_, n) => seedSms(service, { to: `+852512300${10 + n}` })),
    );
    const settings = { smsUrl: gateway.url };
    await Promise.all([sendDueMessages(service, 'sms', settings), sendDueMessages(service, 'sms', settings)]);
    expect(gateway.requests.map(({ headers }) => headers['idempotency-key']).sort()).toEqual(ids.sort());
  });

  test('receives no SMS of the sandbox', async ({ service }) => {
    await using gateway = await startReceiver();
    const id = await seedSms(service, { mode: 'sandbox' });
    await sendDueMessages(service, 'sms', { smsUrl: gateway.url });
    expect(gateway.requests).toHaveLength(0);
    expect((await readMessage(service, id)).status).toBe('captured');
  });

  test('has one signing key of 64 hexadecimal digits while there is one data key', ({ service }) => {
    expect(smsSigningKeys(service.secrets)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  test('can verify the signatures with the code of docs/operations/mail-and-sms.md', async ({ service }) => {
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
    for (const signingKey of keys)
      expect(isFromCauseway(changing!.headers, changing!.body, signingKey)).toBe(true);
  });
});

/** Starts a server that accepts connections but never writes a byte. */
async function startMuteServer() {
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, stop, [Symbol.asyncDispose]: stop };
}

describe('Chats', () => {
  test.for([
    ['never respond', 'http'],
    // Connections hang in the TLS handshake, as they do behind a firewall that drops packets.
    ['never complete a connection', 'https'],
  ] as const)('that %s do not delay the messages to other chats', async ([_, scheme], { service }) => {
    await using silent = await startMuteServer();
    await using healthy = await startReceiver();
    const silentUrl = `${scheme}://127.0.0.1:${silent.port}`;
    const earlier = new Date(Date.now() - 60_000);
    for (let i = 0; i < 20; i++) await seedChatMessage(service, silentUrl, { now: earlier });
    await seedChatMessage(service, healthy.url, { merchantId: 'mer_2' });
    const settings = { allowPrivateTargets: true };
    const sending = sendDueMessages(service, 'chat', settings, { responseWaitMs: 20 });
    await healthy.waitFor((requests) => requests.length === 1, 10_000);
    const where = { status: 'pending', leasedUntil: { not: null }, attemptCount: 0 } as const;
    expect(await service.prisma.message.count({ where })).toBeGreaterThanOrEqual(20);
    await silent.stop();
    await sending;
    expect(await service.prisma.message.groupBy({ by: ['status'], _count: true })).toEqual(
      expect.arrayContaining([
        { status: 'pending', _count: 20 },
        { status: 'sent', _count: 1 },
      ]),
    );
  });

  test('that never respond have at most 50 messages in flight', async ({ service }) => {
    await using silent = await startReceiver(neverRespond());
    for (let i = 0; i < 53; i++) await seedChatMessage(service, silent.url);
    const settings = { allowPrivateTargets: true };
    const sending = sendDueMessages(service, 'chat', settings, { responseWaitMs: 20 });
    await silent.waitFor((requests) => requests.length === 50, 10_000);
    // Waiting messages are not claimed, so that they use up no attempt.
    expect(await service.prisma.message.count({ where: { leasedUntil: null } })).toBe(3);
    await silent.stop();
    await sending;
    expect(silent.openMax()).toBe(50);
  });
});

test('measurements have pending messages, the age of the oldest, and failures within a day', async ({
  service,
}) => {
  const now = new Date('2026-11-17T12:00:00Z');
  const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
  expect(await measureMessages(service, now)).toEqual({
    pending: 0,
    due: 0,
    oldestDueSeconds: 0,
    failed: 0,
  });
  await seedMail(service, { now: secondsAgo(30), expiresAt: secondsAgo(20) });
  await seedMail(service, { now: secondsAgo(90_000), expiresAt: secondsAgo(89_000) });
  const settings = { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'pay@shop.example' };
  for (const expiresAt of [secondsAgo(88_000), secondsAgo(10)])
    await sendDueMessages(service, 'email', settings, { clock: { now: () => expiresAt } });
  await seedMail(service, { now: secondsAgo(7) });
  await seedMail(service, { now: secondsAgo(3) });
  expect(await measureMessages(service, now)).toEqual({
    pending: 2,
    due: 2,
    oldestDueSeconds: 7,
    failed: 1,
  });
});

test('messages are deleted after 90 days, except pending ones', async ({ service }) => {
  const now = new Date('2026-11-17T12:00:00Z');
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  await seedMail(service, { now: daysAgo(90.01) });
  const recent = await seedMail(service, { now: daysAgo(89.99) });
  await sendDueMessages(service, 'email', {});
  const pending = await seedMail(service, { now: daysAgo(100) });
  expect(await pruneMessages(service, { now })).toBe(1);
  const remaining = await service.prisma.message.findMany({ select: { id: true } });
  expect(remaining.map(({ id }) => id).sort()).toEqual([recent, pending].sort());
});
