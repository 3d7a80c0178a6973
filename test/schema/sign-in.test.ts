import { createHook } from 'node:async_hooks';
import { describe, expect, onTestFinished } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { disableTwoFactorAsOperator } from '../../src/domain/accounts/user/disable-two-factor.ts';
import { recordSignInAttempt } from '../../src/domain/accounts/user/sign-in.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { basicAuth } from '../setup/api.ts';
import { visitorTest as test } from '../setup/auth.ts';
import type { FakeClock } from '../setup/fake-clock.ts';
import { createWebSocketClient, type GraphqlApp, type Json, mutate } from '../setup/graphql.ts';
import { day, minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { recordStatements } from '../setup/sent-statements.ts';
import { setPublicUrl } from '../setup/service.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { createVisitor, getDashboardDocument, publicOrigin, type Visitor } from '../setup/visitor.ts';

const viewerQuery = getDashboardDocument('Viewer');

const chargesQuery = '{ charges { nodes { id } } }';

/** The number of passwords that are hashed. Only argon2 uses a thread for work without a name. */
async function countHashes(work: () => Promise<unknown>): Promise<number> {
  let hashCount = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'undefined') hashCount += 1;
    },
  }).enable();
  await work().finally(() => hook.disable());
  return hashCount;
}

