import { beforeEach, describe, expect, test } from 'vitest';
import { processResetRequests } from '../../src/domain/accounts/user/process-reset-requests.ts';
import { recordSignInAttempt } from '../../src/domain/accounts/user/sign-in.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { basicAuth } from '../setup/api.ts';
import { setupAuth } from '../setup/auth.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { mutate } from '../setup/graphql.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { authenticatorCode, enableTwoFactor, readLastMail, readLinkToken } from '../setup/users.ts';
import { type createVisitor, getDashboardDocument, mutateAsPage } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** Setting another password: because one knows it, or because one has forgotten it. */

const viewerQuery = getDashboardDocument('Viewer');
const next = 'tea leaves at dawn';

const { clock, served, visitor } = await setupAuth(onCleanup);
const merchant = await seedMerchant(served.context.service);
let user: SignedInUser;

beforeEach(async () => {
  // What a test before asked for and left.
  await answer();
  user = await signInAs('developer', served, merchant);
});

async function signsIn(secretWord: string): Promise<boolean> {
  const { data } = await visitor().signIn(user.email, secretWord);
  return data.signIn.__typename === 'SignInSuccess';
}

const answer = () => processResetRequests(served.context.service, { now: clock.now() });
const mails = (to: string) =>
  served.context.service.prisma.message.count({ where: { recipient: to, kind: 'password-reset' } });

/** Asks for a link, and answers what it carries. */
async function askForLink(): Promise<string> {
  clock.advance(minuteMs);
  await mutateAsPage(visitor(), 'requestPasswordReset', { email: user.email });
  await answer();
  return readLinkToken(served.context.service, user.email, 'password-reset');
}

describe('a forgotten password', () => {
  test('a link is mailed, sets a new one, ends every session and tells the user', async () => {
    const token = await askForLink();
    const browser = visitor();
    const { email } = await mutateAsPage(browser, 'resetPassword', { token, newPassword: next });
    expect(email).toBe(user.email);
    expect((await user.ask(viewerQuery)).data.viewer).toBeNull();
    expect([await signsIn(password), await signsIn(next)]).toEqual([false, true]);
    // The link opens no session: whoever reads the mail still needs the second factor where it is on.
    expect(browser.cookie()).toBeUndefined();
    // But the browser is known from then on: strangers who take every turn of the account do not keep it out.
    const strangers = Array.from({ length: 29 }, (_, i) => `10.0.0.${i}`);
    for (const address of strangers)
      await recordSignInAttempt(served.context.service, { email, address, now: clock.now() });
    expect((await visitor().signIn(email, next)).data.signIn.code).toBe('rate_limited');
    expect((await browser.signIn(email, next)).data.signIn.__typename).toBe('SignInSuccess');
    const notice = await readLastMail(served.context.service, user.email, 'account-notice');
    expect(notice?.subject).toBe('Your password was changed');
  });

  test('an address of nobody gets the same answer, and nothing is looked up before it', async () => {
    const email = 'nobody@example.com';
    const [known, unknown] = [
      await mutateAsPage(visitor(), 'requestPasswordReset', { email: user.email }),
      await mutateAsPage(visitor(), 'requestPasswordReset', { email }),
    ];
    expect({ ...known, email }).toEqual(unknown);
    expect([await mails(user.email), await mails(email)]).toEqual([0, 0]);
    expect(await served.context.service.prisma.passwordResetRequest.count()).toBe(2);
    expect(await answer()).toBe(2);
    expect([await mails(user.email), await mails(email)]).toEqual([1, 0]);
    expect(await served.context.service.prisma.passwordResetRequest.count()).toBe(0);
  });

  test('a link works once, for an hour, and only until the next is asked for', async () => {
    const first = await askForLink();
    const second = await askForLink();
    const use = (token: string) => mutateAsPage(visitor(), 'resetPassword', { token, newPassword: next });
    expect((await use(first)).code).toBe('link_invalid');
    expect((await use(`${second}x`)).code).toBe('link_invalid');
    expect((await use(second)).__typename).toBe('ResetPasswordSuccess');
    expect((await use(second)).code).toBe('link_invalid');
    const third = await askForLink();
    clock.advance(59 * minuteMs);
    // Refused for the password alone, which leaves the link as it is.
    const refused = await mutateAsPage(visitor(), 'resetPassword', { token: third, newPassword: 'short' });
    expect(refused.errors[0].path).toBe('/newPassword');
    clock.advance(minuteMs);
    expect((await use(third)).code).toBe('link_invalid');
  });

  test('of three who use a link at the same time, one sets the password', async () => {
    const token = await askForLink();
    const answers = await Promise.all(
      Array.from({ length: 3 }, (_, i) =>
        mutateAsPage(visitor(), 'resetPassword', { token, newPassword: `${next} ${i}` }),
      ),
    );
    expect(answers.filter(({ __typename }) => __typename === 'ResetPasswordSuccess')).toHaveLength(1);
  });

  test('a password that is no good says why, and leaves the link as it is', async () => {
    const token = await askForLink();
    const refused = await mutateAsPage(visitor(), 'resetPassword', { token, newPassword: 'short' });
    expect(refused.errors).toMatchObject([
      { path: '/newPassword', message: 'must be at least 12 characters long' },
    ]);
    expect((await mutateAsPage(visitor(), 'resetPassword', { token, newPassword: next })).__typename).toBe(
      'ResetPasswordSuccess',
    );
  });

  test('the second factor stays', async () => {
    const { secret } = await enableTwoFactor(user, { password, clock });
    const token = await askForLink();
    await mutateAsPage(visitor(), 'resetPassword', { token, newPassword: next });
    expect((await visitor().signIn(user.email, next)).data.signIn.code).toBe('second_factor_required');
    const code = authenticatorCode(secret, clock.now());
    expect((await visitor().signIn(user.email, next, { code })).data.signIn.__typename).toBe('SignInSuccess');
  });

  test('five mails an hour go to one user, and the others are recorded as skipped', async () => {
    for (let i = 0; i < 7; i++) await mutateAsPage(visitor(), 'requestPasswordReset', { email: user.email });
    await answer();
    const skipped = { recipient: user.email, status: 'skipped' as const };
    expect(await served.context.service.prisma.message.count({ where: skipped })).toBe(2);
    expect(await mails(user.email)).toBe(7);
    clock.set(minutesAfter(noon, 61));
    await askForLink();
    expect(await mails(user.email)).toBe(8);
  });

  test('ten are asked for from one address in a quarter of an hour', async () => {
    const browser = visitor();
    const ask = (email: string) => mutateAsPage(browser, 'requestPasswordReset', { email });
    for (let i = 0; i < 10; i++)
      expect((await ask(`guess${i}@example.com`)).__typename).toBe('RequestPasswordResetSuccess');
    expect((await ask(user.email)).code).toBe('rate_limited');
  });

  test('twenty links are tried from one address in a quarter of an hour', async () => {
    const browser = visitor();
    const use = (token: string) => mutateAsPage(browser, 'resetPassword', { token, newPassword: next });
    for (let i = 0; i < 20; i++) expect((await use(`guess${i}`)).code).toBe('link_invalid');
    const token = await askForLink();
    expect((await use(token)).code).toBe('rate_limited');
    expect((await mutateAsPage(visitor(), 'resetPassword', { token, newPassword: next })).__typename).toBe(
      'ResetPasswordSuccess',
    );
  });

  test('is for the pages of the dashboard alone', async () => {
    const authorization = basicAuth(merchant.keys.live);
    const byKey: Pick<ReturnType<typeof createVisitor>, 'ask'> = {
      ask: (query, options) => visitor().ask(query, { ...options, headers: { authorization } }),
    };
    for (const [name, input] of [
      ['requestPasswordReset', { email: user.email }],
      ['resetPassword', { token: 'x', newPassword: next }],
    ] as const)
      expect((await mutate(byKey, name, input)).code).toBe('permission_denied');
  });
});

