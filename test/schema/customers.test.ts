import { describe, expect } from 'vitest';
import type { UserRole } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { fakeTimeGraphqlTest } from '../setup/app-fixtures.ts';
import { type ApiAuth, type GraphqlApp, type Json, mutate, readAllPages } from '../setup/graphql.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { seedMail, seedSms, sendDueMessages } from '../setup/messages.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { createVisitor } from '../setup/visitor.ts';

/** The IDs of seven customers, newest first. */
const test = fakeTimeGraphqlTest
  .extend('ids', { scope: 'file' }, async ({ app, service }) => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) {
      const input = { email: `C${i}@Example.com` };
      const charge = await seedCharge(service, app.merchant, { input, now: minutesAfter(noon, i) });
      ids.unshift(charge.customerId);
      await service.prisma.customer.update({
        where: { id: charge.customerId },
        data: { phone: `+8525123000${i}` },
      });
    }
    await seedCharge(service, app.otherMerchant, { input: { email: 'c1@example.com' } });
    await seedCharge(service, app.merchant, { mode: 'sandbox', input: { email: 'c1@example.com' } });
    return ids;
  })
  .extend('merchant', async ({ service }) => {
    // The tests use the same phone number, whose messages are limited.
    await service.prisma.phoneVerification.deleteMany();
    await service.prisma.message.deleteMany();
    return seedMerchant(service);
  });

const listCustomers = async (app: GraphqlApp, args: string) => {
  const { data, errors } = await app.ask(
    `{ customers(${args}) { totalCount nodes { id email phone } pageInfo { hasNextPage endCursor } } }`,
  );
  expect(errors).toBeUndefined();
  return data.customers;
};

test('customers pages through the customers of the merchant and mode, newest first', async ({ app, ids }) => {
  const listed = await readAllPages(async (cursor) => {
    const { nodes, pageInfo } = await listCustomers(app, `first: 3${cursor ? `, after: "${cursor}"` : ''}`);
    return {
      ids: nodes.map(({ id }: Json) => id),
      cursor: pageInfo.endCursor,
      hasMore: pageInfo.hasNextPage,
    };
  });
  expect(listed).toEqual(ids);
  expect((await listCustomers(app, 'first: 1')).totalCount).toBe(7);
});

test.for([
  ['email: "c3@EXAMPLE.com"', 3],
  ['phone: "+85251230004"', 4],
  ['phone: "85251230004"', 4],
] as const)('customers(filter: { %s }) finds one customer', async ([filter, number], { app, ids }) => {
  const { nodes, totalCount } = await listCustomers(app, `filter: { ${filter} }`);
  const customer = { id: ids[6 - number], email: `c${number}@example.com`, phone: `+8525123000${number}` };
  expect([nodes, totalCount]).toEqual([[customer], 1]);
});

test('customer(id) finds no customer of another merchant or mode', async ({ app, ids }) => {
  const query = `{ customer(id: "${ids[0]}") { id } }`;
  expect((await app.ask(query)).data).toEqual({ customer: { id: ids[0] } });
  for (const as of [app.otherMerchant.keys.live, app.merchant.keys.sandbox]) {
    expect((await app.ask(query, { as })).data).toEqual({ customer: null });
  }
});

const phone = { code: '+66', phone: '812345678' };

const change = (
  app: GraphqlApp,
  merchant: NewMerchant,
  name: string,
  input: object,
  fields: string,
  as = merchant.keys.sandbox,
): Promise<Json> => mutate(app, name, input, fields, as);

const send = (app: GraphqlApp, merchant: NewMerchant, input: object = {}, as = merchant.keys.sandbox) =>
  change(app, merchant, 'requestPhoneVerification', { phone, ...input }, 'isSuccess', as);

const verify = (app: GraphqlApp, merchant: NewMerchant, code: string, as = merchant.keys.sandbox) =>
  change(app, merchant, 'verifyPhone', { phone, code }, 'verificationCode', as);

const charge = (app: GraphqlApp, merchant: NewMerchant, verificationCode: string) =>
  change(
    app,
    merchant,
    'createCharge',
    { verificationCode, merchantAmount: '10', merchantCurrency: 'HKD', method: 'fps' },
    'charge { id customer { phone email } } isDuplicate',
  );

async function readCode(app: GraphqlApp, merchant: NewMerchant): Promise<string> {
  const { data } = await app.ask('{ outboundMessages(first: 1) { nodes { kind channel recipient text } } }', {
    as: merchant.keys.sandbox,
  });
  const [message] = data.outboundMessages.nodes;
  expect(message).toMatchObject({ kind: 'phone_code', channel: 'sms', recipient: '+66812345678' });
  return /\d{6}/.exec(message.text)![0];
}

