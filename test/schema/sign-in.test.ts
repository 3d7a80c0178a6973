import { createHook } from 'node:async_hooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recordSignInAttempt } from '../../src/domain/accounts/user/sign-in.ts';
import { basicAuth } from '../setup/api.ts';
import { setupAuth } from '../setup/auth.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { day, minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { recordStatements } from '../setup/sent-statements.ts';
import { setPublicUrl } from '../setup/service.ts';
import { getDashboardDocument, publicOrigin } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** Who may come in at the dashboard's door, and how often one may knock. */

const viewerQuery = getDashboardDocument('Viewer');
const chargesQuery = '{ charges { nodes { id } } }';

/** How many passwords are hashed meanwhile: argon2's is the only work of another thread that has no name. */
async function hashesOf(work: () => Promise<unknown>): Promise<number> {
  let begun = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'undefined') begun += 1;
    },
  }).enable();
  await work().finally(() => hook.disable());
  return begun;
}

const { clock, served, visitor } = await setupAuth(onCleanup);
const merchant = await seedMerchant(served.context.service, { email: 'Mei@Example.com' });

describe('signing in', () => {
  test('opens the dashboard for an owner, in whatever case the e-mail is written', async () => {
    const browser = visitor();
    expect((await browser.ask(viewerQuery)).data).toEqual({ viewer: null });
    const { data } = await browser.signIn(' mei@EXAMPLE.com ', merchant.password);
    expect(data.signIn.__typename).toBe('SignInSuccess');
    expect((await browser.ask(viewerQuery)).data.viewer).toMatchObject({
      user: { email: 'mei@example.com', role: 'owner' },
      merchant: { id: merchant.merchant.id, mode: 'live' },
      permissions: ['read', 'write', 'refund', 'transfers', 'manage'],
    });
    expect((await browser.ask(chargesQuery)).data.charges.nodes).toEqual([]);
  });

  test('keeps the session in a cookie that scripts cannot read and other sites do not send', async () => {
    const { response } = await visitor().signIn(merchant.email, merchant.password);
    const [session, known] = response.headers['set-cookie'] as string[];
    expect(session).toMatch(
      /^causeway-session=[\w-]{43}; Path=\/; Expires=Tue, 01 Dec 2026 12:00:00 GMT; HttpOnly; SameSite=Lax$/,
    );
    // That the browser is known outlives the session by far.
    expect(known).toMatch(
      /^causeway-known=[\w-]{43}\.[\w-]{43}; Path=\/; Expires=Wed, 22 Dec 2027 12:00:00 GMT; HttpOnly; SameSite=Lax$/,
    );
    expect(response.headers['cache-control']).toBe('no-store');
  });

  test('with an https PUBLIC_URL, the cookie is for https alone and bound to the host', async () => {
    setPublicUrl(onTestFinished, served.context.service, 'https://pay.example.com');
    const headers = { origin: 'https://pay.example.com' };
    const { response } = await visitor().signIn(merchant.email, merchant.password, { headers });
    const [session, known] = response.headers['set-cookie'] as string[];
    expect(session).toMatch(/^__Host-causeway-session=.*; Secure$/);
    expect(known).toMatch(/^__Host-causeway-known=.*; Secure$/);
  });

  test('the database holds no token, only its hash', async () => {
    const browser = visitor();
    await browser.signIn(merchant.email, merchant.password);
    const token = browser.cookie()?.split('=')[1] as string;
    const sessions = await served.context.service.prisma.userSession.findMany();
    expect(token).toHaveLength(43);
    expect(JSON.stringify(sessions)).not.toContain(token);
  });

  test('a wrong password, an unknown address and a switched-off user get the same answer and no cookie', async () => {
    const off = await seedMerchant(served.context.service, { email: 'off@example.com' });
    await served.context.service.prisma.merchantUser.updateMany({
      where: { email: 'off@example.com' },
      data: { removedAt: noon },
    });
    const answers = await Promise.all([
      visitor().signIn(merchant.email, 'wrong'),
      visitor().signIn('nobody@example.com', merchant.password),
      visitor().signIn('off@example.com', off.password),
      visitor().signIn('', ''),
    ]);
    for (const { data, response } of answers) {
      expect(data.signIn).toEqual({
        __typename: 'PermissionError',
        code: 'permission_denied',
        message: 'The email or password is incorrect',
      });
      expect(response.headers['set-cookie']).toBeUndefined();
    }
  });

  test('of an address of a user and of one of nobody: the same is asked of the database, and a password is hashed', async () => {
    const service = served.context.service;
    const wrong = 'a password that is wrong';
    const tryWith = async (email: string) => {
      const { sent, result: hashes } = await recordStatements(() =>
        hashesOf(() => visitor().signIn(email, wrong)),
      );
      // What is asked; nobody's merchant is looked for too. A new connection is tried first.
      const texts = sent.map(({ text }) => text.slice(0, 60)).filter((text) => text !== 'SELECT 1');
      return { texts, hashes };
    };
    // The hash that is compared with for nobody is made once a process.
    await visitor().signIn('somebody@example.com', wrong);
    const failures = () => service.prisma.authenticationAttempt.count({ where: { failed: true } });
    const before = await failures();
    const [known, unknown] = [await tryWith(merchant.email), await tryWith('nobody@example.com')];
    expect(unknown.texts).toEqual(known.texts);
    for (const { hashes } of [known, unknown]) expect(hashes).toBe(1);
    expect(await failures()).toBe(before + 2);
  });

  test('an e-mail that no database can hold is refused by its form', async () => {
    const { errors } = await visitor().signIn('a\u0000b@example.com', 'x');
    expect(errors[0].extensions.code).toBe('invalid_request');
  });

  test('a session ends after 14 days, with signing out, and when the user is switched off', async () => {
    const later = visitor();
    await later.signIn(merchant.email, merchant.password);
    clock.set(minutesAfter(day('2026-12-01'), -1));
    expect((await later.ask(viewerQuery)).data.viewer).not.toBeNull();
    clock.set(day('2026-12-01'));
    expect((await later.ask(viewerQuery)).data.viewer).toBeNull();
    clock.set(noon);

    const leaving = visitor();
    await leaving.signIn(merchant.email, merchant.password);
    const cookie = leaving.cookie() as string;
    const { response } = await leaving.ask('mutation { signOut { __typename } }');
    expect(response.headers['set-cookie']).toMatch(/^causeway-session=; Path=\/; Expires=Thu, 01 Jan 1970/);
    expect((await visitor().ask(viewerQuery, { headers: { cookie } })).data.viewer).toBeNull();

    const { email, password } = await seedMerchant(served.context.service);
    const switchedOff = visitor();
    await switchedOff.signIn(email, password);
    await served.context.service.prisma.merchantUser.updateMany({
      where: { email },
      data: { removedAt: noon },
    });
    const { status, errors } = await switchedOff.ask(chargesQuery);
    expect(status).toBe(401);
    expect(errors[0].extensions.code).toBe('unauthenticated');
  });

  test('a merchant that was switched off is told so, with the right password only', async () => {
    const { email, password } = await seedMerchant(served.context.service);
    const where = { users: { some: { email } } };
    await served.context.service.prisma.merchant.updateMany({ where, data: { disabledAt: noon } });
    expect((await visitor().signIn(email, password)).data.signIn.code).toBe('account_disabled');
    expect((await visitor().signIn(email, 'wrong')).data.signIn.code).toBe('permission_denied');
  });
});

