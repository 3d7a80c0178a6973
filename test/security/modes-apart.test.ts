import { describe, expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { createCancelConfirmation } from '../../src/domain/billing/subscription/cancel-confirmation.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import {
  createCancelToken,
  createClientToken,
  createCreatorToken,
  createPageToken,
} from '../../src/domain/payments/checkout/page-tokens.ts';
import { hashCode } from '../../src/domain/payments/phone-verification/verify-phone.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { buildExports } from '../../src/domain/payouts/export/build-exports.ts';
import { createExport } from '../../src/domain/payouts/export/create-export.ts';
import { signingPurposes } from '../../src/kit/secrets.ts';
import { newToken } from '../../src/kit/token.ts';
import { basicAuth, callApi } from '../setup/api.ts';
import { toOwnerCaller } from '../setup/callers.ts';
import { payForm, seedCheckoutLink } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { setupGraphqlApp } from '../setup/graphql.ts';
import { readContent } from '../setup/messages.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon, seedCharge } from '../setup/seed.ts';
import { readInvoices, seedActiveSubscription, seedPlan, seedSubscription } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/**
 * Everything signed, and every token and key that a caller sends, is tried in the other mode. The forged one is what the
 * other mode's key signs over the very text of the object: no leaked, stolen or requested sandbox value can be more.
 */

const modes = ['live', 'sandbox'] as const;
const app = await setupGraphqlApp(onCleanup, { clock: createFakeClock(noon) });
const { service } = app.context;
const { secrets, prisma } = service;
const { merchant } = app.merchant;
const visitor = () => createPageVisitor(app.app);
const otherThan = (mode: Mode): Mode => (mode === 'live' ? 'sandbox' : 'live');
const query = (mode: Mode) => (mode === 'sandbox' ? 'isSandbox=true' : '');

let customers = 0;
const newEmail = () => `customer${customers++}@example.com`;
const newCharge = (mode: Mode) => seedCharge(service, app.merchant, { mode, input: { email: newEmail() } });

async function newSubscription(mode: Mode) {
  const plan = await seedPlan(service, app.merchant, { mode });
  return (await seedSubscription(service, app.merchant, { plan, email: newEmail() })).subscription;
}

async function newLink(mode: Mode) {
  const { id } = await seedPlan(service, app.merchant, { mode });
  return createSubscriptionLink(service, { merchant, mode, input: { subscriptionPlanId: id }, now: noon });
}

async function opens(kind: string, token: string, mode: Mode): Promise<boolean> {
  return (await visitor().get(`/pay/${kind}/${token}?${query(mode)}`)).status === 200;
}

async function refundOf(mode: Mode) {
  const charge = await newCharge(mode);
  await payCharge(service, app.merchant, charge, { now: noon });
  const { refund } = await createRefund(service, {
    ...{ merchantId: merchant.id, mode, actor: 'test', now: noon },
    input: { chargeId: charge.id, customerAmount: 1 },
  });
  return refund;
}

type ModePurpose = {
  [P in keyof typeof signingPurposes]: (typeof signingPurposes)[P] extends 'mode' ? P : never;
}[keyof typeof signingPurposes];

