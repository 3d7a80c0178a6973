import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { withReauthorization } from '../../schema/kit/with-reauthorization.ts';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { abortable } from '../../src/live/abortable.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import {
  createWebSocketClient,
  type GraphqlApp,
  mutate,
  setupGraphqlApp,
  subscribeOverSse,
  subscribeOverWebSocket,
} from '../setup/graphql.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { publicOrigin } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** Whoever follows something live is asked again for each event whether they still may. */

let app: GraphqlApp;
const now = new Date();

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const follow = 'subscription ($id: ID!) { chargeUpdated(id: $id) { status } }';
const pending = { data: { chargeUpdated: { status: 'pending' } } };

/** A merchant of the test's own, with a charge, and what changes it. */
async function merchantWithCharge() {
  const made = await seedMerchant(app.context.service, {}, now);
  const { id, merchantId, mode } = await seedCharge(app.context.service, made, { now });
  const cancel = () =>
    cancelCharge(app.context.service, { merchantId, mode, id, by: 'merchant', actor: 'key:test', now });
  return { made, id, cancel };
}

const changeKey = ({ apiKey }: ModeKeys, data: object) =>
  app.context.service.prisma.apiKey.update({ where: { key: apiKey }, data });

describe.each([
  ['a WebSocket', subscribeOverWebSocket],
  ['server-sent events', subscribeOverSse],
])('over %s', (_name, open) => {
  test('a key that is revoked is told nothing of the next change, but that it has ended', async () => {
    const { made, id, cancel } = await merchantWithCharge();
    const stream = open(onCleanup, app.url, made.keys.live, follow, { id });
    expect(await stream.next()).toEqual(pending);
    await changeKey(made.keys.live, { revokedAt: now });
    await cancel();
    const end = await stream.next().catch((closed) => closed);
    if (open === subscribeOverWebSocket) expect(end).toMatchObject({ code: 4403 });
    else expect(end).toMatchObject({ errors: [{ extensions: { code: 'unauthenticated' } }] });
    expect(end.data).toBeUndefined();
    await stream.close();
  });

  test.each([
    [
      'a key that may no longer read',
      (made: Awaited<ReturnType<typeof merchantWithCharge>>['made']) =>
        changeKey(made.keys.live, { permissions: ['write'] }),
    ],
    [
      'a merchant for whom the field was switched off',
      ({ merchant }: Awaited<ReturnType<typeof merchantWithCharge>>['made']) =>
        app.context.service.prisma.merchant.update({
          where: { id: merchant.id },
          data: { disabledOperations: ['chargeUpdated'] },
        }),
    ],
  ])('%s is told so instead of the next change, and that is the end', async (_who, take) => {
    const { made, id, cancel } = await merchantWithCharge();
    const stream = open(onCleanup, app.url, made.keys.live, follow, { id });
    expect(await stream.next()).toEqual(pending);
    await take(made);
    await cancel();
    const refusal = await stream.next();
    expect(refusal).toMatchObject({ errors: [{ extensions: { code: 'permission_denied' } }] });
    expect(refusal.data).toBeUndefined();
    expect(await stream.next()).toBe('the end');
    await stream.close();
  });

  test('a key that may do more goes on', async () => {
    const { made, id, cancel } = await merchantWithCharge();
    await changeKey(made.keys.live, { permissions: ['read'] });
    const stream = open(onCleanup, app.url, made.keys.live, follow, { id });
    expect(await stream.next()).toEqual(pending);
    await changeKey(made.keys.live, { permissions: ['read', 'write'] });
    await cancel();
    expect(await stream.next()).toEqual({ data: { chargeUpdated: { status: 'cancelled' } } });
    await stream.close();
  });
});