describe('the limits', () => {
  test('after 10 failures from an address in a quarter of an hour, none is looked at, whatever the account', async () => {
    const browser = visitor();
    for (let i = 0; i < 10; i++) await browser.signIn(`guess${i}@example.com`, 'wrong');
    const { data } = await browser.signIn(merchant.email, merchant.password);
    expect(data.signIn).toMatchObject({ __typename: 'RateLimitedError', code: 'rate_limited' });
    expect(data.signIn.message).toContain('15 minutes');
    expect((await visitor().signIn(merchant.email, merchant.password)).data.signIn.__typename).toBe(
      'SignInSuccess',
    );
    clock.set(minutesAfter(noon, 16));
    expect((await browser.signIn(merchant.email, merchant.password)).data.signIn.__typename).toBe(
      'SignInSuccess',
    );
  });

  test('tries that come at once are counted too: of 15, exactly 10 are looked at', async () => {
    const browser = visitor();
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => browser.signIn('together@example.com', 'wrong')),
    );
    const codes = answers.map(({ data }) => data.signIn.code);
    expect(codes.filter((code) => code === 'permission_denied')).toHaveLength(10);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(5);
  });

  test('a browser that signed in before is let in while strangers take every turn, signed out and anywhere', async () => {
    const { email, password } = await seedMerchant(served.context.service);
    const browser = visitor();
    await browser.signIn(email, password);
    await browser.ask('mutation { signOut { __typename } }');
    const known = browser.knownBrowserCookie();
    // The cookie signs nobody in.
    const headers = { cookie: known };
    expect((await visitor().ask(viewerQuery, { headers })).data.viewer).toBeNull();
    const { service } = served.context;
    let stranger = 0;
    const guess = () =>
      recordSignInAttempt(service, { email, address: `10.0.0.${++stranger}`, now: clock.now() });
    for (let i = 0; i < 30; i++) await guess();
    await expect(guess()).rejects.toMatchObject({ code: 'rate_limited' });
    expect((await visitor().signIn(email, password)).data.signIn.code).toBe('rate_limited');
    const { data } = await visitor().signIn(email, password, { headers });
    expect(data.signIn.__typename).toBe('SignInSuccess');
  });

  test('signing in rightly uses up nothing', async () => {
    const browser = visitor();
    for (let i = 0; i < 12; i++) {
      const { data } = await browser.signIn(merchant.email, merchant.password);
      expect(data.signIn.__typename).toBe('SignInSuccess');
    }
  });
});