describe('Sign-in', () => {
  test('opens the dashboard for an owner, regardless of the case of the email address', async ({
    service,
    newVisitor,
  }) => {
    const merchant = await seedMerchant(service, { email: 'Mei@Example.com' });
    const browser = newVisitor();
    expect((await browser.ask(viewerQuery)).data).toEqual({ viewer: null });
    const { data } = await browser.signIn(' mei@EXAMPLE.com ', merchant.password);
    expect(data.signIn.__typename).toBe('SignInSuccess');
    expect((await browser.ask(viewerQuery)).data.viewer).toMatchObject({
      user: { email: 'mei@example.com', role: 'owner' },
      merchant: { id: merchant.merchant.id, mode: 'live' },
      permissions: ['read', 'write', 'refund', 'transfers', 'manage', 'sell'],
    });
    expect((await browser.ask(chargesQuery)).data.charges.nodes).toEqual([]);
  });

  test('stores the session in a cookie that scripts cannot read and other sites do not send', async ({
    merchant,
    newVisitor,
  }) => {
    const { response } = await newVisitor().signIn(merchant.email, merchant.password);
    const [session, trusted] = response.headers['set-cookie'] as string[];
    expect(session).toMatch(
      /^causeway-session=[\w-]{43}; Path=\/; Expires=Tue, 01 Dec 2026 12:00:00 GMT; HttpOnly; SameSite=Lax$/,
    );
    // A browser stays trusted much longer than its session.
    expect(trusted).toMatch(
      /^causeway-trusted=[\w-]{43}\.[\w-]{43}; Path=\/; Expires=Wed, 22 Dec 2027 12:00:00 GMT; HttpOnly; SameSite=Lax$/,
    );
    expect(response.headers['cache-control']).toBe('no-store');
  });

  test('limits the cookie to HTTPS and to the host if PUBLIC_URL is HTTPS', async ({
    service,
    merchant,
    newVisitor,
  }) => {
    setPublicUrl(onTestFinished, service, 'https://pay.example.com');
    const headers = { origin: 'https://pay.example.com' };
    const { response } = await newVisitor().signIn(merchant.email, merchant.password, { headers });
    const [session, trusted] = response.headers['set-cookie'] as string[];
    expect(session).toMatch(/^__Host-causeway-session=.*; Secure$/);
    expect(trusted).toMatch(/^__Host-causeway-trusted=.*; Secure$/);
  });

  test('stores the hash of the session token, not the token', async ({ service, merchant, newVisitor }) => {
    const browser = newVisitor();
    await browser.signIn(merchant.email, merchant.password);
    const token = browser.cookie()?.split('=')[1] as string;
    const sessions = await service.prisma.userSession.findMany();
    expect(token).toHaveLength(43);
    expect(JSON.stringify(sessions)).not.toContain(token);
  });

  test('returns the same error and no cookie for a wrong password, an unknown address and a removed user', async ({
    service,
    merchant,
    newVisitor,
  }) => {
    const removed = await seedMerchant(service, { email: 'removed@example.com' });
    await service.prisma.merchantUser.updateMany({
      where: { email: 'removed@example.com' },
      data: { removedAt: noon },
    });
    const responses = await Promise.all([
      newVisitor().signIn(merchant.email, 'wrong'),
      newVisitor().signIn('nobody@example.com', merchant.password),
      newVisitor().signIn('removed@example.com', removed.password),
      newVisitor().signIn('', ''),
    ]);
    for (const { data, response } of responses) {
      expect(data.signIn).toEqual({
        __typename: 'PermissionError',
        code: 'permission_denied',
        message: 'The email or password is incorrect',
      });
      expect(response.headers['set-cookie']).toBeUndefined();
    }
  });

  test('runs the same queries and hashes a password for a known and for an unknown address', async ({
    service,
    merchant,
    newVisitor,
  }) => {
    const wrong = 'a password that is wrong';
    const signInWrongly = async (email: string) => {
      const { sent, result: hashes } = await recordStatements(() =>
        countHashes(() => newVisitor().signIn(email, wrong)),
      );
      // A new connection sends a query of its own first.
      const texts = sent.map(({ text }) => text.slice(0, 60)).filter((text) => text !== 'SELECT 1');
      return { texts, hashes };
    };
    // Each process creates the hash for unknown addresses once.
    await newVisitor().signIn('somebody@example.com', wrong);
    const failures = () => service.prisma.authenticationAttempt.count({ where: { failed: true } });
    const before = await failures();
    const [knownQueries, unknown] = [
      await signInWrongly(merchant.email),
      await signInWrongly('nobody@example.com'),
    ];
    expect(unknown.texts).toEqual(knownQueries.texts);
    for (const { hashes } of [knownQueries, unknown]) expect(hashes).toBe(1);
    expect(await failures()).toBe(before + 2);
  });

  test('rejects an email address that the database cannot store', async ({ newVisitor }) => {
    const { errors } = await newVisitor().signIn('a\u0000b@example.com', 'x');
    expect(errors[0].extensions.code).toBe('invalid_request');
  });

  test('starts a session that ends after 14 days, with the sign-out, and when the user is removed', async ({
    service,
    merchant,
    clock,
    newVisitor,
  }) => {
    const later = newVisitor();
    await later.signIn(merchant.email, merchant.password);
    clock.set(minutesAfter(day('2026-12-01'), -1));
    expect((await later.ask(viewerQuery)).data.viewer).not.toBeNull();
    clock.set(day('2026-12-01'));
    expect((await later.ask(viewerQuery)).data.viewer).toBeNull();
    clock.set(noon);

    const leaving = newVisitor();
    await leaving.signIn(merchant.email, merchant.password);
    const cookie = leaving.cookie() as string;
    const { response } = await leaving.ask('mutation { signOut { __typename } }');
    expect(response.headers['set-cookie']).toMatch(/^causeway-session=; Path=\/; Expires=Thu, 01 Jan 1970/);
    expect((await newVisitor().ask(viewerQuery, { headers: { cookie } })).data.viewer).toBeNull();

    const { email, password } = await seedMerchant(service);
    const removedUser = newVisitor();
    await removedUser.signIn(email, password);
    await service.prisma.merchantUser.updateMany({
      where: { email },
      data: { removedAt: noon },
    });
    const { status, errors } = await removedUser.ask(chargesQuery);
    expect(status).toBe(401);
    expect(errors[0].extensions.code).toBe('unauthenticated');
  });

  test('reports a disabled merchant only after the correct password', async ({ service, newVisitor }) => {
    const { email, password } = await seedMerchant(service);
    const where = { users: { some: { email } } };
    await service.prisma.merchant.updateMany({ where, data: { disabledAt: noon } });
    expect((await newVisitor().signIn(email, password)).data.signIn.code).toBe('account_disabled');
    expect((await newVisitor().signIn(email, 'wrong')).data.signIn.code).toBe('permission_denied');
  });
});

