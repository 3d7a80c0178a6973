import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelSession } from '../../src/domain/payments/session/cancel-session.ts';
import { chargeSession } from '../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { expireSessions } from '../../src/domain/payments/session/expire-sessions.ts';
import { importRates } from '../../src/domain/platform/forex/import-rates.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { methodCodes } from '../../src/method/catalog.ts';
import { callApi, callAsMerchant } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest, systemTimeAppTest } from '../setup/app-fixtures.ts';
import type { FakeClock } from '../setup/fake-clock.ts';
import { seedReceivingAccount } from '../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';

const rateTest = systemTimeAppTest.extend('service', { scope: 'file' }, async ({ app }) => {
  const { service } = app.context;
  const date = now.toISOString().slice(0, 10);
  const text = JSON.stringify({ base: 'EUR', date, rates: { HKD: 9.2, USD: 1.15 } });
  await importRates(service, { text, source: 'new', now });
  return service;
});

/** Live amounts are not converted without a current rate. */

const now = new Date();

const update = `mutation ($input: UpdateMerchantSettingsInput!) {
  updateMerchantSettings(input: $input) { __typename }
}`;

type Keys = Parameters<typeof callApi>[1]['keys'];

const post = (app: TestApp, url: string, body: unknown, keys: Keys) =>
  callApi(app.app, { method: 'POST', url, keys, body });

const get = (app: TestApp, url: string, keys: Keys) => callApi(app.app, { method: 'GET', url, keys });