describe('Phone verification', () => {
  test('gives a verification code that creates one charge', async ({ app, merchant }) => {
    expect(await send(app, merchant, { locale: 'en' })).toEqual({
      __typename: 'RequestPhoneVerificationSuccess',
      isSuccess: true,
    });
    const { verificationCode } = await verify(app, merchant, await readCode(app, merchant));
    const created = await charge(app, merchant, verificationCode);
    expect(created).toMatchObject({
      isDuplicate: false,
      charge: { customer: { phone: '+66812345678', email: null } },
    });
    expect(await charge(app, merchant, verificationCode)).toMatchObject({
      __typename: 'UnprocessableError',
      code: 'verification_code_invalid',
    });
  });

  test('returns the error types for wrong codes, unsupported countries and too many requests', async ({
    app,
    merchant,
    clock,
  }) => {
    await send(app, merchant);
    expect(await verify(app, merchant, 'not it')).toMatchObject({
      __typename: 'UnprocessableError',
      code: 'verification_code_invalid',
    });
    expect(await send(app, merchant, { phone: { code: '+49', phone: '15123456789' } })).toMatchObject({
      __typename: 'InvalidRequestError',
      errors: [{ path: '/phone/code' }],
    });
    for (let n = 0; n < 4; n++) await send(app, merchant);
    clock.set(minutesAfter(noon, 20));
    expect(await send(app, merchant)).toMatchObject({
      __typename: 'RateLimitedError',
      code: 'rate_limited',
      retryAfterSeconds: 40 * 60,
    });
  });

  test('is a restricted endpoint with live keys', async ({ app, service, merchant }) => {
    const plain = await seedMerchant(service, { restrictedAccess: 'none' });
    const restricted = { __typename: 'PermissionError', code: 'restricted_endpoint' };
    expect(await send(app, merchant, {}, plain.keys.live)).toMatchObject(restricted);
    expect(await verify(app, merchant, '123456', plain.keys.live)).toMatchObject(restricted);
    expect(await send(app, merchant, {}, plain.keys.sandbox)).toMatchObject({ isSuccess: true });
  });

  test('uses the machine’s time if the sandbox’s test clock is ahead', async ({ app, service, merchant }) => {
    await service.prisma.merchant.update({
      where: { id: merchant.merchant.id },
      data: { testClockOffsetMs: 86_400_000n },
    });
    await send(app, merchant);
    const { verificationCode } = await verify(app, merchant, await readCode(app, merchant));
    expect(await charge(app, merchant, verificationCode)).toMatchObject({ isDuplicate: false });
  });
});

const toMerchantId = (merchant: NewMerchant) => ({ merchantId: merchant.merchant.id });

const messagesQuery = `query ($filter: OutboundMessageFilter) { outboundMessages(filter: $filter) { totalCount nodes {
  id channel audience kind recipient subject text html locale status attemptCount lastError nextAttemptAt finishedAt
} } }`;

async function messages(
  app: GraphqlApp,
  merchant: NewMerchant,
  filter: object = {},
  as: ApiAuth = merchant.keys.live,
) {
  const { data, errors } = await app.ask(messagesQuery, { variables: { filter }, as });
  expect(errors).toBeUndefined();
  expect(data.outboundMessages.totalCount).toBe(data.outboundMessages.nodes.length);
  return data.outboundMessages.nodes;
}