describe('Limits of sign-in', () => {
  test('reject all attempts from an address after 10 failures in 15 minutes, regardless of the account', async ({
    merchant,
    clock,
    newVisitor,
  }) => {
    const browser = newVisitor();
    for (let i = 0; i < 10; i++) await browser.signIn(`guess${i}@example.com`, 'wrong');
    const { data } = await browser.signIn(merchant.email, merchant.password);
    expect(data.signIn).toMatchObject({ __typename: 'RateLimitedError', code: 'rate_limited' });
    expect(data.signIn.message).toContain('15 minutes');
    expect((await newVisitor().signIn(merchant.email, merchant.password)).data.signIn.__typename).toBe(
      'SignInSuccess',
    );
    clock.set(minutesAfter(noon, 16));
    expect((await browser.signIn(merchant.email, merchant.password)).data.signIn.__typename).toBe(
      'SignInSuccess',
    );
  });

  test('count concurrent attempts too: exactly 10 of 15 are verified', async ({ newVisitor }) => {
    const browser = newVisitor();
    const responses = await Promise.all(
      Array.from({ length: 15 }, () => browser.signIn('concurrent@example.com', 'wrong')),
    );
    const codes = responses.map(({ data }) => data.signIn.code);
    expect(codes.filter((code) => code === 'permission_denied')).toHaveLength(10);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(5);
  });

  test('do not lock out a trusted browser while strangers use up all attempts', async ({
    service,
    clock,
    newVisitor,
  }) => {
    const { email, password } = await seedMerchant(service);
    const browser = newVisitor();
    await browser.signIn(email, password);
    await browser.ask('mutation { signOut { __typename } }');
    const trusted = browser.trustedBrowserCookie();
    // The cookie is not a session.
    const headers = { cookie: trusted };
    expect((await newVisitor().ask(viewerQuery, { headers })).data.viewer).toBeNull();
    let stranger = 0;
    const guess = () =>
      recordSignInAttempt(service, { email, ipAddress: `10.0.0.${++stranger}`, now: clock.now() });
    for (let i = 0; i < 30; i++) await guess();
    await expect(guess()).rejects.toMatchObject({ code: 'rate_limited' });
    expect((await newVisitor().signIn(email, password)).data.signIn.code).toBe('rate_limited');
    const { data } = await newVisitor().signIn(email, password, { headers });
    expect(data.signIn.__typename).toBe('SignInSuccess');
  });

  test('do not count correct attempts', async ({ merchant, newVisitor }) => {
    const browser = newVisitor();
    for (let i = 0; i < 12; i++) {
      const { data } = await browser.signIn(merchant.email, merchant.password);
      expect(data.signIn.__typename).toBe('SignInSuccess');
    }
  });
});

