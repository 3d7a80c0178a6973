import { beforeAll, expect, test } from 'vitest';
import { testClock } from '../setup/clock.ts';
import { type GraphqlApp, graphqlApp, type Json, mutate } from '../setup/graphql.ts';
import { makeCharge, minutesAfter, noon } from '../setup/makers.ts';
import { updateAccount } from '../setup/receiving-accounts.ts';
import { password, signedInAs } from '../setup/sign-in.ts';
import { payCharge } from '../setup/transfers.ts';
import { appCode, turnOnSecondFactor } from '../setup/users.ts';
import { makeVisitor } from '../setup/visitor.ts';

/** Where live money goes is changed by a user with a second factor only when they give it again. */

const clock = testClock(noon);
let app: GraphqlApp;

beforeAll(async () => {
  app = await graphqlApp({ clock });
});

test('it is asked for again, for five minutes and in one session; not in the sandbox, nor of keys', async () => {
  const owner = await signedInAs('owner', app, app.merchant);
  const { secret } = await turnOnSecondFactor(owner, { password, clock });
  const { prisma } = app.context.service;
  const merchantId = app.merchant.merchant.id;
  const [live, sandbox] = await Promise.all(
    (['live', 'sandbox'] as const).map((mode) =>
      prisma.receivingAccount.findFirstOrThrow({ where: { merchantId, mode, method: 'fps' } }),
    ),
  );
  let weight = 0;
  const change = async (id: string | undefined, ask: typeof owner.ask = owner.ask) => {
    const answer = await updateAccount(ask, { id, weight: ++weight });
    return answer.code ?? answer.__typename;
  };
  expect(await change(live?.id)).toBe('second_factor_required');
  clock.set(minutesAfter(noon, 1));
  expect((await mutate(owner, 'proveSecondFactor', { code: '000000' })).code).toBe(
    'verification_code_invalid',
  );
  await mutate(owner, 'proveSecondFactor', { code: appCode(secret, clock.now()) });
  expect(await change(live?.id)).toBe('UpdateReceivingAccountSuccess');

  // Signing in with a code elsewhere is no proof there.
  clock.set(minutesAfter(noon, 3));
  const elsewhere = makeVisitor(app.app, { address: '203.0.113.8' });
  await elsewhere.signIn(owner.email, password, { code: appCode(secret, clock.now()) });
  expect(await change(live?.id, elsewhere.ask)).toBe('second_factor_required');
  expect(await change(live?.id)).toBe('UpdateReceivingAccountSuccess');
  clock.set(minutesAfter(noon, 6));
  expect(await change(live?.id)).toBe('second_factor_required');

  const inSandbox: typeof owner.ask = (query, options) => owner.ask(query, { ...options, mode: 'sandbox' });
  expect(await change(sandbox?.id, inSandbox)).toBe('UpdateReceivingAccountSuccess');
  const byKey = await updateAccount(app.ask, { id: live?.id, weight: 7 });
  expect(byKey.__typename).toBe('UpdateReceivingAccountSuccess');
});

test('so is what could change it unasked: live keys, and another owner', async () => {
  clock.set(noon);
  const owner = await signedInAs('owner', app, app.merchant);
  const colleague = await signedInAs('support', app, app.merchant);
  const key = { name: 'Till', kind: 'secret', permissions: ['manage'] };
  const { apiKey } = await mutate(owner, 'createApiKey', key, 'apiKey { id }');
  const invited = await mutate(
    owner,
    'inviteUser',
    { email: 'new@example.com', role: 'owner' },
    'invitation { id }',
  );
  const { id: userId } = (await colleague.ask('{ viewer { user { id } } }')).data.viewer.user;
  const { secret } = await turnOnSecondFactor(owner, { password, clock });
  const acts: [name: string, input: object][] = [
    ['createApiKey', key],
    ['updateApiKey', { id: apiKey.id, permissions: ['manage', 'transfers'] }],
    ['rotateApiKey', { id: apiKey.id }],
    ['inviteUser', { email: 'newer@example.com', role: 'owner' }],
    ['resendInvitation', { id: invited.invitation.id }],
    ['updateUser', { id: userId, role: 'owner' }],
  ];
  for (const [name, input] of acts)
    expect([name, (await mutate(owner, name, input)).code]).toEqual([name, 'second_factor_required']);
  // What opens no way to the money is not asked for.
  const inSandbox = {
    ask: (query: string, options: object) => owner.ask(query, { ...options, mode: 'sandbox' as const }),
  };
  for (const answer of [
    await mutate(inSandbox, 'createApiKey', key),
    await mutate(owner, 'inviteUser', { email: 'newest@example.com', role: 'developer' }),
    await mutate(owner, 'updateUser', { id: userId, role: 'developer' }),
  ])
    expect(answer.__typename).toMatch(/Success$/);
  clock.set(minutesAfter(noon, 1));
  await mutate(owner, 'proveSecondFactor', { code: appCode(secret, clock.now()) });
  for (const [name, input] of acts)
    expect([name, (await mutate(owner, name, input)).__typename]).toEqual([
      name,
      `${name.charAt(0).toUpperCase()}${name.slice(1)}Success`,
    ]);
});

test('so is where a live refund goes: to tell it, and to see the link of the page that asks', async () => {
  clock.set(noon);
  const { service } = app.context;
  const owner = await signedInAs('owner', app, app.merchant);
  const charge = await makeCharge(service, app.merchant);
  await payCharge(service, app.merchant, charge, { now: noon });
  const { secret } = await turnOnSecondFactor(owner, { password, clock });
  const created = await mutate(
    owner,
    'createRefund',
    { chargeId: charge.id, customerAmount: '5' },
    'refund { id detailsUrl }',
  );
  const { id } = created.refund;
  // Where there is no mail server the worker leaves it there.
  await service.prisma.message.updateMany({
    where: { kind: 'refund-link' },
    data: { status: 'mailbox', nextAttemptAt: null, finishedAt: noon },
  });
  const told = { id, bank: '004', account: '123456789', holder: 'Ada Wong' };
  const seen = async (ask: (query: string) => Promise<{ data: Json }>) => {
    const { data } = await ask(`{ refund(id: "${id}") { detailsUrl }
      messages(first: 1, filter: { to: "ada@example.com" }) { nodes { kind status text html } } }`);
    const [mail] = data.messages.nodes;
    expect([mail.kind, mail.status]).toEqual(['refund-link', 'mailbox']);
    return [data.refund.detailsUrl, mail.text, mail.html].map((one) => one?.includes('/pay/refund/') ?? null);
  };
  expect(created.refund.detailsUrl).toBe(null);
  expect(await seen(owner.ask)).toEqual([null, null, null]);
  expect((await mutate(owner, 'submitRefundDetails', told)).code).toBe('second_factor_required');

  clock.set(minutesAfter(noon, 1));
  await mutate(owner, 'proveSecondFactor', { code: appCode(secret, clock.now()) });
  expect(await seen(owner.ask)).toEqual([true, true, true]);
  clock.set(minutesAfter(noon, 6));
  expect(await seen(owner.ask)).toEqual([null, null, null]);
  expect((await mutate(owner, 'submitRefundDetails', told)).code).toBe('second_factor_required');

  // Whoever has no second factor, and keys, are not asked.
  const colleague = await signedInAs('owner', app, app.merchant);
  expect(await seen(colleague.ask)).toEqual([true, true, true]);
  expect(await seen(app.ask)).toEqual([true, true, true]);
  expect((await mutate(app, 'submitRefundDetails', told)).__typename).toBe('SubmitRefundDetailsSuccess');
});