describe('Outbound messages', () => {
  test('are readable without a mail server, after they have reached the dev mailbox', async ({
    app,
    service,
    merchant,
  }) => {
    const id = await seedMail(service, toMerchantId(merchant));
    expect(await messages(app, merchant)).toMatchObject([
      { id, status: 'pending', text: null, html: null, subject: 'Your refund' },
    ]);
    await sendDueMessages(service, 'email', {});
    expect(await messages(app, merchant)).toEqual([
      {
        id,
        channel: 'email',
        audience: 'customer',
        kind: 'invoice_due',
        recipient: 'ada@example.com',
        subject: 'Your refund',
        text: expect.stringContaining('https://pay.example/pay/refund/secret'),
        html: expect.stringContaining('<html lang="en">'),
        locale: 'en',
        status: 'captured',
        attemptCount: 0,
        lastError: null,
        nextAttemptAt: null,
        finishedAt: expect.any(String),
      },
    ]);
  });

  test('with the link of a refund show their text only to users who may refund', async ({
    app,
    service,
    merchant,
    clock,
  }) => {
    const charge = await seedCompletedCharge(service, merchant, { now: clock.now() });
    const owner = {
      ...toMerchantId(merchant),
      mode: 'sandbox',
      actor: 'key:test',
      now: clock.now(),
    } as const;
    await createRefund(service, { ...owner, input: { chargeId: charge.id, customerAmount: 1 } });
    await sendDueMessages(service, 'email', {});
    const read = async (role: UserRole) => {
      const user = await signInAs(role, app, merchant);
      const query = '{ outboundMessages(filter: { channel: email }) { nodes { kind text } } }';
      return (await user.ask(query, { mode: 'sandbox' })).data.outboundMessages.nodes;
    };
    const text = expect.stringContaining('/pay/refund/');
    expect(await read('developer')).toEqual([{ kind: 'refund_link', text }]);
    expect(await read('support')).toEqual([{ kind: 'refund_link', text: null }]);
  });

  test('do not show their text after they were sent', async ({ app, service, merchant }) => {
    await using server = await startMailServer();
    await seedMail(service, toMerchantId(merchant));
    const settings = { smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom: 'pay@shop.example' };
    await sendDueMessages(service, 'email', settings);
    expect(await messages(app, merchant)).toMatchObject([
      { status: 'sent', attemptCount: 1, text: null, html: null },
    ]);
  });

  test('show the error of the last attempt', async ({ app, service, merchant }) => {
    await seedMail(service, toMerchantId(merchant));
    await sendDueMessages(service, 'email', {
      smtpUrl: 'smtp://127.0.0.1:1',
      mailFrom: 'pay@shop.example',
    });
    expect(await messages(app, merchant)).toMatchObject([
      { status: 'pending', lastError: 'the mail server cannot be reached (ECONNREFUSED)', text: null },
    ]);
  });

  test('belong to the caller’s merchant and mode', async ({ app, service, merchant }) => {
    await seedMail(service, { ...toMerchantId(merchant), mode: 'sandbox' });
    const live = await seedSms(service, toMerchantId(merchant));
    await seedMail(service, { merchantId: app.otherMerchant.merchant.id });
    await seedMail(service, { merchantId: null, mode: null, audience: 'staff' });
    expect(await messages(app, merchant)).toMatchObject([{ id: live }]);
    expect(await messages(app, merchant, {}, merchant.keys.sandbox)).toHaveLength(1);
    const { data } = await app.ask(
      'query ($id: ID!) { node(id: $id) { id } outboundMessage(id: $id) { id } }',
      {
        variables: { id: live },
        as: app.otherMerchant.keys.live,
      },
    );
    expect(data).toEqual({ node: null, outboundMessage: null });
  });

  test('are filtered by channel, status and recipient', async ({ app, service, merchant }) => {
    const sms = await seedSms(service, toMerchantId(merchant));
    const mail = await seedMail(service, { ...toMerchantId(merchant), to: 'Bob@Example.com' });
    await sendDueMessages(service, 'sms', {});
    expect(await messages(app, merchant, { channel: 'sms' })).toMatchObject([{ id: sms }]);
    expect(await messages(app, merchant, { statuses: 'pending' })).toMatchObject([{ id: mail }]);
    expect(await messages(app, merchant, { recipient: 'bob@example.com' })).toMatchObject([{ id: mail }]);
    expect(await messages(app, merchant, { recipient: 'bob%' })).toEqual([]);
  });

  test('to the merchant’s staff are visible to signed-in owners only, because they may give access to the account', async ({
    app,
    service,
    merchant,
  }) => {
    const team = { ...toMerchantId(merchant), audience: 'staff' } as const;
    const reset = await seedMail(service, { ...team, mode: null, kind: 'password-reset' });
    const change = await seedMail(service, { ...team, mode: 'live', kind: 'receiving-account' });
    await sendDueMessages(service, 'email', {});
    const byId = '($id: ID!) { node(id: $id) { id } outboundMessage(id: $id) { id } }';

    expect(await messages(app, merchant)).toEqual([]);
    for (const id of [reset, change]) {
      const { data } = await app.ask(`query ${byId}`, { variables: { id }, as: merchant.keys.live });
      expect(data).toEqual({ node: null, outboundMessage: null });
    }
    for (const role of ['developer', 'support'] as const) {
      const user = await signInAs(role, app, merchant);
      expect((await user.ask(messagesQuery)).data.outboundMessages.nodes).toEqual([]);
      for (const id of [reset, change]) {
        const { data } = await user.ask(`query ${byId}`, { variables: { id } });
        expect(data).toEqual({ node: null, outboundMessage: null });
      }
    }

    const owner = createVisitor(app.app, { address: '192.0.2.1' });
    await owner.signIn(merchant.email, merchant.password);
    const readMessages = async (mode: 'live' | 'sandbox') =>
      (await owner.ask(messagesQuery, { mode })).data.outboundMessages.nodes;
    const captured = { audience: 'staff', status: 'captured' };
    const inLive = await readMessages('live');
    expect(inLive).toHaveLength(2);
    for (const id of [reset, change])
      expect(inLive).toContainEqual(expect.objectContaining({ id, ...captured }));
    expect(await readMessages('sandbox')).toMatchObject([{ id: reset, ...captured }]);
  });
});