describe('Session', () => {
  const test = appTest;

  const newSession = async (app: TestApp, merchant: NewMerchant, body: object = {}) =>
    (await callAsMerchant(app, merchant, 'POST', '/sessions', { amount: 20, currency: 'USD', ...body })).json;

  /** Opens the session and chooses a method, as the checkout page does. */
  async function pay(
    app: TestApp,
    clock: FakeClock,
    merchant: NewMerchant,
    id: string,
    browserToken = 'browser',
  ) {
    const { service } = app.context;
    const { session } = await claimSession(service, {
      id,
      browserToken,
      canTakeOver: false,
      now: clock.now(),
    });
    return chargeSession(service, {
      merchant: merchant.merchant,
      session,
      browserToken,
      method: 'paynow',
      customer: { email: 'ada@example.com' },
      now: clock.now(),
    });
  }

  describe('POST /sessions', () => {
    test('returns 201 with the documented session and the available methods', async ({ app, merchant }) => {
      const contact = { email: 'ada@example.com', phone: { code: '+852', phone: '51234567' } };
      const names = { firstName: 'Ada', lastName: 'Wong' };
      const input = {
        amount: 128.5,
        currency: 'HKD',
        orders: [{ id: 'o-1', quantity: 1 }],
        notifyUrl: 'https://shop.example/notify',
        notifyPayload: 'b3JkZXI=',
        redirectUrl: 'https://shop.example/thanks',
        customer: { ...contact, first_name: 'Ada', last_name: 'Wong' },
      };
      const { status, json } = await callAsMerchant(app, merchant, 'POST', '/sessions', input);
      expect(status).toBe(201);
      expect(json).toEqual({
        ...input,
        id: expect.stringMatching(/^ses_/),
        status: 'created',
        methods: [...methodCodes],
        checkoutUrl: `http://127.0.0.1:4000/checkout?sessionId=${json.id}`,
        customer: { ...contact, ...names },
        clientToken: expect.stringMatching(new RegExp(`^${json.id}\\.`)),
        expiresAt: new Date(noon.getTime() + 7 * dayMs).toISOString(),
        createdAt: noon.toISOString(),
        updatedAt: noon.toISOString(),
      });
      const { clientToken: _, ...found } = json;
      expect((await callAsMerchant(app, merchant, 'GET', `/sessions/${json.id}`)).json).toEqual(found);
      expect((await newSession(app, merchant, { customer: names })).customer).toEqual(names);
    });

    test('writes the ID of the session into the return URLs', async ({ app, merchant }) => {
      const session = await newSession(app, merchant, {
        redirectUrl: 'https://shop.example/thanks?session={SESSION_ID}',
        cancelUrl: 'https://shop.example/cart/{SESSION_ID}',
      });
      expect(session).toMatchObject({
        redirectUrl: `https://shop.example/thanks?session=${session.id}`,
        cancelUrl: `https://shop.example/cart/${session.id}`,
      });
    });

    test('expires at the chosen time, although a browser claims it just before', async ({
      app,
      clock,
      merchant,
    }) => {
      const session = await newSession(app, merchant, { expiresInMinutes: 15 });
      expect(session.expiresAt).toBe(minutesAfter(noon, 15).toISOString());
      clock.set(minutesAfter(noon, 14));
      const { service } = app.context;
      const browser = { id: session.id, browserToken: 'browser', canTakeOver: false };
      await claimSession(service, { ...browser, now: clock.now() });
      clock.set(minutesAfter(noon, 16));
      const found = await callAsMerchant(app, merchant, 'GET', `/sessions/${session.id}`);
      expect(found.json.status).toBe('expired');
      await expect(pay(app, clock, merchant, session.id)).rejects.toMatchObject({ code: 'session_expired' });
    });

    test.for([4, 43_201])(
      'returns 400 for an expiry in %i minutes',
      async (expiresInMinutes, { app, merchant }) => {
        const body = { amount: 20, currency: 'USD', expiresInMinutes };
        const { status, json } = await callAsMerchant(app, merchant, 'POST', '/sessions', body);
        expect([status, json.errors[0].path]).toEqual([400, '/expiresInMinutes']);
      },
    );

    test('offers the requested methods only', async ({ app, merchant }) => {
      const session = await newSession(app, merchant, { methods: ['paynow', 'fps'] });
      expect(session.methods).toEqual(['fps', 'paynow']);
    });

    test.for([
      [{ amount: 20 }, 'invalid_request'],
      [{ amount: 20, currency: 'usd' }, 'currency_unsupported'],
      [{ amount: 20, currency: 'USD', methods: ['cash'] }, 'invalid_request'],
      [{ amount: 99_000_000, currency: 'USD', methods: ['fps'] }, 'amount_out_of_range'],
      [{ amount: 20, currency: 'XOF' }, 'rate_unavailable'],
      [{ amount: 20, currency: 'USD', redirectUrl: 'javascript:alert(1)' }, 'invalid_request'],
      [{ amount: 20, currency: 'USD', notifyUrl: 'http://shop.example/' }, 'invalid_request'],
    ] as const)('returns 400 for %o with the code %s', async ([body, code], { app, merchant }) => {
      const { status, json } = await callAsMerchant(app, merchant, 'POST', '/sessions', body);
      expect([status, json.code]).toEqual([400, code]);
    });

    test('returns the reason of the first method when no method accepts the amount', async ({
      app,
      merchant,
    }) => {
      const readErrorCode = async (...methods: string[]) =>
        (
          await callAsMerchant(app, merchant, 'POST', '/sessions', {
            amount: 99_000_000,
            currency: 'USD',
            methods,
          })
        ).json.detail;
      expect(await readErrorCode('fps', 'paynow')).toBe(await readErrorCode('fps'));
      expect(await readErrorCode('fps')).not.toBe(await readErrorCode('paynow'));
    });

    test('returns 400 method_unavailable without a live receiving account', async ({ app, merchant }) => {
      const bare = await seedMerchant(app.context.service, { hasDemoAccounts: false });
      const { status, json } = await callAsMerchant(
        app,
        merchant,
        'POST',
        '/sessions',
        { amount: 20, currency: 'USD' },
        bare.keys.live,
      );
      expect([status, json.code]).toEqual([400, 'method_unavailable']);
    });
  });

  describe('Session', () => {
    test('is claimed by the customer’s browser and charged once, with the customer’s input', async ({
      app,
      clock,
      merchant,
    }) => {
      const notifyInput = { notifyUrl: 'https://shop.example/notify', notifyPayload: 'order 7' };
      const phone = { code: '+852', phone: '51234567' };
      const customer = { email: 'gift@example.com', phone, first_name: 'Ada', last_name: 'Wong' };
      const { id } = await newSession(app, merchant, { ...notifyInput, customer });
      expect((await callAsMerchant(app, merchant, 'GET', `/sessions/${id}/charge`)).json.code).toBe(
        'charge_not_found',
      );
      const [charge, duplicate] = [
        await pay(app, clock, merchant, id),
        await pay(app, clock, merchant, id).catch((error) => error.code),
      ];
      expect(duplicate).toBe('session_already_used');
      expect((await callAsMerchant(app, merchant, 'GET', `/sessions/${id}`)).json.status).toBe('charged');
      const { json } = await callAsMerchant(app, merchant, 'GET', `/sessions/${id}/charge`);
      expect(json).toMatchObject({
        ...{ id: charge.id, sessionId: id, method: 'paynow', status: 'pending', ...notifyInput },
      });
      expect(json.customer).toEqual({ id: expect.any(String), email: 'ada@example.com' });
      const inEpoch = await callAsMerchant(app, merchant, 'GET', `/sessions/${id}/charge?timestamps=epoch`);
      expect(inEpoch.json.createdAt).toBe(Date.parse(json.createdAt));
    });

    test('gets one charge from twenty concurrent requests of its browser', async ({
      app,
      clock,
      merchant,
    }) => {
      const { id } = await newSession(app, merchant);
      const { service } = app.context;
      const { session } = await claimSession(service, {
        id,
        browserToken: 'b',
        canTakeOver: false,
        now: clock.now(),
      });
      const customer = { email: 'ada@example.com' };
      const chargeOnce = () =>
        chargeSession(service, {
          merchant: merchant.merchant,
          session,
          browserToken: 'b',
          method: 'fps',
          customer,
          now: clock.now(),
        });
      const charges = await Promise.all(Array.from({ length: 20 }, chargeOnce));
      expect(new Set(charges.map((charge) => charge.id)).size).toBe(1);
      expect(await service.prisma.charge.count({ where: { sessionId: id } })).toBe(1);
    });

    test('belongs to the browser that opened it until another takes it over', async ({
      app,
      clock,
      merchant,
    }) => {
      const { id } = await newSession(app, merchant);
      const { service } = app.context;
      const claim = (browserToken: string, takeOver = false) =>
        claimSession(service, { id, browserToken, canTakeOver: takeOver, now: clock.now() });
      expect((await claim('first')).isClaimed).toBe(true);
      expect((await claim('second')).isClaimed).toBe(false);
      expect((await claim('second', true)).isClaimed).toBe(true);
      await expect(pay(app, clock, merchant, id, 'third')).rejects.toMatchObject({
        code: 'session_not_claimed',
      });
      expect((await claim('first')).isClaimed).toBe(false);
    });

    test.for([
      ['7 days after it was made', false, 7 * 24 * 60],
      ['1 hour after it was opened', true, 60],
    ] as const)(
      'expires %s, even before the job has run',
      async ([_, isOpened, minutes], { app, clock, merchant }) => {
        const { id } = await newSession(app, merchant);
        const { service } = app.context;
        if (isOpened) await claimSession(service, { id, browserToken: 'b', canTakeOver: false, now: noon });
        clock.set(minutesAfter(noon, minutes));
        expect((await callAsMerchant(app, merchant, 'GET', `/sessions/${id}`)).json.status).toBe(
          isOpened ? 'initiated' : 'created',
        );
        clock.set(new Date(minutesAfter(noon, minutes).getTime() + 1));
        expect((await callAsMerchant(app, merchant, 'GET', `/sessions/${id}`)).json.status).toBe('expired');
        await expect(pay(app, clock, merchant, id)).rejects.toMatchObject({ code: 'session_expired' });
        await expireSessions(service, { now: clock.now() });
        expect(await service.prisma.checkoutSession.findUnique({ where: { id } })).toMatchObject({
          status: 'expired',
        });
        clock.set(noon);
      },
    );

    test('cannot be charged after it was cancelled', async ({ app, clock, merchant }) => {
      const { id } = await newSession(app, merchant);
      await cancelSession(app.context.service, { id, actor: 'customer', now: noon });
      await expect(pay(app, clock, merchant, id)).rejects.toMatchObject({ code: 'session_cancelled' });
    });
  });
});

