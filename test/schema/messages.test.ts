import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { UserRole } from '../../prisma/client/client.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { seedMail, seedSms, sendDueMessages } from '../setup/messages.ts';
import { seedCompletedCharge } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { createVisitor } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** The dev mailbox, and the log of what was sent, over GraphQL. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

beforeEach(async () => {
  await app.context.service.prisma.message.deleteMany();
});

const mine = () => ({ merchantId: app.merchant.merchant.id });
const list = `query ($filter: OutboundMessageFilter) { outboundMessages(filter: $filter) { totalCount nodes {
  id channel audience kind recipient subject text html locale status attemptCount lastError nextAttemptAt finishedAt
} } }`;

async function messages(filter: object = {}, as = app.merchant.keys.live) {
  const { data, errors } = await app.ask(list, { variables: { filter }, as });
  expect(errors).toBeUndefined();
  expect(data.outboundMessages.totalCount).toBe(data.outboundMessages.nodes.length);
  return data.outboundMessages.nodes;
}

describe('messages', () => {
  test('without a mail server can be read here, once they have reached the mailbox', async () => {
    const id = await seedMail(app.context.service, mine());
    expect(await messages()).toMatchObject([
      { id, status: 'pending', text: null, html: null, subject: 'Your refund' },
    ]);
    await sendDueMessages(app.context.service, 'email', {});
    expect(await messages()).toEqual([
      {
        id,
        channel: 'email',
        audience: 'customer',
        kind: 'test',
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

  test('with the link of a refund are read by those alone who may say where its money goes', async () => {
    const { service } = app.context;
    const charge = await seedCompletedCharge(service, app.merchant, { now: new Date() });
    const owner = { ...mine(), mode: 'sandbox', actor: 'key:test', now: new Date() } as const;
    await createRefund(service, { ...owner, input: { chargeId: charge.id, customerAmount: 1 } });
    await sendDueMessages(service, 'email', {});
    const read = async (role: UserRole) => {
      const user = await signInAs(role, app, app.merchant);
      const query = '{ outboundMessages(filter: { channel: email }) { nodes { kind text } } }';
      return (await user.ask(query, { mode: 'sandbox' })).data.outboundMessages.nodes;
    };
    const text = expect.stringContaining('/pay/refund/');
    expect(await read('developer')).toEqual([{ kind: 'refund-link', text }]);
    expect(await read('support')).toEqual([{ kind: 'refund-link', text: null }]);
  });

  test('that were sent tell that, and no more what they said', async () => {
    await using server = await startMailServer();
    await seedMail(app.context.service, mine());
    const settings = { smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom: 'pay@shop.example' };
    await sendDueMessages(app.context.service, 'email', settings);
    expect(await messages()).toMatchObject([{ status: 'sent', attemptCount: 1, text: null, html: null }]);
  });

  test('that are tried again tell why', async () => {
    await seedMail(app.context.service, mine());
    await sendDueMessages(app.context.service, 'email', {
      smtpUrl: 'smtp://127.0.0.1:1',
      mailFrom: 'pay@shop.example',
    });
    expect(await messages()).toMatchObject([
      { status: 'pending', lastError: 'the mail server cannot be reached (ECONNREFUSED)', text: null },
    ]);
  });

  test('are those of the caller’s merchant and mode', async () => {
    const { service } = app.context;
    await seedMail(service, { ...mine(), mode: 'sandbox' });
    const live = await seedSms(service, mine());
    await seedMail(service, { merchantId: app.otherMerchant.merchant.id });
    await seedMail(service, { merchantId: null, mode: null, audience: 'staff' });
    expect(await messages()).toMatchObject([{ id: live }]);
    expect(await messages({}, app.merchant.keys.sandbox)).toHaveLength(1);
    const { data } = await app.ask(
      'query ($id: ID!) { node(id: $id) { id } outboundMessage(id: $id) { id } }',
      {
        variables: { id: live },
        as: app.otherMerchant.keys.live,
      },
    );
    expect(data).toEqual({ node: null, outboundMessage: null });
  });

  test('are filtered by channel, status and receiver', async () => {
    const { service } = app.context;
    const sms = await seedSms(service, mine());
    const mail = await seedMail(service, { ...mine(), to: 'Bob@Example.com' });
    await sendDueMessages(service, 'sms', {});
    expect(await messages({ channel: 'sms' })).toMatchObject([{ id: sms }]);
    expect(await messages({ statuses: 'pending' })).toMatchObject([{ id: mail }]);
    expect(await messages({ recipient: 'bob@example.com' })).toMatchObject([{ id: mail }]);
    expect(await messages({ recipient: 'bob%' })).toEqual([]);
  });

  test('to the merchant’s own people are seen by signed-in owners alone: they may open the account', async () => {
    const { service } = app.context;
    const team = { ...mine(), audience: 'staff' } as const;
    const reset = await seedMail(service, { ...team, mode: null, kind: 'password-reset' });
    const change = await seedMail(service, { ...team, mode: 'live', kind: 'receiving-account-change' });
    await sendDueMessages(service, 'email', {});
    const byId = '($id: ID!) { node(id: $id) { id } outboundMessage(id: $id) { id } }';

    expect(await messages()).toEqual([]);
    for (const id of [reset, change]) {
      const { data } = await app.ask(`query ${byId}`, { variables: { id } });
      expect(data).toEqual({ node: null, outboundMessage: null });
    }
    for (const role of ['developer', 'support'] as const) {
      const user = await signInAs(role, app, app.merchant);
      expect((await user.ask(list)).data.outboundMessages.nodes).toEqual([]);
      for (const id of [reset, change]) {
        const { data } = await user.ask(`query ${byId}`, { variables: { id } });
        expect(data).toEqual({ node: null, outboundMessage: null });
      }
    }

    const owner = createVisitor(app.app, { address: '192.0.2.1' });
    await owner.signIn(app.merchant.email, app.merchant.password);
    const seen = async (mode: 'live' | 'sandbox') =>
      (await owner.ask(list, { mode })).data.outboundMessages.nodes;
    const kept = { audience: 'staff', status: 'captured' };
    const inLive = await seen('live');
    expect(inLive).toHaveLength(2);
    for (const id of [reset, change]) expect(inLive).toContainEqual(expect.objectContaining({ id, ...kept }));
    expect(await seen('sandbox')).toMatchObject([{ id: reset, ...kept }]);
  });
});
