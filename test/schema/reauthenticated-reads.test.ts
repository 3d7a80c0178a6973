import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { noon, seedApiKey, seedCharge } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { payCharge } from '../setup/transfers.ts';
import { reauthenticate, signInWithTwoFactor } from '../setup/users.ts';

const onCleanup = cleanupAfterFile();

/** What users read of live refunds only with a recent code, and who read it. */

const clock = createFakeClock(noon);
let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock });
});

beforeEach(() => clock.set(noon));

/** A refund of a paid live charge whose customer has given payout details; its id. */
async function createAnsweredRefund(): Promise<string> {
  const charge = await createPaidCharge();
  const input = { chargeId: charge.id, customerAmount: '5' };
  const { id } = (await mutate(app, 'createRefund', input, 'refund { id }')).refund;
  await mutate(app, 'submitRefundDetails', { id, ...payoutDetails });
  return id;
}

async function createPaidCharge(): Promise<Charge> {
  const { service } = app.context;
  const charge = await seedCharge(service, app.merchant);
  await payCharge(service, app.merchant, charge, { now: noon });
  return charge;
}

const payoutDetails = { bank: '004', account: '123456789', accountName: 'Ada Wong' };

test('the bank details and the page of a live refund are shown only with a recent code', async () => {
  const charge = await createPaidCharge();
  const { user: owner, secret } = await signInWithTwoFactor('owner', app, { clock });
  await reauthenticate(owner, { secret, clock });
  const [asked, answered] = await Promise.all(
    [1, 2].map(
      async () =>
        (
          await mutate(
            app,
            'createRefund',
            { chargeId: charge.id, customerAmount: '5' },
            'refund { id detailsUrl }',
          )
        ).refund.id as string,
    ),
  );
  await mutate(app, 'submitRefundDetails', { id: answered, ...payoutDetails });
  const seen = async (ask: (query: string) => Promise<{ data: Json }>) => {
    const { data } = await ask(`{ asked: refund(id: "${asked}") { detailsUrl }
      answered: refund(id: "${answered}") { payoutDetails { account } } }`);
    return [data.asked.detailsUrl?.includes('/pay/refund/') ?? null, data.answered.payoutDetails];
  };
  const shown = [true, { account: payoutDetails.account }];
  expect(await seen(owner.ask)).toEqual(shown);
  clock.advance(15 * minuteMs);
  expect(await seen(owner.ask)).toEqual([null, null]);
  const colleague = await signInAs('owner', app, app.merchant);
  expect(await seen(colleague.ask)).toEqual(shown);
  expect(await seen(app.ask)).toEqual(shown);
});

test('reading bank details leaves one audit entry an hour for each reader and refund', async () => {
  const { service } = app.context;
  const id = await createAnsweredRefund();
  const owner = await signInAs('owner', app, app.merchant);
  const read = (ask: (query: string) => Promise<Json>) =>
    ask(`{ refundsAwaitingPayout(first: 50) { nodes { id payoutDetails { account } } } }`);
  const entries = () =>
    service.prisma.auditEntry.findMany({
      where: { action: 'refund.details_read', objectId: id },
      orderBy: { id: 'asc' },
      select: { actor: true, ipAddress: true, mode: true },
    });
  await owner.ask(`{ refund(id: "${id}") { status } }`);
  expect(await entries()).toEqual([]);
  await read(owner.ask);
  await read(owner.ask);
  await read(app.ask);
  const both = [
    { actor: expect.stringMatching(/^user:/), ipAddress: owner.address, mode: 'live' },
    { actor: expect.stringMatching(/^key:/), ipAddress: '127.0.0.1', mode: 'live' },
  ];
  expect(await entries()).toEqual(both);
  clock.advance(60 * minuteMs);
  await read(owner.ask);
  expect(await entries()).toEqual([...both, both[0]]);
});

test('a repeated answer holds no link of a refund for a user, and the whole first answer for an API key', async () => {
  const charge = await createPaidCharge();
  const { user: owner, secret } = await signInWithTwoFactor('owner', app, { clock });
  const query = `mutation { createRefund(input: { chargeId: "${charge.id}", customerAmount: "5" }) {
    ... on CreateRefundSuccess { refund { id detailsUrl charge { refunds { detailsUrl } } } } } }`;
  const headers = { 'idempotency-key': 'once more' };
  await reauthenticate(owner, { secret, clock });
  const first = (await owner.ask(query, { headers })).data.createRefund.refund;
  expect(first.detailsUrl).toContain('/pay/refund/');
  clock.advance(15 * minuteMs);
  const repeated = (await owner.ask(query, { headers })).data.createRefund.refund;
  expect(repeated.id).toBe(first.id);
  expect(JSON.stringify(repeated)).not.toContain('/pay/refund/');

  const byKey = { headers: { 'idempotency-key': 'once more by a key' } };
  const answers = [await app.ask(query, byKey), await app.ask(query, byKey)];
  expect(answers[1]!.data).toEqual(answers[0]!.data);
  expect(JSON.stringify(answers[1]!.data)).toContain('/pay/refund/');
});

test('a key that may only record transfers reopens a refund and does not see its page', async () => {
  const { service } = app.context;
  const id = await createAnsweredRefund();
  const reopen = (as: Json) =>
    mutate(app, 'reopenRefund', { id, reason: 'The account is closed' }, 'refund { detailsUrl }', as);
  const transfers = await seedApiKey(service, app.merchant, { permissions: ['read', 'transfers'] });
  expect((await reopen(transfers)).refund).toEqual({ detailsUrl: null });
  await mutate(app, 'submitRefundDetails', { id, ...payoutDetails });
  const both = await seedApiKey(service, app.merchant, { permissions: ['read', 'transfers', 'refund'] });
  expect((await reopen(both)).refund.detailsUrl).toContain('/pay/refund/');
});