/** For each purpose: whether an object of mode `target` accepts what the key of mode `signer` signed for it. */
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
    const { statusCode } = await app.app.inject({ method: 'PATCH', url: `/charges/${id}/cancel`, headers });
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
  async 'refund-page'(target, signer) {
    const refund = await refundOf(target);
    return opens('refund', createPageToken(secrets, 'refund', { ...refund, mode: signer }), target);
  },
  async 'subscription-page'(target, signer) {
    const subscription = await newSubscription(target);
    const token = createPageToken(secrets, 'subscription', { ...subscription, mode: signer });
    const isOpened = await opens('subscription', token, target);
    // The browser that enrolled keeps it in a cookie, by which the same enrolment is found again.
    const link = await prisma.subscriptionLink.findUniqueOrThrow({ where: { id: subscription.linkId! } });
    const url = `/pay/enrol/${createPageToken(secrets, 'enrol', link)}?${query(target)}`;
    const form = { method: 'fps', email: subscription.email!, form: '' };
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
    const phone = { code: '+852', phone: `5123${4000 + customers++}` };
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

describe('what the key of one mode signs', () => {
  for (const [purpose, tryOut] of Object.entries(accepts))
    for (const target of modes)
      test(`is valid as ${purpose} in ${target} mode only if it is of that mode`, async () => {
        expect(await tryOut(target, otherThan(target))).toBe(false);
        expect(await tryOut(target, target)).toBe(true);
      });

  test('is tried for every purpose of a mode, and what belongs to no mode is listed', () => {
    const ofKind = (kind: string) =>
      Object.entries(signingPurposes).flatMap(([purpose, one]) => (one === kind ? [purpose] : []));
    expect(Object.keys(accepts).sort()).toEqual(ofKind('mode').sort());
    // Users sign in to both modes at once, and the sandbox sends no SMS.
    expect(ofKind('installation')).toEqual(['known-browser', 'sms-gateway']);
  });
});

describe.each(modes)('in %s mode', (target) => {
  const other = otherThan(target);
  const call = (mode: Mode, method: 'GET' | 'POST', url: string, body?: object, headers = {}) =>
    callApi(app.app, { method, url, keys: app.merchant.keys[mode], headers, ...(body && { body }) });

  test('a token issued in the other mode is for its own object alone', async () => {
    const [mine, theirs] = [await newCharge(target), await newCharge(other)];
    const as = { token: createClientToken(secrets, theirs) };
    const { data } = await app.ask(`{ charge(id: "${mine.id}") { id } }`, { as });
    expect(data.charge).toBeNull();
    expect((await visitor().get(`/checkout?charge=${as.token}&${query(target)}`)).status).not.toBe(200);
  });

  test('an idempotency key of the other mode is another key', async () => {
    const charge = { email: newEmail(), merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };
    const headers = { 'idempotency-key': `shared key ${target}` };
    const [theirs, again] = [
      await call(other, 'POST', '/charges', charge, headers),
      await call(other, 'POST', '/charges', charge, headers),
    ];
    expect(again.json).toEqual(theirs.json);
    const mine = await call(target, 'POST', '/charges', { ...charge, merchantAmount: 6 }, headers);
    expect([mine.status, mine.json.id === theirs.json.id]).toEqual([201, false]);
  });

  test('a verification code of the other mode verifies nothing', async () => {
    const phone = { code: '+852', phone: `5123${4000 + customers++}` };
    await call(other, 'POST', '/customers/phone/verification', { phone });
    const sms = await prisma.message.findFirstOrThrow({
      where: { recipient: `${phone.code}${phone.phone}`, kind: 'phone-code' },
    });
    const { text } = await readContent(service, sms);
    const code = /\d{6}/.exec(text)![0];
    expect((await call(target, 'POST', '/customers/phone/verify', { phone, code })).status).not.toBe(200);
    const verified = await call(other, 'POST', '/customers/phone/verify', { phone, code });
    expect(verified.status).toBe(200);
    const { verificationCode } = verified.json;
    const charge = { verificationCode, merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };
    const refused = await call(target, 'POST', '/charges', charge);
    expect(refused.json.code).toBe('verification_code_invalid');
    expect((await call(other, 'POST', '/charges', charge)).status).toBe(201);
  });

  test('an export of the other mode is not found', async () => {
    const caller = { ...toOwnerCaller(app.merchant), mode: other };
    const { id } = await createExport(service, { caller, input: { kind: 'charges', where: {} }, now: noon });
    await buildExports(service, { clock: app.context.clock });
    const download = (mode: Mode) =>
      app.app.inject({
        url: `/exports/${id}/file`,
        headers: { authorization: basicAuth(app.merchant.keys[mode]) },
      });
    expect([(await download(target)).statusCode, (await download(other)).statusCode]).toEqual([404, 200]);
  });

  test('a form token of the other mode makes another enrolment', async () => {
    const [mine, theirs] = [await newLink(target), await newLink(other)];
    const form = { method: 'fps', email: newEmail(), form: newToken() };
    for (const [link, mode] of [
      [theirs, other],
      [theirs, other],
      [mine, target],
    ] as const)
      await visitor().post(`/pay/enrol/${createPageToken(secrets, 'enrol', link)}?${query(mode)}`, form);
    const enrolled = await prisma.subscription.findMany({
      where: { linkId: { in: [mine.id, theirs.id] } },
      select: { mode: true },
    });
    expect(enrolled.map(({ mode }) => mode).sort()).toEqual(['live', 'sandbox']);
  });
});