test('who follow one charge at the same time share what is read, and each is told what they may see', async () => {
  const { made, id, cancel } = await merchantWithCharge();
  const token = createClientToken(app.context.service.secrets, { id, mode: 'live' });
  const whole = 'subscription ($id: ID!) { chargeUpdated(id: $id) { status email } }';
  const [merchant, page, stranger] = [made.keys.live, { token }, app.otherMerchant.keys.live].map((as) =>
    subscribeOverWebSocket(onCleanup, app.url, as, whole, { id }),
  );
  const told = (status: string) => [
    { data: { chargeUpdated: { status, email: 'ada@example.com' } } },
    {
      data: { chargeUpdated: { status, email: null } },
      errors: [{ path: ['chargeUpdated', 'email'], extensions: { code: 'permission_denied' } }],
    },
  ];
  expect(await stranger!.next()).toEqual({ data: { chargeUpdated: null } });
  for (const status of ['pending', 'cancelled']) {
    expect(await Promise.all([merchant!.next(), page!.next()])).toMatchObject(told(status));
    if (status === 'pending') await cancel();
  }
  for (const stream of [merchant, page, stranger]) await stream!.close();
});

/** A charge followed from the dashboard of a signed-in user. */
function fromDashboard(user: SignedInUser, id: string) {
  const headers = { origin: publicOrigin, cookie: user.cookie()! };
  return createWebSocketClient(onCleanup, app.url, { mode: 'live' }, headers).iterate({
    query: follow,
    variables: { id },
  });
}

test('the dashboard of a user who signed out elsewhere is closed with 4403', async () => {
  const { made, id, cancel } = await merchantWithCharge();
  const user = await signInAs('owner', app, made);
  const stream = fromDashboard(user, id);
  expect((await stream.next()).value).toMatchObject(pending);
  await user.ask('mutation { signOut { __typename } }');
  await cancel();
  await expect(stream.next()).rejects.toMatchObject({ code: 4403 });
});

test('who is given another role is told so, also where it may do the same live', async () => {
  const { made, id, cancel } = await merchantWithCharge();
  const owner = await signInAs('owner', app, made);
  const user = await signInAs('support', app, made);
  const { data } = await user.ask('{ viewer { user { id } } }');
  const stream = fromDashboard(user, id);
  expect((await stream.next()).value).toMatchObject(pending);
  await mutate(owner, 'updateUser', { id: data.viewer.user.id, role: 'developer' });
  await cancel();
  const { value } = await stream.next();
  expect(value).toMatchObject({ errors: [{ extensions: { code: 'permission_denied' } }] });
  expect(value?.data).toBeUndefined();
});

test('an operation on a connection whose key was revoked closes the connection', async () => {
  const { made } = await merchantWithCharge();
  const first = subscribeOverWebSocket(onCleanup, app.url, made.keys.live, '{ me { name } }');
  expect(await first.next()).toMatchObject({ data: { me: { name: 'Harbour Teas' } } });
  await changeKey(made.keys.live, { revokedAt: now });
  const second = subscribeOverWebSocket(onCleanup, app.url, made.keys.live, '{ me { name } }');
  await expect(second.next()).rejects.toMatchObject({ code: 4403 });
});

describe('a stream that has nothing to tell', () => {
  const intervalMs = 1_000;
  let isOpen = false;
  /** Tells one thing, then nothing. */
  const quiet = () =>
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
    const left = vi.getTimerCount();
    vi.useRealTimers();
    expect([isOpen, left]).toEqual([false, 0]);
  });

  test('ends when its rights do, without an event', async () => {
    let isAllowed = true;
    const check = async () => {
      if (!isAllowed) throw new DomainError('unauthenticated');
    };
    const stream = withReauthorization(quiet(), check, { intervalMs });
    expect(await stream.next()).toEqual({ value: 'first', done: false });
    isAllowed = false;
    const refused = expect(stream.next()).rejects.toMatchObject({ code: 'unauthenticated' });
    await vi.advanceTimersByTimeAsync(intervalMs);
    await refused;
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  test('goes on when it could not be looked up, and ends with its reader', async () => {
    let checks = 0;
    const check = async () => {
      checks++;
      if (checks > 1) throw new Error('the database is away');
    };
    const stream = withReauthorization(quiet(), check, { intervalMs });
    await stream.next();
    const next = stream.next();
    await vi.advanceTimersByTimeAsync(3 * intervalMs);
    expect(checks).toBe(4);
    await stream.return(undefined);
    expect(await next).toEqual({ value: undefined, done: true });
  });
});
