import { createVerify } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, onTestFinished } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createWebhook } from '../../src/domain/accounts/webhook/create-webhook.ts';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { createCancelConfirmation } from '../../src/domain/billing/subscription/cancel-confirmation.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import {
  createCancelToken,
  createClientToken,
  createCreatorToken,
  createPageToken,
} from '../../src/domain/payments/customer-page/page-tokens.ts';
import { hashCode } from '../../src/domain/payments/phone-verification/verify-phone.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { buildExports } from '../../src/domain/payouts/export/build-exports.ts';
import { createExport } from '../../src/domain/payouts/export/create-export.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { signingPurposes } from '../../src/kit/signing-purposes.ts';
import { newToken } from '../../src/kit/token.ts';
import { basicAuth, callApi } from '../setup/api.ts';
import { fakeTimeGraphqlTest, graphqlTest } from '../setup/app-fixtures.ts';
import { toOwnerCaller } from '../setup/callers.ts';
import { payForm, seedCheckoutLink } from '../setup/checkout.ts';
import { relayAndDeliver } from '../setup/deliver-notifications.ts';
import { startExampleShop } from '../setup/example-shop.ts';
import { type GraphqlApp, mutate } from '../setup/graphql.ts';
import { readContent } from '../setup/messages.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { type ReceivedRequest, startReceiver } from '../setup/receiver.ts';
import {
  minutesAfter,
  noon,
  seedApiKey,
  seedCharge,
  seedCompletedCharge,
  seedMerchant,
} from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { readInvoices, seedActiveSubscription, seedPlan, seedSubscription } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

