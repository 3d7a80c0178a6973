import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelSession } from '../../src/domain/payments/session/cancel-session.ts';
import { chargeSession } from '../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { expireSessions } from '../../src/domain/payments/session/expire-sessions.ts';
import { methodCodes } from '../../src/method/catalogue.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { testClock } from '../setup/clock.ts';
import { makeMerchant, minutesAfter, noon } from '../setup/makers.ts';

let app: TestApp;
let merchant: NewMerchant;
const clock = testClock(noon);

beforeAll(async () => {
  app = await testApp({ clock });
  merchant = await makeMerchant(app.context.service);
});

const call = (method: 'GET' | 'POST', url: string, body?: unknown, keys = merchant.keys.live) =>
  callApi(app.app, { method, url, keys, body });

const newSession = async (body: object = {}) =>
  (await call('POST', '/sessions', { amount: 20, currency: 'USD', ...body })).json;

/** What the checkout page does when the customer opens it and chooses. */
async function pay(id: string, browserToken = 'browser') {
  const { service } = app.context;
  const { session } = await claimSession(service, { id, browserToken, takeOver: false, now: clock.now() });
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
  test('answers 201 with the documented session and the methods that are available', async () => {
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
    const { status, json } = await call('POST', '/sessions', input);
    expect(status).toBe(201);
    expect(json).toEqual({
      ...input,
      id: expect.stringMatching(/^ses_/),
      status: 'created',
      methods: [...methodCodes],
      customer: { ...contact, ...names },
      createdAt: noon.toISOString(),
      updatedAt: noon.toISOString(),
    });
    expect((await call('GET', `/sessions/${json.id}`)).json).toEqual(json);
    expect((await newSession({ customer: names })).customer).toEqual(names);
  });

  test('offers only the methods asked for', async () => {
    const session = await newSession({ methods: ['paynow', 'fps'] });
    expect(session.methods).toEqual(['fps', 'paynow']);
  });

  test.each([
    [{ amount: 20 }, 'invalid_request'],
    [{ amount: 20, currency: 'usd' }, 'currency_unsupported'],
    [{ amount: 20, currency: 'USD', methods: ['cash'] }, 'invalid_request'],
    [{ amount: 99_000_000, currency: 'USD', methods: ['fps'] }, 'amount_out_of_range'],
    [{ amount: 20, currency: 'XOF' }, 'rate_unavailable'],
    [{ amount: 20, currency: 'USD', redirectUrl: 'javascript:alert(1)' }, 'invalid_request'],
    [{ amount: 20, currency: 'USD', notifyUrl: 'http://shop.example/' }, 'invalid_request'],
  ])('%o is 400 with the code %s', async (body, code) => {
    const { status, json } = await call('POST', '/sessions', body);
    expect([status, json.code]).toEqual([400, code]);
  });

  test('says why the first of the methods cannot take the amount, where none can', async () => {
    const refusalOf = async (...methods: string[]) =>
      (await call('POST', '/sessions', { amount: 99_000_000, currency: 'USD', methods })).json.detail;
    expect(await refusalOf('fps', 'paynow')).toBe(await refusalOf('fps'));
    expect(await refusalOf('fps')).not.toBe(await refusalOf('paynow'));
  });

  test('without a receiving account for live money: 400 method_unavailable', async () => {
    const bare = await makeMerchant(app.context.service, { demoAccounts: false });
    const { status, json } = await call('POST', '/sessions', { amount: 20, currency: 'USD' }, bare.keys.live);
    expect([status, json.code]).toEqual([400, 'method_unavailable']);
  });
});

describe('a session', () => {
  test('is initiated by the customer’s browser and charged once, with what the customer sent', async () => {
    const given = { notifyUrl: 'https://shop.example/notify', notifyPayload: 'order 7' };
    const phone = { code: '+852', phone: '51234567' };
    const customer = { email: 'gift@example.com', phone, first_name: 'Ada', last_name: 'Wong' };
    const { id } = await newSession({ ...given, customer });
    expect((await call('GET', `/sessions/${id}/charge`)).json.code).toBe('charge_not_found');
    const [charge, again] = [await pay(id), await pay(id).catch((error) => error.code)];
    expect(again).toBe('session_already_used');
    expect((await call('GET', `/sessions/${id}`)).json.status).toBe('charged');
    const { json } = await call('GET', `/sessions/${id}/charge`);
    expect(json).toMatchObject({
      ...{ id: charge.id, sessionId: id, method: 'paynow', status: 'pending', ...given },
    });
    expect(json.customer).toEqual({ id: expect.any(String), email: 'ada@example.com' });
  });

  test('gets one charge when the browser asks twenty times at once', async () => {
    const { id } = await newSession();
    const { service } = app.context;
    const { session } = await claimSession(service, {
      id,
      browserToken: 'b',
      takeOver: false,
      now: clock.now(),
    });
    const customer = { email: 'ada@example.com' };
    const ask = () =>
      chargeSession(service, {
        merchant: merchant.merchant,
        session,
        browserToken: 'b',
        method: 'fps',
        customer,
        now: clock.now(),
      });
    const charges = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(charges.map((charge) => charge.id)).size).toBe(1);
    expect(await service.prisma.charge.count({ where: { sessionId: id } })).toBe(1);
  });

  test('belongs to the browser that opened it until another one takes it over', async () => {
    const { id } = await newSession();
    const { service } = app.context;
    const claim = (browserToken: string, takeOver = false) =>
      claimSession(service, { id, browserToken, takeOver, now: clock.now() });
    expect((await claim('first')).isHeld).toBe(true);
    expect((await claim('second')).isHeld).toBe(false);
    expect((await claim('second', true)).isHeld).toBe(true);
    await expect(pay(id, 'third')).rejects.toMatchObject({ code: 'session_not_claimed' });
    expect((await claim('first')).isHeld).toBe(false);
  });

  test.each([
    ['7 days after it was made', false, 7 * 24 * 60],
    ['1 hour after it was opened', true, 60],
  ])('expires %s, job or no job', async (_, isOpened, minutes) => {
    const { id } = await newSession();
    const { service } = app.context;
    if (isOpened) await claimSession(service, { id, browserToken: 'b', takeOver: false, now: noon });
    clock.set(minutesAfter(noon, minutes));
    expect((await call('GET', `/sessions/${id}`)).json.status).toBe(isOpened ? 'initiated' : 'created');
    clock.set(new Date(minutesAfter(noon, minutes).getTime() + 1));
    expect((await call('GET', `/sessions/${id}`)).json.status).toBe('expired');
    await expect(pay(id)).rejects.toMatchObject({ code: 'session_expired' });
    await expireSessions(service, { now: clock.now() });
    expect(await service.prisma.checkoutSession.findUnique({ where: { id } })).toMatchObject({
      status: 'expired',
    });
    clock.set(noon);
  });

  test('that was cancelled is not charged', async () => {
    const { id } = await newSession();
    await cancelSession(app.context.service, { id, actor: 'customer', now: noon });
    await expect(pay(id)).rejects.toMatchObject({ code: 'session_cancelled' });
  });
});
