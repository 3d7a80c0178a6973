import { createVerify } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { beforeAll, expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { createWebhook } from '../../src/domain/accounts/webhook/create-webhook.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { callApi } from '../setup/api.ts';
import { payForm } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { relayAndDeliver } from '../setup/deliver-notifications.ts';
import { startExampleShop } from '../setup/example-shop.ts';
import { type GraphqlApp, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { type ReceivedRequest, startReceiver } from '../setup/receiver.ts';
import { minutesAfter, seedApiKey, seedCharge, seedCompletedCharge } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/**
 * Finding 1 of the penetration test of 22 November 2026: a completed sandbox charge, whose callback went to the live
 * shop, was signed with the live certificate, and so was forged proof of a payment.
 */

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const deliver = () => relayAndDeliver(app.context.service, systemClock);

function isSignedBy(mode: Mode, { body }: ReceivedRequest): boolean {
  const { payload, signature } = JSON.parse(body);
  const verifier = createVerify('RSA-SHA256').update(JSON.stringify(payload));
  return verifier.verify(app.merchant.certificates[mode], signature, 'base64');
}

test('proof of concept A: the example shop with live keys delivers nothing for a charge of a sandbox key', async () => {
  const { service } = app.context;
  const shop = await startExampleShop(app.url, app.merchant.keys.live);
  onCleanup(shop.stop);
  const request = { method: 'POST', body: JSON.stringify({ tea: 'Ripe Pu’er' }) };
  const order = await (await fetch(`${shop.url}/orders`, request)).json();
  const readOrder = async () => (await fetch(`${shop.url}/orders/${order.id}`)).json();
  const terms = {
    email: 'mallory@example.com',
    merchantAmount: 240,
    merchantCurrency: 'HKD',
    method: 'fps',
    notifyPayload: order.id,
    notifyUrl: `${shop.url}/callback`,
  };

  const keys = await seedApiKey(service, app.merchant, { mode: 'sandbox', permissions: ['write'] });
  const created = await callApi(app.app, { method: 'POST', url: '/charges', keys, body: terms });
  const url = `/charges/${created.json.id}`;
  expect((await callApi(app.app, { method: 'POST', url: `${url}/complete`, keys })).status).toBe(200);
  await deliver();
  const callback = { event: { objectId: created.json.id }, kind: 'callback' } as const;
  expect(
    await service.prisma.notificationAttempt.findMany({ where: { notification: callback } }),
  ).toMatchObject([{ responseStatus: 401 }]);
  expect(await readOrder()).toMatchObject({ parcels: 0 });
  expect((await callApi(app.app, { method: 'GET', url, keys: app.merchant.keys.live })).status).toBe(404);

  const charge = await seedCharge(service, app.merchant, { input: terms, now: new Date() });
  await payCharge(service, app.merchant, charge);
  await deliver();
  expect(await readOrder()).toMatchObject({ parcels: 1, chargeId: charge.id });
});

test('proof of concept B: no live key verifies the callback of a sandbox session that support completed', async () => {
  await using live = await startReceiver();
  const support = await signInAs('support', app, app.merchant);
  const asked = { mode: 'sandbox' } as const;
  const created = await support.ask(
    `mutation ($input: CreateSessionInput!) {
      createSession(input: $input) { ... on CreateSessionSuccess { session { id checkoutUrl } } }
    }`,
    {
      ...asked,
      variables: {
        input: {
          ...{ amount: '49999', currency: 'HKD', notifyPayload: 'LIVE-ORDER-4711' },
          notifyUrl: `${live.url}/callback`,
        },
      },
    },
  );
  const { id, checkoutUrl } = created.data.createSession.session;
  const { pathname, search } = new URL(checkoutUrl);
  await createPageVisitor(app.app).post(`${pathname}${search}`, payForm);
  const found = await support.ask(`{ session(id: "${id}") { charge { id } } }`, asked);
  const chargeId = found.data.session.charge.id;
  const completed = await support.ask(
    `mutation { completeSandboxCharge(input: { id: "${chargeId}" }) { __typename } }`,
    asked,
  );
  expect(completed.data.completeSandboxCharge.__typename).toBe('CompleteSandboxChargeSuccess');
  await deliver();

  const [callback] = live.requests as [ReceivedRequest];
  expect(isSignedBy('live', callback)).toBe(false);
  expect(isSignedBy('sandbox', callback)).toBe(true);
  expect(JSON.parse(callback.body).payload).toMatchObject({
    mode: 'sandbox',
    eventType: 'CHARGE_COMPLETE',
    notifyPayload: 'LIVE-ORDER-4711',
  });
});

test('a sandbox callback is not sent at all where the sandbox has no certificate left', async () => {
  await using live = await startReceiver();
  const { service } = app.context;
  const where = { merchantId: app.otherMerchant.merchant.id, mode: 'sandbox' } as const;
  await service.prisma.certificate.updateMany({ where, data: { revokedAt: new Date() } });
  await seedCompletedCharge(service, app.otherMerchant, { input: { notifyUrl: live.url }, now: new Date() });
  await deliver();
  expect(live.requests).toEqual([]);
});

test('a certificate of the sandbox, created or revoked, changes nothing in live', async () => {
  await using live = await startReceiver();
  const { service } = app.context;
  const { keys } = app.merchant;
  const { certificate } = await mutate(app, 'createCertificate', {}, 'certificate { id mode }', keys.sandbox);
  expect(certificate.mode).toBe('sandbox');
  const completeLive = async () => {
    const input = { notifyUrl: live.url, notifyPayload: String(live.requests.length) };
    const charge = await seedCharge(service, app.merchant, { input, now: new Date() });
    await payCharge(service, app.merchant, charge);
    await deliver();
    return live.requests.at(-1)!;
  };
  expect(isSignedBy('live', await completeLive())).toBe(true);
  const input = { id: certificate.id };
  expect(await mutate(app, 'revokeCertificate', input, '', keys.live)).toMatchObject({
    code: 'certificate_not_found',
  });
  expect(await mutate(app, 'revokeCertificate', input, '', keys.sandbox)).toMatchObject({
    __typename: 'RevokeCertificateSuccess',
  });
  expect(isSignedBy('live', await completeLive())).toBe(true);
});

test('a sandbox webhook to the live server carries nothing that verifies there', async () => {
  await using live = await startReceiver();
  const { service } = app.context;
  const create = (mode: Mode) =>
    createWebhook(service, {
      ...{ merchantId: app.merchant.merchant.id, mode, actor: 'user:test' },
      input: { url: live.url, username: 'shop', isSigned: true },
      now: minutesAfter(new Date(), -1),
    });
  const ofLive = await create('live');
  const ofSandbox = await create('sandbox');
  await seedCompletedCharge(service, app.merchant, { now: new Date() });
  await deliver();

  const [{ body, headers }] = live.requests as [ReceivedRequest];
  expect(live.requests).toHaveLength(1);
  const verify = (secret: string | null) =>
    new StandardWebhook(secret!).verify(body, headers as Record<string, string>);
  expect(verify(ofSandbox.signingSecret)).toMatchObject({ payload: { mode: 'sandbox' } });
  expect(() => verify(ofLive.signingSecret)).toThrow();
  expect(headers.authorization).not.toBe(`Basic ${btoa(`shop:${ofLive.password}`)}`);
  expect(JSON.parse(body)).not.toHaveProperty('signature');
});
