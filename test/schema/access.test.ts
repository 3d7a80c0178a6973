import { afterEach, beforeEach, describe, expect, onTestFinished, vi } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { withReauthorization } from '../../schema/kit/with-reauthorization.ts';
import type { ModeKeys, NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { storeUpload } from '../../src/domain/platform/upload/store-upload.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { abortable } from '../../src/live/abortable.ts';
import { fakeTimeGraphqlTest, graphqlTest } from '../setup/app-fixtures.ts';
import { seedSession } from '../setup/checkout.ts';
import {
  createWebSocketClient,
  type GraphqlApp,
  maskIds,
  mutate,
  subscribeOverSse,
  subscribeOverWebSocket,
} from '../setup/graphql.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { payCharge, seedUnmatchedTransfer } from '../setup/transfers.ts';
import { publicOrigin } from '../setup/visitor.ts';

type Objects = Record<'pending' | 'paid' | 'exception' | 'account' | 'refund' | 'upload', string>;

async function seedObjects(service: Service, merchant: NewMerchant, mode: Mode): Promise<Objects> {
  const owner = { merchantId: merchant.merchant.id, mode, actor: 'key:test', now: noon };
  const charge = await seedCharge(service, merchant, { mode });
  const exception = await seedUnmatchedTransfer(service, merchant, { charge, minor: 12_850n });
  const paid = await seedCharge(service, merchant, { mode, input: { email: 'bo@example.com' } });
  await payCharge(service, merchant, paid, { now: noon });
  const { refund } = await createRefund(service, {
    ...owner,
    input: { chargeId: paid.id, customerAmount: 5 },
  });
  const details = { bank: '004', account: '123456789', holder: 'Bo Chan' };
  await submitRefundDetails(service, { ...owner, id: refund.id, details });
  async function* source() {
    yield Buffer.from('Date,Amount,Reference\n2026-11-17,5.00,tea\n');
  }
  const upload = await storeUpload(service, { ...owner, fileName: 'march.csv', source: source() });
  return {
    pending: charge.id,
    paid: paid.id,
    exception: exception.id,
    account: charge.receivingAccountId,
    refund: refund.id,
    upload: upload.id,
  };
}

/** `own`: objects of a merchant; `elsewhere`: missing IDs, those of another merchant and those of the other mode. */
const ownIdsTest = fakeTimeGraphqlTest
  .extend('own', { scope: 'file' }, ({ app, service }) => seedObjects(service, app.merchant, 'live'))
  .extend('elsewhere', { scope: 'file' }, async ({ app, service, own }) => {
    const missing = Object.fromEntries(
      Object.entries(own).map(([noun, id]) => [noun, `${id.slice(0, -4)}zzzz`]),
    ) as Objects;
    return [
      missing,
      await seedObjects(service, app.otherMerchant, 'live'),
      await seedObjects(service, app.merchant, 'sandbox'),
    ];
  });

/** Inputs that would be valid if `other` belonged to the caller. */
const inputs: [name: string, input: (own: Objects, other: Objects) => object][] = [
  ['acceptShortfall', (_own, { pending }) => ({ id: pending })],
  ['extendCharge', (_own, { pending }) => ({ id: pending, days: 3 })],
  ['assignTransfer', (own, { pending }) => ({ id: own.exception, chargeId: pending })],
  ['assignTransfer', (own, { exception }) => ({ id: exception, chargeId: own.pending })],
  ['splitTransfer', (own, { pending }) => ({ id: own.exception, parts: [{ chargeId: pending }] })],
  [
    'splitTransfer',
    (own, { pending }) => ({
      id: own.exception,
      parts: [{ chargeId: own.pending, amount: '1' }, { chargeId: pending }],
    }),
  ],
  ['markTransferAsDuplicate', (own, { exception }) => ({ id: own.exception, duplicateOfId: exception })],
  ['unassignTransfer', (own, { paid }) => ({ id: own.exception, chargeId: paid })],
  ['importStatement', (own, { upload }) => ({ receivingAccountId: own.account, uploadId: upload })],
  ['importStatement', (own, { account }) => ({ receivingAccountId: account, uploadId: own.upload })],
  ['previewStatement', (own, { upload }) => ({ receivingAccountId: own.account, uploadId: upload })],
  ['previewStatement', (own, { account }) => ({ receivingAccountId: account, uploadId: own.upload })],
  ['createExport', (_mine, { refund }) => ({ kind: 'payouts', refundIds: [refund] })],
  [
    'createExport',
    (own, { account }) => ({ kind: 'payouts', payingAccountId: account, refundIds: [own.refund] }),
  ],
];

/** All rows of both merchants. */
async function readEverything({ prisma }: Service): Promise<unknown> {
  const orderBy = { id: 'asc' } as const;
  return [
    await prisma.charge.findMany({ orderBy }),
    await prisma.transfer.findMany({ orderBy }),
    await prisma.allocation.findMany({ orderBy }),
    await prisma.refund.findMany({ orderBy }),
    await prisma.statement.count(),
    await prisma.export.count(),
    await prisma.event.count(),
  ];
}

describe('Merchants and modes', () => {
  const test = graphqlTest;

  const now = new Date();

  describe('another merchant and the other mode', () => {
    const all = `query ($id: ID!, $session: ID!) {
    charge(id: $id) { id } node(id: $id) { id } nodes(ids: [$id, $session]) { id } session(id: $session) { id }
  }`;

    test('cannot see a charge or session', async ({ app }) => {
      const { service } = app.context;
      const charge = await seedCharge(service, app.merchant, { now });
      const session = await seedSession(service, app.merchant, { now });
      const variables = { id: charge.id, session: session.id };
      const { data: own } = await app.ask(all, { variables });
      expect(own).toEqual({
        charge: { id: charge.id },
        node: { id: charge.id },
        nodes: [{ id: charge.id }, { id: variables.session }],
        session: { id: variables.session },
      });
      for (const as of [app.otherMerchant.keys.live, app.merchant.keys.sandbox]) {
        const { data } = await app.ask(all, { variables, as });
        expect(data).toEqual({ charge: null, node: null, nodes: [null, null], session: null });
      }
    });
  });

  test('me is the calling merchant in the mode of the credentials', async ({ app }) => {
    const query =
      '{ me { id name mode restrictedAccess isDemo isSecureModeEnabled underpaymentTolerance redirectSchemes } }';
    const { data } = await app.ask(query, { as: app.merchant.keys.sandbox });
    expect(data.me).toEqual({
      id: app.merchant.merchant.id,
      name: 'Harbour Teas',
      mode: 'sandbox',
      restrictedAccess: 'granted',
      isDemo: true,
      isSecureModeEnabled: false,
      underpaymentTolerance: '0',
      redirectSchemes: [],
    });
  });
});

describe('An id of another merchant or mode', () => {
  ownIdsTest(
    'is not found by mutations among own ids, and changes nothing',
    async ({ app, service, own, elsewhere }) => {
      const before = await readEverything(service);
      for (const [name, input] of inputs) {
        const responses = [];
        for (const other of elsewhere) {
          responses.push(maskIds(await mutate(app, name, input(own, other))));
        }
        const [none] = responses;
        expect([name, none.__typename]).toEqual([name, expect.stringMatching(/Error$/)]);
        expect([name, responses]).toEqual([name, elsewhere.map(() => none)]);
      }
      expect(await readEverything(service)).toEqual(before);
    },
  );

  ownIdsTest('is an invalid receiving account in recordTransfers', async ({ app, elsewhere }) => {
    for (const { account: receivingAccountId } of elsewhere) {
      const item = {
        bankReference: 'FEED-1',
        amount: '5',
        currency: 'HKD',
        reference: 'tea',
        paidAt: '2026-11-17',
      };
      const { data, errors } = await app.ask(
        `mutation ($input: RecordTransfersInput!) { recordTransfers(input: $input) {
        ... on RecordTransfersSuccess { results { reason transfer { id } } } } }`,
        { variables: { input: { transfers: [{ ...item, receivingAccountId }] } } },
      );
      expect(errors).toBeUndefined();
      expect(data.recordTransfers.results).toEqual([{ reason: 'invalid', transfer: null }]);
    }
  });

  ownIdsTest('finds nothing as the filter of own lists', async ({ app, service, own, elsewhere }) => {
    const listed = async (other: Objects) => {
      const { data } = await app.ask(`{
      refunds(filter: { chargeId: "${other.paid}" }) { totalCount nodes { id } }
      transfers(filter: { receivingAccountId: "${other.account}" }) { totalCount nodes { id } }
      notifications(filter: { chargeId: "${other.paid}" }) { totalCount nodes { id } } }`);
      return data;
    };
    const none = { totalCount: 0, nodes: [] };
    for (const other of elsewhere)
      expect(await listed(other)).toEqual({ refunds: none, transfers: none, notifications: none });
    expect((await listed(own)).refunds.totalCount).toBe(1);
    await expectInvariants(service);
  });
});

describe('Permissions during live updates', () => {
  const test = graphqlTest;

  const now = new Date();

  const follow = 'subscription ($id: ID!) { chargeUpdated(id: $id) { status } }';

  const pending = { data: { chargeUpdated: { status: 'pending' } } };

  /** A new merchant with a charge, and a function that cancels it. */
  async function seedMerchantWithCharge(app: GraphqlApp) {
    const merchant = await seedMerchant(app.context.service, {}, now);
    const { id, merchantId, mode } = await seedCharge(app.context.service, merchant, { now });
    const cancel = () =>
      cancelCharge(app.context.service, { merchantId, mode, id, by: 'merchant', actor: 'key:test', now });
    return { merchant, id, cancel };
  }

  const changeKey = (app: GraphqlApp, { apiKey }: ModeKeys, data: object) =>
    app.context.service.prisma.apiKey.update({ where: { key: apiKey }, data });

  describe.each([
    ['a WebSocket', subscribeOverWebSocket],
    ['server-sent events', subscribeOverSse],
  ])('over %s', (_name, open) => {
    test('a revoked key does not receive the next change, and the stream ends', async ({ app }) => {
      const { merchant, id, cancel } = await seedMerchantWithCharge(app);
      const stream = open(onTestFinished, app.url, merchant.keys.live, follow, { id });
      expect(await stream.next()).toEqual(pending);
      await changeKey(app, merchant.keys.live, { revokedAt: now });
      await cancel();
      const end = await stream.next().catch((closed) => closed);
      if (open === subscribeOverWebSocket) expect(end).toMatchObject({ code: 4401 });
      else expect(end).toMatchObject({ errors: [{ extensions: { code: 'unauthenticated' } }] });
      expect(end.data).toBeUndefined();
      await stream.close();
    });

    test.for([
      [
        'a key without the permission read',
        (app: GraphqlApp, merchant: NewMerchant) =>
          changeKey(app, merchant.keys.live, { permissions: ['write'] }),
      ],
      [
        'a merchant whose field was disabled',
        (app: GraphqlApp, { merchant }: NewMerchant) =>
          app.context.service.prisma.merchant.update({
            where: { id: merchant.id },
            data: { disabledOperations: ['chargeUpdated'] },
          }),
      ],
    ] as const)(
      '%s receives an error instead of the next change, and the stream ends',
      async ([_who, revoke], { app }) => {
        const { merchant, id, cancel } = await seedMerchantWithCharge(app);
        const stream = open(onTestFinished, app.url, merchant.keys.live, follow, { id });
        expect(await stream.next()).toEqual(pending);
        await revoke(app, merchant);
        await cancel();
        const rejection = await stream.next();
        expect(rejection).toMatchObject({ errors: [{ extensions: { code: 'permission_denied' } }] });
        expect(rejection.data).toBeUndefined();
        expect(await stream.next()).toBe('the end');
        await stream.close();
      },
    );

    test('a key with more permissions still receives changes', async ({ app }) => {
      const { merchant, id, cancel } = await seedMerchantWithCharge(app);
      await changeKey(app, merchant.keys.live, { permissions: ['read'] });
      const stream = open(onTestFinished, app.url, merchant.keys.live, follow, { id });
      expect(await stream.next()).toEqual(pending);
      await changeKey(app, merchant.keys.live, { permissions: ['read', 'write'] });
      await cancel();
      expect(await stream.next()).toEqual({ data: { chargeUpdated: { status: 'cancelled' } } });
      await stream.close();
    });
  });

  test('subscribers of one charge receive the fields they may see', async ({ app }) => {
    const { merchant, id, cancel } = await seedMerchantWithCharge(app);
    const token = createClientToken(app.context.service.secrets, { id, mode: 'live' });
    const document = 'subscription ($id: ID!) { chargeUpdated(id: $id) { status email } }';
    const [own, page, foreign] = [merchant.keys.live, { token }, app.otherMerchant.keys.live].map((as) =>
      subscribeOverWebSocket(onTestFinished, app.url, as, document, { id }),
    );
    const expectedEvents = (status: string) => [
      { data: { chargeUpdated: { status, email: 'ada@example.com' } } },
      {
        data: { chargeUpdated: { status, email: null } },
        errors: [{ path: ['chargeUpdated', 'email'], extensions: { code: 'permission_denied' } }],
      },
    ];
    expect(await foreign!.next()).toEqual({ data: { chargeUpdated: null } });
    for (const status of ['pending', 'cancelled']) {
      expect(await Promise.all([own!.next(), page!.next()])).toMatchObject(expectedEvents(status));
      if (status === 'pending') await cancel();
    }
    for (const stream of [own, page, foreign]) await stream!.close();
  });

  /** Subscribes to a charge from the dashboard of a signed-in user. */
  function subscribeFromDashboard(app: GraphqlApp, user: SignedInUser, id: string) {
    const headers = { origin: publicOrigin, cookie: user.cookie()! };
    return createWebSocketClient(onTestFinished, app.url, { mode: 'live' }, headers).iterate({
      query: follow,
      variables: { id },
    });
  }

  test('the connection of a user who signed out elsewhere is closed with 4401', async ({ app }) => {
    const { merchant, id, cancel } = await seedMerchantWithCharge(app);
    const user = await signInAs('owner', app, merchant);
    const stream = subscribeFromDashboard(app, user, id);
    expect((await stream.next()).value).toMatchObject(pending);
    await user.ask('mutation { signOut { __typename } }');
    await cancel();
    await expect(stream.next()).rejects.toMatchObject({ code: 4401 });
  });

  test('a user whose role changed receives an error, even if the new role may subscribe', async ({ app }) => {
    const { merchant, id, cancel } = await seedMerchantWithCharge(app);
    const owner = await signInAs('owner', app, merchant);
    const user = await signInAs('support', app, merchant);
    const { data } = await user.ask('{ viewer { user { id } } }');
    const stream = subscribeFromDashboard(app, user, id);
    expect((await stream.next()).value).toMatchObject(pending);
    await mutate(owner, 'updateUser', { id: data.viewer.user.id, role: 'developer' });
    await cancel();
    const { value } = await stream.next();
    expect(value).toMatchObject({ errors: [{ extensions: { code: 'permission_denied' } }] });
    expect(value?.data).toBeUndefined();
  });

  test('an operation on a connection whose key was revoked closes the connection', async ({ app }) => {
    const { merchant } = await seedMerchantWithCharge(app);
    const first = subscribeOverWebSocket(onTestFinished, app.url, merchant.keys.live, '{ me { name } }');
    expect(await first.next()).toMatchObject({ data: { me: { name: 'Harbour Teas' } } });
    await changeKey(app, merchant.keys.live, { revokedAt: now });
    const second = subscribeOverWebSocket(onTestFinished, app.url, merchant.keys.live, '{ me { name } }');
    await expect(second.next()).rejects.toMatchObject({ code: 4401 });
  });

  describe('a stream without events', () => {
    const intervalMs = 1_000;
    let isOpen = false;
    /** Yields once. */
    const createQuietSource = () =>
      abortable(async function* (signal) {
        isOpen = true;
        yield 'first';
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        isOpen = false;
      });

    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    });
    afterEach(() => {
      const timerCount = vi.getTimerCount();
      vi.useRealTimers();
      expect([isOpen, timerCount]).toEqual([false, 0]);
    });

    test('ends when the credentials end', async () => {
      let isAllowed = true;
      const check = async () => {
        if (!isAllowed) throw new DomainError('unauthenticated');
      };
      const stream = withReauthorization(createQuietSource(), check, { intervalMs });
      expect(await stream.next()).toEqual({ value: 'first', done: false });
      isAllowed = false;
      const rejection = expect(stream.next()).rejects.toMatchObject({ code: 'unauthenticated' });
      await vi.advanceTimersByTimeAsync(intervalMs);
      await rejection;
      expect(await stream.next()).toEqual({ value: undefined, done: true });
    });

    test('continues when the check fails, and ends with its reader', async () => {
      let checks = 0;
      const check = async () => {
        checks++;
        if (checks > 1) throw new Error('the database is away');
      };
      const stream = withReauthorization(createQuietSource(), check, { intervalMs });
      await stream.next();
      const next = stream.next();
      await vi.advanceTimersByTimeAsync(3 * intervalMs);
      expect(checks).toBe(4);
      await stream.return(undefined);
      expect(await next).toEqual({ value: undefined, done: true });
    });
  });
});
