import Fastify from 'fastify';
import { describe, expect, onTestFinished } from 'vitest';
import { receiveWithExpress } from '../../packages/client/src/adapters/express.ts';
import { receiveWithFastify } from '../../packages/client/src/adapters/fastify.ts';
import { receiveWithHono } from '../../packages/client/src/adapters/hono.ts';
import { receiveWithNext } from '../../packages/client/src/adapters/next.ts';
import {
  createTestCertificate,
  type Receiver as NotificationReceiver,
  signCallback,
  signWebhook,
  verifyCallback,
  verifyWebhook,
} from '../../packages/client/src/index.ts';
import { createWebhook } from '../../src/domain/accounts/webhook/create-webhook.ts';
import { rotateWebhookSecret } from '../../src/domain/accounts/webhook/rotate-webhook-secret.ts';
import { relayAndDeliver } from '../setup/deliver-notifications.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { serviceTest } from '../setup/fixtures.ts';
import { startReceiver } from '../setup/receiver.ts';
import { seedCompletedCharge } from '../setup/seed.ts';

const test = serviceTest
  .extend('clock', () => createFakeClock(new Date()))
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are needed.
  .extend('receiver', async ({}, { onCleanup }) => {
    const receiver = await startReceiver();
    onCleanup(() => receiver.stop());
    return receiver;
  });

const credentials = { username: 'shop', password: 'Öffne dich' };
const failed = { code: 'verification_failed', status: 401 };

describe('verifyWebhook', () => {
  test('accepts what the service sends, by password and by both secrets of a rotation', async ({
    service,
    merchant,
    clock,
    receiver,
  }) => {
    const owner = {
      merchantId: merchant.merchant.id,
      mode: 'sandbox',
      actor: 'user:test',
      now: clock.now(),
    } as const;
    const input = { url: receiver.url, ...credentials, isSigned: true };
    const { webhook, signingSecret } = await createWebhook(service, { ...owner, input });
    const rotated = await rotateWebhookSecret(service, { ...owner, id: webhook.id, overlapHours: 24 });
    const charge = await seedCompletedCharge(service, merchant, { now: clock.now() });
    await relayAndDeliver(service, clock);
    const { body, headers } = receiver.requests[0]!;

    const event = await verifyWebhook({ body, headers, ...credentials });
    if (event.message !== 'CHARGE_COMPLETE') throw new Error(event.message);
    expect(event.payload).toMatchObject({ chargeId: charge.id, merchantAmount: 128.5, mode: 'sandbox' });
    for (const secret of [signingSecret!, rotated.signingSecret, ['whsec_AAAA', signingSecret!]])
      expect(await verifyWebhook({ body, headers, secret })).toEqual(event);
    const bytes = new TextEncoder().encode(body);
    const fetched = new Headers(headers as Record<string, string>);
    expect(await verifyWebhook({ body: bytes, headers: fetched, ...credentials })).toEqual(event);

    const reject = (options: Partial<Parameters<typeof verifyWebhook>[0]>) =>
      expect(verifyWebhook({ body, headers, ...options })).rejects.toMatchObject(failed);
    await reject({ ...credentials, password: 'Öffne dich!' });
    await reject({ ...credentials, headers: {} });
    await reject({ secret: 'whsec_AAAA' });
    await reject({ secret: signingSecret!, body: body.replace('128.5', '1.5') });
    await reject({ ...credentials, secret: 'whsec_AAAA' });
    await reject({ secret: signingSecret!, now: new Date(Date.now() + 301_000) });
    await reject({ secret: signingSecret!, headers: { ...headers, 'webhook-timestamp': 'soon' } });
    await reject({ secret: signingSecret!, headers: { ...headers, 'webhook-signature': 'v1,%' } });
  });

  test('never accepts a request without credentials, and explains a parsed body', async () => {
    const { body, headers } = await signWebhook({ message: 'charge_expired', payload: {} });
    for (const none of [
      {},
      { username: 'shop' },
      { username: 'shop', password: '' },
      { secret: '' },
      { secret: [] },
    ])
      await expect(verifyWebhook({ body, headers, ...none })).rejects.toThrow('needs username and password');
    const parsed = JSON.parse(body) as never;
    await expect(verifyWebhook({ body: parsed, headers, ...credentials })).rejects.toThrow(
      'before a JSON parser',
    );
  });
});