describe('Session cookie', () => {
  test('is accepted only from the origin of PUBLIC_URL', async ({ merchant, newVisitor }) => {
    const browser = newVisitor();
    await browser.signIn(merchant.email, merchant.password);
    for (const origin of [
      undefined,
      'null',
      'https://evil.example',
      'http://127.0.0.1:4001',
      `${publicOrigin}/`,
    ]) {
      const { status, errors, data } = await browser.ask(chargesQuery, { headers: { origin } });
      expect({ origin, status, data }).toEqual({ origin, status: 401, data: undefined });
      expect(errors[0].extensions.code).toBe('unauthenticated');
    }
    expect((await browser.ask(chargesQuery)).status).toBe(200);
  });

  test('is rejected for a form or plain text, which any page may send without a preflight', async ({
    merchant,
    newVisitor,
  }) => {
    const browser = newVisitor();
    await browser.signIn(merchant.email, merchant.password);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const { status } = await browser.ask(chargesQuery, { headers: { 'content-type': type } });
      expect({ type, status }).toEqual({ type, status: 415 });
    }
  });

  test('is rejected for a GET request, which a link can cause', async ({ app, merchant, newVisitor }) => {
    const browser = newVisitor();
    await browser.signIn(merchant.email, merchant.password);
    const response = await app.app.inject({
      method: 'GET',
      url: `/graphql?query=${encodeURIComponent(chargesQuery)}`,
      headers: { origin: publicOrigin, cookie: browser.cookie() as string, accept: 'application/json' },
    });
    expect(response.statusCode).toBe(401);
  });

  test('is rejected for requests of a page that shows another user, after another tab has signed in', async ({
    service,
    merchant,
    newVisitor,
  }) => {
    const browser = newVisitor();
    const readViewerId = async () => (await browser.ask('{ viewer { user { id } } }')).data.viewer.user.id;
    await browser.signIn(merchant.email, merchant.password);
    const shown = { 'causeway-viewer': await readViewerId() };
    expect((await browser.ask(chargesQuery, { headers: shown })).status).toBe(200);
    const other = await seedMerchant(service, {}, noon);
    await browser.signIn(other.email, other.password);
    const rejected = await browser.ask(
      'mutation { requestRestrictedAccess { __typename ... on UserError { code message } } }',
      { headers: shown },
    );
    expect(rejected).toMatchObject({ errors: [{ extensions: { code: 'unauthenticated' } }] });
    expect((await browser.ask(viewerQuery, { headers: shown })).data.viewer).toBeNull();
    const now = { 'causeway-viewer': await readViewerId() };
    expect((await browser.ask(chargesQuery, { headers: now })).status).toBe(200);
  });

  test('is not given to a request with an API key', async ({ app, merchant }) => {
    const response = await app.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: {
        authorization: basicAuth(merchant.keys.live),
        origin: publicOrigin,
      },
      payload: {
        query: `mutation { signIn(input: { email: "${merchant.email}", password: "${merchant.password}" }) { __typename ... on UserError { code } } }`,
      },
    });
    expect(response.json().data.signIn).toEqual({ __typename: 'PermissionError', code: 'permission_denied' });
    expect(response.headers['set-cookie']).toBeUndefined();
  });
});

const sessionsQuery =
  '{ viewer { sessions { id isCurrent device ipAddress createdAt lastSeenAt expiresAt } } }';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0';

/** Signs the same user in from another browser. */
async function signInElsewhere(app: GraphqlApp, email: string, address = '203.0.113.9'): Promise<Visitor> {
  const visitor = createVisitor(app.app, { address });
  await visitor.signIn(email, password, { headers: { 'user-agent': firefox } });
  return visitor;
}

const listSessions = async (visitor: Visitor): Promise<Json[]> =>
  (await visitor.ask(sessionsQuery)).data?.viewer?.sessions;

/** Subscribes to charges as the dashboard does; `end` is how the connection ends. */
async function subscribeToCharges(
  app: GraphqlApp,
  visitor: Visitor,
): Promise<{ end: Promise<number | string> }> {
  const headers = { origin: publicOrigin, cookie: visitor.cookie()! };
  const events = createWebSocketClient(onTestFinished, app.url, { mode: 'live' }, headers).iterate<Json>({
    query: 'subscription { chargesUpdated { id } }',
  });
  expect((await events.next()).value.data.chargesUpdated.id).toMatch(/^ch_/);
  const end = events.next().then(
    ({ value }) => value?.errors?.[0].extensions.code ?? 'the end',
    (closed: { code: number }) => closed.code,
  );
  return { end };
}