describe('where a session counts', () => {
  test('only for requests from PUBLIC_URL’s own origin', async () => {
    const browser = visitor();
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

  test('not for a form or plain text, which any page may send without asking', async () => {
    const browser = visitor();
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

  test('not for a GET, which a link can cause', async () => {
    const browser = visitor();
    await browser.signIn(merchant.email, merchant.password);
    const response = await served.app.inject({
      method: 'GET',
      url: `/graphql?query=${encodeURIComponent(chargesQuery)}`,
      headers: { origin: publicOrigin, cookie: browser.cookie() as string, accept: 'application/json' },
    });
    expect(response.statusCode).toBe(401);
  });

  test('only for whom the page shows: not for what a tab sends after another tab has signed somebody else in', async () => {
    const browser = visitor();
    const idOf = async () => (await browser.ask('{ viewer { user { id } } }')).data.viewer.user.id;
    await browser.signIn(merchant.email, merchant.password);
    const shown = { 'causeway-viewer': await idOf() };
    expect((await browser.ask(chargesQuery, { headers: shown })).status).toBe(200);
    const other = await seedMerchant(served.context.service, {}, new Date());
    await browser.signIn(other.email, other.password);
    const refused = await browser.ask(
      'mutation { requestRestrictedAccess { __typename ... on UserError { code message } } }',
      { headers: shown },
    );
    expect(refused).toMatchObject({ errors: [{ extensions: { code: 'unauthenticated' } }] });
    expect((await browser.ask(viewerQuery, { headers: shown })).data.viewer).toBeNull();
    const now = { 'causeway-viewer': await idOf() };
    expect((await browser.ask(chargesQuery, { headers: now })).status).toBe(200);
  });

  test('signing in and out is for the dashboard alone', async () => {
    const answer = await served.app.inject({
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
    expect(answer.json().data.signIn).toEqual({ __typename: 'PermissionError', code: 'permission_denied' });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});