describe('verifyCallback', () => {
  test('accepts what the service sends, and returns only the signed payload', async ({
    service,
    merchant,
    clock,
    receiver,
  }) => {
    const input = { notifyUrl: receiver.url, notifyPayload: 'Zürich "payload":{} ,"signature":"' };
    const charge = await seedCompletedCharge(service, merchant, { input, now: clock.now() });
    await relayAndDeliver(service, clock);
    const { body } = receiver.requests[0]!;
    const where = { merchantId: merchant.merchant.id };
    const certificates = await service.prisma.certificate.findMany({ where });
    const getKey = (mode: string) => certificates.find((certificate) => certificate.mode === mode)!.publicKey;

    const payment = await verifyCallback({ body, publicKey: [getKey('live'), getKey('sandbox')] });
    expect(payment).toEqual(JSON.parse(body).payload);
    expect(payment).toMatchObject({ chargeId: charge.id, notifyPayload: input.notifyPayload });
    const reject = (publicKey: string, text: string) =>
      expect(verifyCallback({ body: text, publicKey })).rejects.toMatchObject(failed);
    await reject(getKey('live'), body);
    await reject(getKey('sandbox'), body.replace('128.5', '1.5'));
    await reject(getKey('sandbox'), body.replace(/,"signature":.*/, '}'));
    await reject(getKey('sandbox'), '{"payload":{},"signature":"%"}');
    const other = body.replace(/"message":"\w+"/, '"message":"other","payload":{"merchantAmount":1}');
    await reject(getKey('sandbox'), other);
  });

  test('throws a TypeError for a public key that is not one in PEM', async () => {
    const { privateKey } = await createTestCertificate();
    const { body } = await signCallback({ payload: {}, privateKey });
    const toPem = (text: string) => `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----\n`;
    for (const publicKey of ['a key', toPem('not base64!'), toPem('AAAA'), privateKey]) {
      const error = await verifyCallback({ body, publicKey }).catch((error: Error) => error);
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toMatchObject({ message: 'The key must be in PEM, as the dashboard shows it' });
    }
  });
});

/** The ways in which frameworks pass a request on; each returns the status of the response. */
const frameworks: Record<string, (receiver: NotificationReceiver, init: RequestInit) => Promise<number>> = {
  Next: async (receiver, init) =>
    (await receiveWithNext(receiver)(new Request('https://shop.example', init))).status,
  Hono: async (receiver, init) =>
    (await receiveWithHono(receiver)({ req: { raw: new Request('https://shop.example', init) } })).status,
  async Express(receiver, { body, headers }) {
    const response = { statusCode: 0, end() {} };
    const request = { body: Buffer.from(String(body)), headers: headers as Record<string, string> };
    await receiveWithExpress(receiver)(request, response, () => {
      response.statusCode = 500;
    });
    return response.statusCode;
  },
  async Fastify(receiver, init) {
    const app = Fastify();
    onTestFinished(() => app.close());
    await app.register(receiveWithFastify('/causeway', receiver));
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return (await fetch(`${url}/causeway`, init)).status;
  },
};

test.for(Object.entries(frameworks))(
  'the adapter of %s passes authentic webhooks and callbacks on, and rejects others with 401',
  async ([, send]) => {
    const ids: string[] = [];
    const onEvent = (event: { eventId: string }) => void ids.push(event.eventId);
    const payload = { chargeId: 'ch_test', merchantAmount: 128.5 };
    const webhook = await signWebhook({ message: 'CHARGE_COMPLETE', payload, ...credentials });
    const { publicKey, privateKey } = await createTestCertificate();
    const callback = await signCallback({ payload, privateKey });
    const post = (receiver: NotificationReceiver, { body, headers }: { body: string; headers: object }) =>
      send(receiver, { method: 'POST', body, headers: { ...headers } as Record<string, string> });

    expect(await post({ ...credentials, onEvent }, webhook)).toBe(204);
    expect(await post({ publicKey, onEvent }, callback)).toBe(204);
    expect(ids).toEqual([JSON.parse(webhook.body).eventId, JSON.parse(callback.body).eventId]);
    expect(await post({ ...credentials, password: 'guess', onEvent }, webhook)).toBe(401);
    expect(await post({ publicKey, onEvent }, webhook)).toBe(401);
    expect(ids).toHaveLength(2);
    const fail = () => Promise.reject(new Error('no database'));
    const failing = post({ ...credentials, onEvent: fail }, webhook);
    expect(await failing.catch((error) => error.message)).toBeOneOf([500, 'no database']);
  },
);