describe('POST /checkout-link', () => {
  const test = systemTimeAppTest;

  const post = (app: TestApp, merchant: NewMerchant, url: string, body: unknown, keys = merchant.keys.live) =>
    callApi(app.app, { method: 'POST', url, keys, body });

  const input = (merchant: NewMerchant) => ({
    amount: 20,
    currency: 'USD',
    apiKey: merchant.keys.live.publishableKey,
  });

  test('returns the URL of a checkout page', async ({ app, merchant }) => {
    const { status, json } = await post(app, merchant, '/checkout-link', {
      ...input(merchant),
      paymentMethods: { SG: [], HK: ['fps'] },
    });
    expect(status).toBe(200);
    expect(json.checkoutLink).toMatch(/^http:\/\/127\.0\.0\.1:4000\/checkout\?link=lnk_[0-9a-z]+$/);
  });

  test('returns a URL with isSandbox=true in the sandbox', async ({ app, merchant }) => {
    const { sandbox } = merchant.keys;
    const { json } = await post(
      app,
      merchant,
      '/checkout-link',
      { ...input(merchant), apiKey: sandbox.publishableKey },
      sandbox,
    );
    expect(json.checkoutLink).toMatch(/&isSandbox=true$/);
  });

  test.for([
    [{ paymentMethods: { US: [] } }, '/paymentMethods/US'],
    [{ paymentMethods: { SG: ['fps'] } }, '/paymentMethods/SG/0'],
    [{ apiKey: 'pk_live_unknown' }, '/apiKey'],
    [{ apiKey: undefined }, '/apiKey'],
  ] as const)('returns 400 for %o and names %s', async ([changes, path], { app, merchant }) => {
    const { status, json } = await post(app, merchant, '/checkout-link', { ...input(merchant), ...changes });
    expect([status, json.errors[0].path]).toEqual([400, path]);
  });

  test('rejects the publishable key of another merchant or of the other mode', async ({ app, merchant }) => {
    const other = await seedMerchant(app.context.service, {}, new Date());
    for (const { publishableKey } of [other.keys.live, merchant.keys.sandbox]) {
      expect(
        (await post(app, merchant, '/checkout-link', { ...input(merchant), apiKey: publishableKey })).status,
      ).toBe(400);
    }
  });
});

