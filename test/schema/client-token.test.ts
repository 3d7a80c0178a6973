import { beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { chargeSession } from '../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { seedSession } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock, type FakeClock } from '../setup/fake-clock.ts';
import { type ApiAuth, type GraphqlApp, type Json, setupGraphqlApp } from '../setup/graphql.ts';
import { minutesAfter, seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
let clock: FakeClock;
const start = new Date('2026-11-20T12:00:00Z');
const dayMinutes = 24 * 60;

beforeAll(async () => {
  clock = createFakeClock(start);
  app = await setupGraphqlApp(onCleanup, { clock });
});

const chargeOf = (email: string) =>
  seedCharge(app.context.service, app.merchant, { input: { email }, now: clock.now() });
const sessionOf = () =>
  seedSession(app.context.service, app.merchant, {
    input: { amount: '128.50', currency: 'HKD', customer: { email: 'ada@example.com' } },
    now: clock.now(),
  });
const tokenOf = (object: { id: string; mode: Mode }): ApiAuth => ({
  token: createClientToken(app.context.service.secrets, object),
});

describe('a client token of a charge', () => {
  const charge = (id: string, fields = 'id') => `{ charge(id: "${id}") { ${fields} } }`;

  test('opens that charge alone', async () => {
    const [mine, other] = [await chargeOf('mine@example.com'), await chargeOf('other@example.com')];
    const as = tokenOf(mine);
    expect((await app.ask(charge(mine.id), { as })).data.charge).toEqual({ id: mine.id });
    expect((await app.ask(charge(other.id), { as })).data.charge).toBeNull();
    const { data } = await app.ask('{ paymentMethods { code } }', { as });
    expect(data.paymentMethods).not.toEqual([]);
  });

  test('reads the charge without the fields that only the merchant sees', async () => {
    const mine = await chargeOf('fields@example.com');
    const owner = { merchantId: mine.merchantId, mode: mine.mode, actor: 'key:test', now: clock.now() };
    await payCharge(app.context.service, app.merchant, mine, { now: clock.now() });
    await createRefund(app.context.service, { ...owner, input: { chargeId: mine.id, customerAmount: 1 } });
    const fields = `id allocations { id } amountRefundable customer { id } events { id } hasLatePayment
      notifications { id } receivingAccount { id } transfers { id }
      refunds { status customer { id } events { id } payingAccount { id } payoutReference payouts { id } }`;
    const { data, errors } = await app.ask(charge(mine.id, fields), { as: tokenOf(mine) });
    const denied = { customer: null, events: null };
    expect(data.charge).toEqual({
      id: mine.id,
      ...denied,
      allocations: null,
      amountRefundable: null,
      hasLatePayment: null,
      notifications: null,
      receivingAccount: null,
      transfers: null,
      refunds: [
        { status: 'initiated', ...denied, payingAccount: null, payoutReference: null, payouts: null },
      ],
    });
    const deniedPaths = errors.map(({ path, extensions }: Json) => [path.length, extensions.code]);
    expect(deniedPaths.toSorted()).toEqual([
      ...Array(8).fill([2, 'permission_denied']),
      ...Array(5).fill([4, 'permission_denied']),
    ]);
  });

  const cancelAs = async (id: string, as: ApiAuth) => {
    const { data } = await app.ask(
      'mutation ($id: ID!) { cancelCharge(input: { id: $id }) { ... on CancelChargeSuccess { charge { status } } ... on UserError { code } } }',
      { variables: { id }, as },
    );
    return data.cancelCharge;
  };

  test('cancels it as the customer, and no other', async () => {
    const [mine, other] = [await chargeOf('cancel1@example.com'), await chargeOf('cancel2@example.com')];
    expect(await cancelAs(other.id, tokenOf(mine))).toEqual({ code: 'charge_not_found' });
    expect(await cancelAs(mine.id, tokenOf(mine))).toEqual({ charge: { status: 'cancelled' } });
    const event = await app.context.service.prisma.event.findFirstOrThrow({
      where: { objectId: mine.id, type: 'charge_cancelled' },
    });
    expect(event.actor).toBe('customer');
  });

  test('does not cancel it once it has received money; the merchant can', async () => {
    const mine = await chargeOf('money@example.com');
    await payCharge(app.context.service, app.merchant, mine, { minor: 100n, now: clock.now() });
    expect(await cancelAs(mine.id, tokenOf(mine))).toEqual({ code: 'charge_not_pending' });
    expect(await cancelAs(mine.id, app.merchant.keys.live)).toEqual({ charge: { status: 'cancelled' } });
  });

  test.each(['completed', 'cancelled', 'expired'])('ends 24 hours after it has (%s)', async (how) => {
    clock.set(start);
    const mine = await chargeOf(`ends-${how}@example.com`);
    const own = { id: mine.id, merchantId: mine.merchantId, mode: mine.mode };
    const end = how === 'expired' ? mine.expiresAt : minutesAfter(start, 5);
    if (how === 'expired') await expireCharges(app.context.service, { now: minutesAfter(start, 31) });
    if (how === 'cancelled')
      await cancelCharge(app.context.service, { ...own, by: 'merchant', actor: 'x', now: end });
    if (how === 'completed') {
      const data = { status: 'completed' as const, completedAt: end };
      await app.context.service.prisma.charge.update({ where: { id: mine.id }, data });
    }
    clock.set(minutesAfter(end, dayMinutes));
    expect((await app.ask(charge(mine.id), { as: tokenOf(mine) })).status).toBe(200);
    clock.set(new Date(minutesAfter(end, dayMinutes).getTime() + 1));
    const after = await app.ask(charge(mine.id), { as: tokenOf(mine) });
    expect([after.status, after.errors[0].extensions.code]).toEqual([401, 'unauthenticated']);
    clock.set(start);
  });
});

describe('a client token of a session', () => {
  test('opens that session and its charge, and cancels both', async () => {
    const [mine, other] = [await sessionOf(), await sessionOf()];
    const as = tokenOf(mine);
    const query = (id: string) =>
      `{ session(id: "${id}") { id status amount methods checkoutUrl charge { id status } } }`;
    expect((await app.ask(query(mine.id), { as })).data.session).toMatchObject({
      status: 'created',
      charge: null,
    });
    expect((await app.ask(query(other.id), { as })).data.session).toBeNull();
    const { session } = await claimSession(app.context.service, {
      id: mine.id,
      browserToken: 'b',
      takeOver: false,
      now: start,
    });
    const customer = { email: 'ada@example.com' };
    const { merchant } = app.merchant;
    const options = { merchant, session, browserToken: 'b', method: 'fps' as const, customer, now: start };
    const charge = await chargeSession(app.context.service, options);
    expect((await app.ask(query(mine.id), { as })).data.session.charge).toEqual({
      id: charge.id,
      status: 'pending',
    });
    expect((await app.ask(`{ charge(id: "${charge.id}") { id } }`, { as })).data.charge).toEqual({
      id: charge.id,
    });
    const cancel = `mutation { cancelCharge(input: { id: "${charge.id}" }) { __typename } }`;
    expect((await app.ask(cancel, { as: tokenOf(other) })).data.cancelCharge.__typename).toBe(
      'NotFoundError',
    );
    expect((await app.ask(cancel, { as })).data.cancelCharge.__typename).toBe('CancelChargeSuccess');
    const cancelOther = `mutation { cancelSession(input: { id: "${other.id}" }) { __typename } }`;
    expect((await app.ask(cancelOther, { as })).data.cancelSession.__typename).toBe('NotFoundError');
    expect((await app.ask(cancelOther, { as: tokenOf(other) })).data.cancelSession.__typename).toBe(
      'CancelSessionSuccess',
    );
  });

  test('does not show with what the page is filled in, nor where the merchant is told', async () => {
    const mine = await sessionOf();
    for (const field of ['customer { email }', 'notifyUrl', 'notifyPayload']) {
      const { data, errors } = await app.ask(`{ session(id: "${mine.id}") { ${field} } }`, {
        as: tokenOf(mine),
      });
      expect(data.session === null || Object.values(data.session)[0] === null).toBe(true);
      expect(errors[0].extensions.code).toBe('permission_denied');
    }
  });

  test('of an unused one ends 24 hours after the session expired', async () => {
    const { service } = app.context;
    const mine = await seedSession(service, app.merchant, { mode: 'sandbox', now: clock.now() });
    const query = `{ session(id: "${mine.id}") { status } }`;
    // The sandbox's clock ends the session, and no token.
    await service.prisma.merchant.update({
      where: { id: mine.merchantId },
      data: { testClockOffsetMs: 30n * 86_400_000n },
    });
    expect((await app.ask(query, { as: tokenOf(mine) })).data.session).toEqual({ status: 'expired' });
    clock.set(minutesAfter(mine.expiresAt, dayMinutes));
    expect((await app.ask(query, { as: tokenOf(mine) })).data.session).toEqual({ status: 'expired' });
    clock.set(minutesAfter(mine.expiresAt, dayMinutes + 1));
    expect((await app.ask(query, { as: tokenOf(mine) })).status).toBe(401);
    clock.set(start);
  });
});