describe('a password one knows', () => {
  test('is changed with it; the other sessions end, this one stays', async () => {
    const elsewhere = visitor();
    await elsewhere.signIn(user.email, password);
    const input = { currentPassword: password, newPassword: next };
    expect((await mutate(user, 'changePassword', { ...input, currentPassword: 'wrong' })).code).toBe(
      'permission_denied',
    );
    expect((await mutate(user, 'changePassword', input)).__typename).toBe('ChangePasswordSuccess');
    expect((await user.ask(viewerQuery)).data.viewer.user.email).toBe(user.email);
    expect((await elsewhere.ask(viewerQuery)).data.viewer).toBeNull();
    expect([await signsIn(password), await signsIn(next)]).toEqual([false, true]);
  });

  test('ends the link that was mailed before: whoever had that asked for is not let in by it', async () => {
    const token = await askForLink();
    const changed = await mutate(user, 'changePassword', { currentPassword: password, newPassword: next });
    expect(changed.__typename).toBe('ChangePasswordSuccess');
    const reset = await mutateAsPage(visitor(), 'resetPassword', {
      token,
      newPassword: 'another one at noon',
    });
    expect(reset.code).toBe('link_invalid');
    expect(await signsIn(next)).toBe(true);
  });

  test('takes a code where the second factor is on', async () => {
    const { secret } = await enableTwoFactor(user, { password, clock });
    clock.set(minutesAfter(noon, 1));
    const input = { currentPassword: password, newPassword: next };
    expect((await mutate(user, 'changePassword', input)).code).toBe('second_factor_required');
    expect((await mutate(user, 'changePassword', { ...input, code: '000000' })).code).toBe(
      'verification_code_invalid',
    );
    const code = authenticatorCode(secret, clock.now());
    expect((await mutate(user, 'changePassword', { ...input, code })).__typename).toBe(
      'ChangePasswordSuccess',
    );
  });

  test('must be as good as any: not the address, not too short', async () => {
    const input = { currentPassword: password, newPassword: user.email };
    expect((await mutate(user, 'changePassword', input)).errors).toEqual([
      { path: '/newPassword', message: 'must not be your email address' },
    ]);
  });

  test('cannot be guessed from a session that was stolen', async () => {
    const guess = (word: string) =>
      mutate(user, 'changePassword', { currentPassword: word, newPassword: next });
    for (let i = 0; i < 5; i++) expect((await guess(`guess ${i}`)).code).toBe('permission_denied');
    expect((await guess(password)).code).toBe('rate_limited');
  });
});
