import { beforeAll, describe, expect, test } from 'vitest';
import type { UserRole } from '../../prisma/client/client.ts';
import { disableSecondFactorAsOperator } from '../../src/domain/accounts/user/disable-second-factor-as-operator.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import {
  createWebSocketClient,
  type GraphqlApp,
  type Json,
  mutate,
  setupGraphqlApp,
} from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';
import { password, signInAs } from '../setup/sign-in.ts';
import { createVisitor, publicOrigin, type Visitor } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** Where somebody is signed in: what they see of it, how they end it, and that it ends at once. */

const viewerQuery =
  '{ viewer { sessions { id isCurrent device ipAddress createdAt lastSeenAt expiresAt } } }';
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0';

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const as = (role: UserRole) => signInAs(role, app, app.merchant);

/** The same user somewhere else. */
async function elsewhere(email: string, address = '203.0.113.9'): Promise<Visitor> {
  const visitor = createVisitor(app.app, { address });
  await visitor.signIn(email, password, { headers: { 'user-agent': firefox } });
  return visitor;
}

const sessionsOf = async (visitor: Visitor): Promise<Json[]> =>
  (await visitor.ask(viewerQuery)).data?.viewer?.sessions;

/** Follows the charges live as the dashboard does; answers how the connection ends. */
async function follow(visitor: Visitor): Promise<{ end: Promise<number | string> }> {
  const headers = { origin: publicOrigin, cookie: visitor.cookie()! };
  const events = createWebSocketClient(onCleanup, app.url, { mode: 'live' }, headers).iterate<Json>({
    query: 'subscription { chargesUpdated { id } }',
  });
  expect((await events.next()).value.data.chargesUpdated.id).toMatch(/^ch_/);
  const end = events.next().then(
    ({ value }) => value?.errors?.[0].extensions.code ?? 'the end',
    (closed: { code: number }) => closed.code,
  );
  return { end };
}

describe('the list of sessions', () => {
  test('says of each where it is, since when, and which one asks', async () => {
    const user = await as('support');
    const other = await elsewhere(user.email);
    const sessions = await sessionsOf(user);
    expect(sessions).toHaveLength(2);
    expect(sessions.find(({ isCurrent }) => !isCurrent)).toEqual({
      id: expect.stringMatching(/^uss_/),
      isCurrent: false,
      device: 'Firefox on Windows',
      ipAddress: '203.0.113.9',
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect((await sessionsOf(other)).find(({ isCurrent }) => isCurrent).device).toBe('Firefox on Windows');
  });

  test('is of nobody else', async () => {
    const [user, other] = [await as('support'), await as('owner')];
    const [theirs] = await sessionsOf(other);
    const answer = await mutate(user, 'endUserSession', { id: theirs.id }, 'hasEnded');
    expect(answer.hasEnded).toBe(false);
    expect(await sessionsOf(other)).toHaveLength(1);
  });
});

describe('ending sessions', () => {
  test('one, wherever it is', async () => {
    const user = await as('developer');
    const other = await elsewhere(user.email);
    const { id } = (await sessionsOf(user)).find(({ isCurrent }) => !isCurrent);
    const fields = 'hasEnded viewer { sessions { id } }';
    const answer = await mutate(user, 'endUserSession', { id }, fields);
    expect([answer.hasEnded, answer.viewer.sessions.length]).toEqual([true, 1]);
    expect(await sessionsOf(other)).toBeUndefined();
    expect((await mutate(user, 'endUserSession', { id }, fields)).hasEnded).toBe(false);
  });

  test('all others, or all', async () => {
    const user = await as('developer');
    const others = [await elsewhere(user.email), await elsewhere(user.email)];
    expect(
      (await mutate(user, 'signOutEverywhere', { keepCurrent: true }, 'endedSessionCount')).endedSessionCount,
    ).toBe(2);
    for (const other of others) expect(await sessionsOf(other)).toBeUndefined();
    expect(await sessionsOf(user)).toHaveLength(1);
    const again = await elsewhere(user.email);
    const answer = await mutate(
      user,
      'signOutEverywhere',
      { keepCurrent: false },
      'endedSessionCount viewer { user { id } }',
    );
    expect(answer).toMatchObject({ endedSessionCount: 2, viewer: null });
    expect([await sessionsOf(user), await sessionsOf(again)]).toEqual([undefined, undefined]);
  });

  test('a token that somebody else put into the browser never becomes a user’s', async () => {
    const attacker = await as('support');
    const victim = await as('owner');
    const browser = createVisitor(app.app, { address: '203.0.113.10' });
    const headers = { cookie: attacker.cookie() };
    const { response } = await browser.signIn(victim.email, password, { headers });
    expect(String(response.headers['set-cookie'])).not.toContain(attacker.cookie()?.split('=')[1]);
    // The session that was there before has ended with it.
    expect(await sessionsOf(attacker)).toBeUndefined();
    expect(await sessionsOf(browser)).toHaveLength(2);
  });

  test('signing in from another origin gives no cookie', async () => {
    const user = await as('support');
    const browser = createVisitor(app.app, { address: '203.0.113.11' });
    for (const origin of ['https://evil.example', 'null', undefined]) {
      const { response } = await browser.signIn(user.email, password, { headers: { origin } });
      expect(response.headers['set-cookie']).toBeUndefined();
    }
  });
});

describe('open connections', () => {
  test.each([
    [
      'are closed when the session is ended',
      async (user: Visitor & { email: string }) => {
        const other = await elsewhere(user.email);
        const { id } = (await sessionsOf(other)).find(({ isCurrent }) => !isCurrent);
        await mutate(other, 'endUserSession', { id });
      },
      4403,
    ],
    [
      'are closed when the user is removed',
      async (_user: Visitor, id: string) => {
        await mutate(await as('owner'), 'removeUser', { id });
      },
      4403,
    ],
    [
      'are closed when an operator resets the second factor',
      async ({ email }: { email: string }) => {
        await disableSecondFactorAsOperator(app.context.service, {
          email,
          actor: 'operator',
          now: new Date(),
        });
      },
      4403,
    ],
    [
      'end when the role becomes another',
      async (_user: Visitor, id: string) => {
        await mutate(await as('owner'), 'updateUser', { id, role: 'support' });
      },
      'permission_denied',
    ],
  ] as const)('%s, without anything being told first', async (_what, act, expected) => {
    await seedCharge(app.context.service, app.merchant, { now: new Date() });
    const user = await as('developer');
    const { data } = await user.ask('{ viewer { user { id } } }');
    const { end } = await follow(user);
    await act(user, data.viewer.user.id);
    expect(await end).toBe(expected);
  });
});