describe('Sandbox signature', () => {
  const test = graphqlTest;

  /** A signed sandbox callback that reaches the live shop must not prove a payment. */

  const deliver = (app: GraphqlApp) => relayAndDeliver(app.context.service, systemClock);

  function isSignedBy(app: GraphqlApp, mode: Mode, { body }: ReceivedRequest): boolean {
    const { payload, signature } = JSON.parse(body);
    const verifier = createVerify('RSA-SHA256').update(JSON.stringify(payload));
    return verifier.verify(app.merchant.certificates[mode], signature, 'base64');
  }

  test('is rejected by the example shop with live keys, which ships nothing for a charge of a sandbox key', async ({
    app,
  }) => {
    const { service } = app.context;
    const shop = await startExampleShop(app.url, app.merchant.keys.live);
    onTestFinished(shop.stop);
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
    await deliver(app);
    const callback = { event: { objectId: created.json.id }, kind: 'callback' } as const;
    expect(
      await service.prisma.notificationAttempt.findMany({ where: { notification: callback } }),
    ).toMatchObject([{ responseStatus: 401 }]);
    expect(await readOrder()).toMatchObject({ parcels: 0 });
    expect((await callApi(app.app, { method: 'GET', url, keys: app.merchant.keys.live })).status).toBe(404);

    const charge = await seedCharge(service, app.merchant, { input: terms, now: new Date() });
    await payCharge(service, app.merchant, charge);
    await deliver(app);
    expect(await readOrder()).toMatchObject({ parcels: 1, chargeId: charge.id });
  });

  test('of a callback of a session that support completed cannot be verified with a live key', async ({
    app,
  }) => {
    await using live = await startReceiver();
    const support = await signInAs('support', app, app.merchant);
    const options = { mode: 'sandbox' } as const;
    const created = await support.ask(
      `mutation ($input: CreateSessionInput!) {
      createSession(input: $input) { ... on CreateSessionSuccess { session { id checkoutUrl } } }
    }`,
      {
        ...options,
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
    const session = await support.ask(`{ session(id: "${id}") { charge { id } } }`, options);
    const chargeId = session.data.session.charge.id;
    const completed = await support.ask(
      `mutation { completeSandboxCharge(input: { id: "${chargeId}" }) { __typename } }`,
      options,
    );
    expect(completed.data.completeSandboxCharge.__typename).toBe('CompleteSandboxChargeSuccess');
    await deliver(app);

    const [callback] = live.requests as [ReceivedRequest];
    expect(isSignedBy(app, 'live', callback)).toBe(false);
    expect(isSignedBy(app, 'sandbox', callback)).toBe(true);
    expect(JSON.parse(callback.body).payload).toMatchObject({
      mode: 'sandbox',
      eventType: 'CHARGE_COMPLETE',
      notifyPayload: 'LIVE-ORDER-4711',
    });
  });

  test('is required: no callback is sent when the sandbox has no certificate', async ({ app }) => {
    await using live = await startReceiver();
    const { service } = app.context;
    const where = { merchantId: app.otherMerchant.merchant.id, mode: 'sandbox' } as const;
    await service.prisma.certificate.updateMany({ where, data: { revokedAt: new Date() } });
    await seedCompletedCharge(service, app.otherMerchant, {
      input: { notifyUrl: live.url },
      now: new Date(),
    });
    await deliver(app);
    expect(live.requests).toEqual([]);
  });

  test('does not change in live when a sandbox certificate is created or revoked', async ({ app }) => {
    await using live = await startReceiver();
    const { service } = app.context;
    const { keys } = app.merchant;
    const { certificate } = await mutate(
      app,
      'createCertificate',
      {},
      'certificate { id mode }',
      keys.sandbox,
    );
    expect(certificate.mode).toBe('sandbox');
    const completeLive = async () => {
      const input = { notifyUrl: live.url, notifyPayload: String(live.requests.length) };
      const charge = await seedCharge(service, app.merchant, { input, now: new Date() });
      await payCharge(service, app.merchant, charge);
      await deliver(app);
      return live.requests.at(-1)!;
    };
    expect(isSignedBy(app, 'live', await completeLive())).toBe(true);
    const input = { id: certificate.id };
    expect(await mutate(app, 'revokeCertificate', input, '', keys.live)).toMatchObject({
      code: 'certificate_not_found',
    });
    expect(await mutate(app, 'revokeCertificate', input, '', keys.sandbox)).toMatchObject({
      __typename: 'RevokeCertificateSuccess',
    });
    expect(isSignedBy(app, 'live', await completeLive())).toBe(true);
  });

  test('of a webhook sent to the live server cannot be verified there', async ({ app }) => {
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
    await deliver(app);

    const [{ body, headers }] = live.requests as [ReceivedRequest];
    expect(live.requests).toHaveLength(1);
    const verify = (secret: string | null) =>
      new StandardWebhook(secret!).verify(body, headers as Record<string, string>);
    expect(verify(ofSandbox.signingSecret)).toMatchObject({ payload: { mode: 'sandbox' } });
    expect(() => verify(ofLive.signingSecret)).toThrow();
    expect(headers.authorization).not.toBe(`Basic ${btoa(`shop:${ofLive.password}`)}`);
    expect(JSON.parse(body)).not.toHaveProperty('signature');
  });
});

describe('Secure-mode hash', () => {
  const test = graphqlTest.extend('merchant', async ({ service }) => {
    const merchant = await seedMerchant(service, {}, new Date());
    const { id } = merchant.merchant;
    await service.prisma.merchant.update({ where: { id }, data: { isSecureModeEnabled: true } });
    return merchant;
  });

  /** A sandbox key, also of a merchant without restricted access, must not authorize live charges. */
  let charges = 0;
  const terms = { merchantAmount: 1, merchantCurrency: 'HKD' };

  async function createHash(
    app: GraphqlApp,
    merchant: NewMerchant,
    mode: Mode,
    more: object = {},
    of = merchant,
  ): Promise<string> {
    const call = {
      method: 'POST',
      url: '/charges/hash',
      keys: of.keys[mode],
      body: { ...terms, ...more },
    } as const;
    const { status, text } = await callApi(app.app, call);
    expect(status).toBe(200);
    return text;
  }

  const customer = () => ({ email: `payer${++charges}@example.com`, method: 'fps' });

  type HashSender = (app: GraphqlApp, merchant: NewMerchant, mode: Mode, hash: string) => Promise<unknown>;

  /** The operations that accept a hash; each returns `accepted` or the error code. */
  const hashSenders: Record<string, HashSender> = {
    async 'POST /charges'(app, merchant, mode, hash) {
      const body = { ...terms, ...customer(), hash };
      const { json } = await callApi(app.app, {
        ...{ method: 'POST', url: '/charges', keys: merchant.keys[mode], body },
      });
      return json.status === 'pending' ? 'accepted' : json.code;
    },
    async createCharge(app, merchant, mode, hash) {
      const input = { ...terms, merchantAmount: '1', ...customer(), hash };
      const { code } = await mutate(app, 'createCharge', input, '', merchant.keys[mode]);
      return code ?? 'accepted';
    },
    async 'the checkout URL'(app, merchant, mode, hash) {
      const query = new URLSearchParams({
        ...{ apiKey: merchant.keys[mode].publishableKey, amount: '1', currency: 'HKD', hash },
        ...(mode === 'sandbox' && { isSandbox: 'true' }),
      });
      const { statusCode } = await app.app.inject(`/checkout?${query}`);
      return statusCode === 200 ? 'accepted' : statusCode === 422 ? 'hash_mismatch' : statusCode;
    },
  };

  test.for(Object.keys(hashSenders))(
    'of one mode is rejected in the other mode by %s',
    async (name, { app, merchant }) => {
      const send = (mode: Mode, hash: string) => hashSenders[name]!(app, merchant, mode, hash);
      const [live, sandbox] = [
        await createHash(app, merchant, 'live'),
        await createHash(app, merchant, 'sandbox'),
      ];
      expect([await send('live', live), await send('sandbox', sandbox)]).toEqual(['accepted', 'accepted']);
      expect([await send('live', sandbox), await send('sandbox', live)]).toEqual([
        'hash_mismatch',
        'hash_mismatch',
      ]);
    },
  );

  test('is the same over GraphQL and REST in a mode', async ({ app, merchant }) => {
    const input = { ...terms, merchantAmount: '1' };
    for (const mode of ['live', 'sandbox'] as const) {
      const keys = merchant.keys[mode];
      const { hash } = await mutate(app, 'createChargeHash', input, 'hash', keys);
      expect(hash).toBe(await createHash(app, merchant, mode));
    }
  });

  test('of the sandbox does not open the live checkout of a merchant without restricted access', async ({
    app,
    merchant,
  }) => {
    const now = new Date();
    const restricted = await seedMerchant(app.context.service, { restrictedAccess: 'none' }, now);
    const { id } = restricted.merchant;
    await app.context.service.prisma.merchant.update({ where: { id }, data: { isSecureModeEnabled: true } });
    const call = { method: 'POST', url: '/charges/hash', keys: restricted.keys.live, body: terms } as const;
    expect((await callApi(app.app, call)).json.code).toBe('restricted_endpoint');
    const hash = await createHash(app, merchant, 'sandbox', { notifyPayload: 'order-77' }, restricted);
    const apiKey = restricted.keys.live.publishableKey;
    const query = new URLSearchParams({
      apiKey,
      amount: '1',
      currency: 'HKD',
      notifyPayload: 'order-77',
      hash,
    });
    expect((await app.app.inject(`/checkout?${query}`)).statusCode).toBe(422);
  });
});

const query = (mode: Mode) => (mode === 'sandbox' ? 'isSandbox=true' : '');

type ModePurpose = {
  [P in keyof typeof signingPurposes]: (typeof signingPurposes)[P] extends 'mode' ? P : never;
}[keyof typeof signingPurposes];

function createModeTools(app: GraphqlApp) {
  const { service } = app.context;
  const { secrets, prisma } = service;
  const { merchant } = app.merchant;
  const visitor = () => createPageVisitor(app.app);

  let customers = 0;
  const newPhone = () => ({ code: '+852', phone: `5123${4000 + customers++}` });
  const newEmail = () => `customer${customers++}@example.com`;
  const newCharge = (mode: Mode) => seedCharge(service, app.merchant, { mode, input: { email: newEmail() } });

  async function newSubscription(mode: Mode) {
    const plan = await seedPlan(service, app.merchant, { mode });
    return (await seedSubscription(service, app.merchant, { plan, email: newEmail() })).subscription;
  }

  async function newLink(mode: Mode) {
    const { id } = await seedPlan(service, app.merchant, { mode });
    return createSubscriptionLink(service, {
      merchant,
      mode,
      input: { subscriptionPlanId: id },
      now: noon,
    });
  }

  async function opens(kind: string, token: string, mode: Mode): Promise<boolean> {
    return (await visitor().get(`/pay/${kind}/${token}?${query(mode)}`)).status === 200;
  }

  async function newRefund(mode: Mode) {
    const charge = await newCharge(mode);
    await payCharge(service, app.merchant, charge, { now: noon });
    const { refund } = await createRefund(service, {
      ...{ merchantId: merchant.id, mode, actor: 'user:test', now: noon },
      input: { chargeId: charge.id, customerAmount: 1 },
    });
    return refund;
  }

  /** Functions that return whether an object of mode `target` accepts a signature by the key of mode `signer`. */
  const accepts: Record<ModePurpose, (target: Mode, signer: Mode) => Promise<boolean>> = {
    async 'client-token'(target, signer) {
      const charge = await newCharge(target);
      const token = createClientToken(secrets, { ...charge, mode: signer });
      const { data } = await app.ask(`{ charge(id: "${charge.id}") { id } }`, { as: { token } });
      const page = await visitor().get(`/checkout?charge=${token}&${query(target)}`);
      expect(page.status === 200).toBe(data?.charge != null);
      return page.status === 200;
    },
    async 'cancel-token'(target, signer) {
      const { id } = await newCharge(target);
      const headers = { 'cancel-token': createCancelToken(secrets, { id, mode: signer }) };
      const { statusCode } = await app.app.inject({
        method: 'PATCH',
        url: `/charges/${id}/cancel`,
        headers,
      });
      expect((await prisma.charge.findUniqueOrThrow({ where: { id } })).status).toBe(
        statusCode === 200 ? 'cancelled' : 'pending',
      );
      return statusCode === 200;
    },
    async 'checkout-network'(target, signer) {
      const link = await seedCheckoutLink(service, app.merchant, { mode: target, now: noon });
      await visitor().post(`/checkout?link=${link.id}&${query(target)}`, { ...payForm, email: newEmail() });
      const slot = await prisma.checkoutSlot.findFirstOrThrow({
        where: { mode: target },
        orderBy: { objectId: 'desc' },
      });
      return slot.networkHash === secrets.sign('checkout-network', signer, `${merchant.id} 127.0.0.1`);
    },
    async 'charge-creator'(target, signer) {
      const charge = await newCharge(target);
      const cookie = `causeway_made_${charge.id}=${createCreatorToken(secrets, { ...charge, mode: signer })}`;
      const url = `/checkout?charge=${createClientToken(secrets, charge)}&${query(target)}`;
      const { text, status } = await visitor().get(url, { cookie });
      expect(status).toBe(200);
      return text.includes(charge.email!);
    },
    async 'enrol-page'(target, signer) {
      const link = await newLink(target);
      return opens('enrol', createPageToken(secrets, 'enrol', { ...link, mode: signer }), target);
    },
    async 'invoice-page'(target, signer) {
      const plan = await seedPlan(service, app.merchant, { mode: target });
      const { id } = await seedActiveSubscription(service, app.merchant, { plan, email: newEmail() });
      await renewSubscriptions(service, { now: minutesAfter(noon, 29 * 24 * 60) });
      const [invoice] = await readInvoices(service, id);
      return opens('invoice', createPageToken(secrets, 'invoice', { ...invoice!, mode: signer }), target);
    },
    async 'poster-page'(target, signer) {
      const { id } = await seedCheckoutLink(service, app.merchant, { mode: target, now: noon });
      return opens('poster', createPageToken(secrets, 'poster', { id, mode: signer }), target);
    },
    async 'refund-page'(target, signer) {
      const refund = await newRefund(target);
      return opens('refund', createPageToken(secrets, 'refund', { ...refund, mode: signer }), target);
    },
    async 'subscription-page'(target, signer) {
      const subscription = await newSubscription(target);
      const token = createPageToken(secrets, 'subscription', { ...subscription, mode: signer });
      const isOpened = await opens('subscription', token, target);
      // The browser that enrolled keeps it in a cookie, by which the same enrolment is found again.
      const link = await prisma.subscriptionLink.findUniqueOrThrow({ where: { id: subscription.linkId! } });
      const url = `/pay/enrol/${createPageToken(secrets, 'enrol', link)}?${query(target)}`;
      const form = { method: 'fps', email: subscription.email!, formToken: '' };
      await visitor().post(url, form, {
        cookie: `causeway_enrolled=${token}`,
        'sec-fetch-site': 'same-origin',
      });
      const enrolled = await prisma.subscription.count({ where: { linkId: link.id } });
      expect(enrolled).toBe(isOpened ? 1 : 2);
      return isOpened;
    },
    async 'cancel-confirmation'(target, signer) {
      const subscription = await newSubscription(target);
      const { id } = subscription;
      const url = `/pay/subscription/${createPageToken(secrets, 'subscription', subscription)}?${query(target)}`;
      const confirmation = createCancelConfirmation(secrets, { ...subscription, mode: signer }, noon);
      await visitor().post(url, { do: 'confirm', confirmation });
      return (await prisma.subscription.findUniqueOrThrow({ where: { id } })).status === 'cancelled';
    },
    async 'phone-code'(target, signer) {
      const keys = app.merchant.keys[target];
      const phone = newPhone();
      const post = (url: string, body: object) => callApi(app.app, { method: 'POST', url, keys, body });
      await post('/customers/phone/verification', { phone });
      const scope = { merchantId: merchant.id, phone: `${phone.code}${phone.phone}` };
      await prisma.phoneVerification.updateMany({
        where: { ...scope, mode: target },
        data: { codeHash: hashCode(secrets, { ...scope, mode: signer }, '123456') },
      });
      return (await post('/customers/phone/verify', { phone, code: '123456' })).status === 200;
    },
  };

  const call = (mode: Mode, method: 'GET' | 'POST', url: string, body?: object, headers = {}) =>
    callApi(app.app, { method, url, keys: app.merchant.keys[mode], headers, ...(body && { body }) });
  return { accepts, call, newCharge, newEmail, newLink, newPhone, visitor };
}

const otherModeTest = fakeTimeGraphqlTest.extend('tools', { scope: 'file' }, ({ app }) =>
  createModeTools(app),
);

describe('Signature of the other mode', () => {
  /**
   * The forged value is a signature by the key of the other mode over the text of the object, because no leaked or
   * requested sandbox value can be stronger.
   */

  const modes = ['live', 'sandbox'] as const;
  const toOtherMode = (mode: Mode): Mode => (mode === 'live' ? 'sandbox' : 'live');

  const listPurposes = (kind: string) =>
    Object.entries(signingPurposes).flatMap(([purpose, of]) => (of === kind ? [purpose] : []));
  const test = otherModeTest;

  describe('by the key of one mode', () => {
    for (const purpose of listPurposes('mode'))
      for (const target of modes)
        test(`is valid as ${purpose} in ${target} mode only if it is of that mode`, async ({ tools }) => {
          const isAccepted = tools.accepts[purpose as ModePurpose];
          expect(await isAccepted(target, toOtherMode(target))).toBe(false);
          expect(await isAccepted(target, target)).toBe(true);
        });

    test('is tested for every purpose of a mode; two purposes belong to the installation', ({ tools }) => {
      expect(Object.keys(tools.accepts).sort()).toEqual(listPurposes('mode').sort());
      // Users sign in to both modes at once, and the sandbox sends no SMS.
      expect(listPurposes('installation')).toEqual(['trusted-browser', 'sms-gateway']);
    });
  });

  describe.each(modes)('in %s mode', (target) => {
    const other = toOtherMode(target);

    test('accepts a token of the other mode for its own object only', async ({
      app,
      service,
      tools: { newCharge, visitor },
    }) => {
      const [ownCharge, theirs] = [await newCharge(target), await newCharge(other)];
      const as = { token: createClientToken(service.secrets, theirs) };
      const { data } = await app.ask(`{ charge(id: "${ownCharge.id}") { id } }`, { as });
      expect(data.charge).toBeNull();
      expect((await visitor().get(`/checkout?charge=${as.token}&${query(target)}`)).status).not.toBe(200);
    });

    test('treats an idempotency key of the other mode as a different key', async ({
      tools: { call, newEmail },
    }) => {
      const charge = { email: newEmail(), merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };
      const headers = { 'idempotency-key': `shared key ${target}` };
      const [theirs, repeated] = [
        await call(other, 'POST', '/charges', charge, headers),
        await call(other, 'POST', '/charges', charge, headers),
      ];
      expect(repeated.json).toEqual(theirs.json);
      const ownCharge = await call(target, 'POST', '/charges', { ...charge, merchantAmount: 6 }, headers);
      expect([ownCharge.status, ownCharge.json.id === theirs.json.id]).toEqual([201, false]);
    });

    test('rejects a verification code of the other mode', async ({ service, tools: { call, newPhone } }) => {
      const phone = newPhone();
      await call(other, 'POST', '/customers/phone/verification', { phone });
      const sms = await service.prisma.message.findFirstOrThrow({
        where: { recipient: `${phone.code}${phone.phone}`, kind: 'phone-code' },
      });
      const { text } = await readContent(service, sms);
      const code = /\d{6}/.exec(text)![0];
      expect((await call(target, 'POST', '/customers/phone/verify', { phone, code })).status).not.toBe(200);
      const verified = await call(other, 'POST', '/customers/phone/verify', { phone, code });
      expect(verified.status).toBe(200);
      const { verificationCode } = verified.json;
      const charge = { verificationCode, merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };
      const rejected = await call(target, 'POST', '/charges', charge);
      expect(rejected.json.code).toBe('verification_code_invalid');
      expect((await call(other, 'POST', '/charges', charge)).status).toBe(201);
    });

    test('returns 404 for an export of the other mode', async ({ app, service }) => {
      const caller = { ...toOwnerCaller(app.merchant), mode: other };
      const { id } = await createExport(service, {
        caller,
        input: { kind: 'charges', where: {} },
        now: noon,
      });
      await buildExports(service, { clock: app.context.clock });
      const download = (mode: Mode) =>
        app.app.inject({
          url: `/exports/${id}/file`,
          headers: { authorization: basicAuth(app.merchant.keys[mode]) },
        });
      expect([(await download(target)).statusCode, (await download(other)).statusCode]).toEqual([404, 200]);
    });

    test('creates another enrolment for a form token of the other mode', async ({
      service,
      tools: { newEmail, newLink, visitor },
    }) => {
      const { prisma, secrets } = service;
      const [ownLink, theirs] = [await newLink(target), await newLink(other)];
      const form = { method: 'fps', email: newEmail(), formToken: newToken() };
      for (const [link, mode] of [
        [theirs, other],
        [theirs, other],
        [ownLink, target],
      ] as const)
        await visitor().post(`/pay/enrol/${createPageToken(secrets, 'enrol', link)}?${query(mode)}`, form);
      const enrolled = await prisma.subscription.findMany({
        where: { linkId: { in: [ownLink.id, theirs.id] } },
        select: { mode: true },
      });
      expect(enrolled.map(({ mode }) => mode).sort()).toEqual(['live', 'sandbox']);
    });
  });
});