describe('Exchange rate', () => {
  rateTest(
    'The maximum age of rates applies to live charges, sessions, links and checkouts',
    async ({ app, service }) => {
      const real = await seedMerchant(service, { hasDemoAccounts: false }, now);
      await seedReceivingAccount(service, real, {}, now);
      const { live } = real.keys;
      const old = new Date(now.getTime() - 3 * dayMs).toISOString().slice(0, 10);
      const twoDaysAgo = new Date(now.getTime() - 2 * dayMs);
      const listErrors = async () => {
        const body = { amount: 10, currency: 'CHF' };
        const responses = [
          await post(
            app,
            '/charges',
            { email: 'r@example.com', merchantAmount: 10, merchantCurrency: 'CHF', method: 'fps' },
            live,
          ),
          await post(app, '/sessions', body, live),
          await post(app, '/checkout-link', { ...body, apiKey: live.publishableKey }, live),
          await get(app, '/forex?sourceCurrency=CHF&sourceAmount=10&destinationCurrency=HKD', live),
        ].map(({ status, json }) => [status, json.code]);
        const page = await app.app.inject(`/checkout?apiKey=${live.publishableKey}&amount=10&currency=CHF`);
        return [...responses, page.statusCode];
      };
      expect(await listErrors()).toEqual([
        [422, 'rate_unavailable'],
        [400, 'rate_unavailable'],
        [422, 'rate_unavailable'],
        [422, 'rate_unavailable'],
        422,
      ]);
      const text = JSON.stringify({ base: 'EUR', date: old, rates: { CHF: 0.93 } });
      await importRates(service, { text, source: 'old', now: twoDaysAgo });
      expect((await listErrors()).at(0)).toEqual([201, undefined]);
      const realOwner = await signInAs('owner', app, real);
      await realOwner.ask(update, { variables: { input: { maxRateAgeDays: 1 } } });
      expect(await listErrors()).toEqual([
        [422, 'rate_stale'],
        [400, 'rate_stale'],
        [422, 'rate_stale'],
        [422, 'rate_stale'],
        422,
      ]);
      expect((await get(app, '/currencies', live)).json).not.toContain('CHF');
      const sandbox = { email: 's@example.com', merchantAmount: 10, merchantCurrency: 'CHF', method: 'fps' };
      expect((await post(app, '/charges', sandbox, real.keys.sandbox)).status).toBe(201);
    },
  );
});