describe('The sessions of a user', () => {
  test('are listed with device, address and times, and the current one is marked', async ({
    app,
    merchant,
  }) => {
    const user = await signInAs('support', app, merchant);
    const other = await signInElsewhere(app, user.email);
    const sessions = await listSessions(user);
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
    expect((await listSessions(other)).find(({ isCurrent }) => isCurrent).device).toBe('Firefox on Windows');
  });

  test('cannot be ended by another user', async ({ app, merchant }) => {
    const [user, other] = [await signInAs('support', app, merchant), await signInAs('owner', app, merchant)];
    const [theirs] = await listSessions(other);
    const response = await mutate(user, 'endUserSession', { id: theirs.id }, 'endedUserSessionId');
    expect(response.endedUserSessionId).toBeNull();
    expect(await listSessions(other)).toHaveLength(1);
  });

  test('are ended one by one', async ({ app, merchant }) => {
    const user = await signInAs('developer', app, merchant);
    const other = await signInElsewhere(app, user.email);
    const { id } = (await listSessions(user)).find(({ isCurrent }) => !isCurrent);
    const fields = 'endedUserSessionId viewer { sessions { id } }';
    const response = await mutate(user, 'endUserSession', { id }, fields);
    expect([response.endedUserSessionId, response.viewer.sessions.length]).toEqual([id, 1]);
    expect(await listSessions(other)).toBeUndefined();
    expect((await mutate(user, 'endUserSession', { id }, fields)).endedUserSessionId).toBeNull();
  });

  test('are all ended, with or without the current one', async ({ app, merchant }) => {
    const user = await signInAs('developer', app, merchant);
    const others = [await signInElsewhere(app, user.email), await signInElsewhere(app, user.email)];
    expect(
      (await mutate(user, 'signOutEverywhere', { keepCurrent: true }, 'endedSessionCount')).endedSessionCount,
    ).toBe(2);
    for (const other of others) expect(await listSessions(other)).toBeUndefined();
    expect(await listSessions(user)).toHaveLength(1);
    const newSession = await signInElsewhere(app, user.email);
    const response = await mutate(
      user,
      'signOutEverywhere',
      { keepCurrent: false },
      'endedSessionCount viewer { user { id } }',
    );
    expect(response).toMatchObject({ endedSessionCount: 2, viewer: null });
    expect([await listSessions(user), await listSessions(newSession)]).toEqual([undefined, undefined]);
  });

  test('never use a token that another person put into the browser', async ({ app, merchant }) => {
    const attacker = await signInAs('support', app, merchant);
    const victim = await signInAs('owner', app, merchant);
    const browser = createVisitor(app.app, { address: '203.0.113.10' });
    const headers = { cookie: attacker.cookie() };
    const { response } = await browser.signIn(victim.email, password, { headers });
    expect(String(response.headers['set-cookie'])).not.toContain(attacker.cookie()?.split('=')[1]);
    // Signing in ends the session that the browser had.
    expect(await listSessions(attacker)).toBeUndefined();
    expect(await listSessions(browser)).toHaveLength(2);
  });

  test('have no cookie when the sign-in comes from another origin', async ({ app, merchant }) => {
    const user = await signInAs('support', app, merchant);
    const browser = createVisitor(app.app, { address: '203.0.113.11' });
    for (const origin of ['https://evil.example', 'null', undefined]) {
      const { response } = await browser.signIn(user.email, password, { headers: { origin } });
      expect(response.headers['set-cookie']).toBeUndefined();
    }
  });
});

describe('Open connections', () => {
  type Fixtures = { app: GraphqlApp; service: Service; clock: FakeClock; merchant: NewMerchant };

  test.for([
    [
      'the session is ended',
      async (user: SignedInUser, _id: string, { app }: Fixtures) => {
        const other = await signInElsewhere(app, user.email);
        const { id } = (await listSessions(other)).find(({ isCurrent }) => !isCurrent);
        await mutate(other, 'endUserSession', { id });
      },
      4401,
    ],
    [
      'the user is removed',
      async (_user: SignedInUser, id: string, { app, merchant }: Fixtures) => {
        await mutate(await signInAs('owner', app, merchant), 'removeUser', { id });
      },
      4401,
    ],
    [
      'an operator disables two-factor authentication',
      async ({ email }: SignedInUser, _id: string, { service, clock }: Fixtures) => {
        await disableTwoFactorAsOperator(service, {
          email,
          actor: 'operator',
          now: clock.now(),
        });
      },
      4401,
    ],
    [
      'the role changes',
      async (_user: SignedInUser, id: string, { app, merchant }: Fixtures) => {
        await mutate(await signInAs('owner', app, merchant), 'updateUser', { id, role: 'support' });
      },
      'permission_denied',
    ],
  ] as const)('end immediately when %s', async ([, act, expected], { app, service, clock, merchant }) => {
    await seedCharge(service, merchant, { now: clock.now() });
    const user = await signInAs('developer', app, merchant);
    const { data } = await user.ask('{ viewer { user { id } } }');
    const { end } = await subscribeToCharges(app, user);
    await act(user, data.viewer.user.id, { app, service, clock, merchant });
    expect(await end).toBe(expected);
  });
});
