import { describe, expect, onTestFinished } from 'vitest';
import { processResetRequests } from '../../src/domain/accounts/user/reset-password.ts';
import { recordSignInAttempt } from '../../src/domain/accounts/user/sign-in.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { basicAuth } from '../setup/api.ts';
import { visitorTest } from '../setup/auth.ts';
import type { FakeClock } from '../setup/fake-clock.ts';
import { mutate } from '../setup/graphql.ts';
import { minutesAfter, noon } from '../setup/seed.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { authenticatorCode, enableTwoFactor, readLastMail, readLinkToken } from '../setup/users.ts';
import { type createVisitor, getDashboardDocument, mutateAsPage } from '../setup/visitor.ts';

const viewerQuery = getDashboardDocument('Viewer');
const next = 'tea leaves at dawn';

const test = visitorTest
  .extend('user', async ({ app, service, merchant, clock }) => {
    // Requests that other tests left must not count in this one.
    await processResetRequests(service, { now: clock.now() });
    return signInAs('developer', app, merchant);
  })
  .extend('canSignIn', ({ user, newVisitor }) => async (enteredPassword: string) => {
    const { data } = await newVisitor().signIn(user.email, enteredPassword);
    return data.signIn.__typename === 'SignInSuccess';
  })
  /** Requests a reset link, and returns its token. */
  .extend('requestLink', ({ service, clock, user, newVisitor }) => async () => {
    clock.advance(minuteMs);
    await mutateAsPage(newVisitor(), 'requestPasswordReset', { email: user.email });
    await processRequests(service, clock);
    return readLinkToken(service, user.email, 'password-reset');
  });

const processRequests = (service: Service, clock: FakeClock) =>
  processResetRequests(service, { now: clock.now() });
const countMails = (service: Service, to: string) =>
  service.prisma.message.count({ where: { recipient: to, kind: 'password-reset' } });

/** Delivers email until the end of the test, so that a new address needs a link. */
function deliverEmail(service: Service) {
  service.settings.smtpUrl = 'smtp://127.0.0.1:1';
  onTestFinished(() => {
    service.settings.smtpUrl = undefined;
  });
}

describe('Password reset', () => {
  test('sends a link by email that sets a new password, ends every session and notifies the user', async ({
    service,
    clock,
    user,
    newVisitor,
    canSignIn,
    requestLink,
  }) => {
    const token = await requestLink();
    const browser = newVisitor();
    const { email } = await mutateAsPage(browser, 'resetPassword', { token, newPassword: next });
    expect(email).toBe(user.email);
    expect((await user.ask(viewerQuery)).data.viewer).toBeNull();
    expect([await canSignIn(password), await canSignIn(next)]).toEqual([false, true]);
    // The link starts no session, so that a reader of the email still needs the two-factor code.
    expect(browser.cookie()).toBeUndefined();
    // The browser is trusted from now on, so that guesses of strangers do not lock it out.
    const strangers = Array.from({ length: 29 }, (_, i) => `10.0.0.${i}`);
    for (const ipAddress of strangers)
      await recordSignInAttempt(service, { email, ipAddress, now: clock.now() });
    expect((await newVisitor().signIn(email, next)).data.signIn.code).toBe('rate_limited');
    expect((await browser.signIn(email, next)).data.signIn.__typename).toBe('SignInSuccess');
    const notice = await readLastMail(service, user.email, 'account-notice');
    expect(notice?.subject).toBe('Your password was changed');
  });

  test('returns the same response for an unknown address, and looks up nothing before it responds', async ({
    service,
    clock,
    user,
    newVisitor,
  }) => {
    const email = 'nobody@example.com';
    const [knownResponse, unknownResponse] = [
      await mutateAsPage(newVisitor(), 'requestPasswordReset', { email: user.email }),
      await mutateAsPage(newVisitor(), 'requestPasswordReset', { email }),
    ];
    expect({ ...knownResponse, email }).toEqual(unknownResponse);
    expect([await countMails(service, user.email), await countMails(service, email)]).toEqual([0, 0]);
    expect(await service.prisma.passwordResetRequest.count()).toBe(2);
    expect(await processRequests(service, clock)).toBe(2);
    expect([await countMails(service, user.email), await countMails(service, email)]).toEqual([1, 0]);
    expect(await service.prisma.passwordResetRequest.count()).toBe(0);
  });

  test('has a link that works once, for an hour, and until the next is requested', async ({
    clock,
    newVisitor,
    requestLink,
  }) => {
    const first = await requestLink();
    const second = await requestLink();
    const use = (token: string) => mutateAsPage(newVisitor(), 'resetPassword', { token, newPassword: next });
    expect((await use(first)).code).toBe('link_invalid');
    expect((await use(`${second}x`)).code).toBe('link_invalid');
    expect((await use(second)).__typename).toBe('ResetPasswordSuccess');
    expect((await use(second)).code).toBe('link_invalid');
    const third = await requestLink();
    clock.advance(59 * minuteMs);
    // Only the password is rejected, so that the link is still valid.
    const rejected = await mutateAsPage(newVisitor(), 'resetPassword', {
      token: third,
      newPassword: 'short',
    });
    expect(rejected.errors[0].path).toBe('/newPassword');
    clock.advance(minuteMs);
    expect((await use(third)).code).toBe('link_invalid');
  });

  test('lets one of three concurrent requests with the same link set the password', async ({
    newVisitor,
    requestLink,
  }) => {
    const token = await requestLink();
    const responses = await Promise.all(
      Array.from({ length: 3 }, (_, i) =>
        mutateAsPage(newVisitor(), 'resetPassword', { token, newPassword: `${next} ${i}` }),
      ),
    );
    expect(responses.filter(({ __typename }) => __typename === 'ResetPasswordSuccess')).toHaveLength(1);
  });

  test('reports an invalid password, and does not use up the link', async ({ newVisitor, requestLink }) => {
    const token = await requestLink();
    const rejected = await mutateAsPage(newVisitor(), 'resetPassword', { token, newPassword: 'short' });
    expect(rejected.errors).toMatchObject([
      { path: '/newPassword', message: 'must be at least 12 characters long' },
    ]);
    expect((await mutateAsPage(newVisitor(), 'resetPassword', { token, newPassword: next })).__typename).toBe(
      'ResetPasswordSuccess',
    );
  });

  test('leaves two-factor authentication enabled', async ({ clock, user, newVisitor, requestLink }) => {
    const { secret } = await enableTwoFactor(user, { password, clock });
    const token = await requestLink();
    await mutateAsPage(newVisitor(), 'resetPassword', { token, newPassword: next });
    expect((await newVisitor().signIn(user.email, next)).data.signIn.code).toBe('two_factor_code_required');
    const code = authenticatorCode(secret, clock.now());
    expect((await newVisitor().signIn(user.email, next, { code })).data.signIn.__typename).toBe(
      'SignInSuccess',
    );
  });

  test('sends five emails an hour to a user, and records the others as skipped', async ({
    service,
    clock,
    user,
    newVisitor,
    requestLink,
  }) => {
    for (let i = 0; i < 7; i++)
      await mutateAsPage(newVisitor(), 'requestPasswordReset', { email: user.email });
    await processRequests(service, clock);
    const skipped = { recipient: user.email, status: 'skipped' as const };
    expect(await service.prisma.message.count({ where: skipped })).toBe(2);
    expect(await countMails(service, user.email)).toBe(7);
    clock.set(minutesAfter(noon, 61));
    await requestLink();
    expect(await countMails(service, user.email)).toBe(8);
  });

  test('is limited to ten requests in 15 minutes from a network address', async ({ user, newVisitor }) => {
    const browser = newVisitor();
    const requestReset = (email: string) => mutateAsPage(browser, 'requestPasswordReset', { email });
    for (let i = 0; i < 10; i++)
      expect((await requestReset(`guess${i}@example.com`)).__typename).toBe('RequestPasswordResetSuccess');
    expect((await requestReset(user.email)).code).toBe('rate_limited');
  });

  test('is limited to twenty attempts with a link in 15 minutes from a network address', async ({
    newVisitor,
    requestLink,
  }) => {
    const browser = newVisitor();
    const use = (token: string) => mutateAsPage(browser, 'resetPassword', { token, newPassword: next });
    for (let i = 0; i < 20; i++) expect((await use(`guess${i}`)).code).toBe('link_invalid');
    const token = await requestLink();
    expect((await use(token)).code).toBe('rate_limited');
    expect((await mutateAsPage(newVisitor(), 'resetPassword', { token, newPassword: next })).__typename).toBe(
      'ResetPasswordSuccess',
    );
  });

  test('is denied to API keys', async ({ merchant, user, newVisitor }) => {
    const authorization = basicAuth(merchant.keys.live);
    const byKey: Pick<ReturnType<typeof createVisitor>, 'ask'> = {
      ask: (query, options) => newVisitor().ask(query, { ...options, headers: { authorization } }),
    };
    for (const [name, input] of [
      ['requestPasswordReset', { email: user.email }],
      ['resetPassword', { token: 'x', newPassword: next }],
    ] as const)
      expect((await mutate(byKey, name, input)).code).toBe('permission_denied');
  });
});

describe('Changing the password', () => {
  test('requires the current password, and ends the other sessions only', async ({
    user,
    newVisitor,
    canSignIn,
  }) => {
    const elsewhere = newVisitor();
    await elsewhere.signIn(user.email, password);
    const input = { password, newPassword: next };
    expect((await mutate(user, 'changePassword', { ...input, password: 'wrong' })).code).toBe(
      'permission_denied',
    );
    expect((await mutate(user, 'changePassword', input)).__typename).toBe('ChangePasswordSuccess');
    expect((await user.ask(viewerQuery)).data.viewer.user.email).toBe(user.email);
    expect((await elsewhere.ask(viewerQuery)).data.viewer).toBeNull();
    expect([await canSignIn(password), await canSignIn(next)]).toEqual([false, true]);
  });

  test('ends the reset link that was sent before', async ({ user, newVisitor, canSignIn, requestLink }) => {
    const token = await requestLink();
    const changed = await mutate(user, 'changePassword', { password, newPassword: next });
    expect(changed.__typename).toBe('ChangePasswordSuccess');
    const reset = await mutateAsPage(newVisitor(), 'resetPassword', {
      token,
      newPassword: 'another one at noon',
    });
    expect(reset.code).toBe('link_invalid');
    expect(await canSignIn(next)).toBe(true);
  });

  test('requires a code if two-factor authentication is enabled', async ({ clock, user }) => {
    const { secret } = await enableTwoFactor(user, { password, clock });
    clock.set(minutesAfter(noon, 1));
    const input = { password, newPassword: next };
    expect((await mutate(user, 'changePassword', input)).code).toBe('two_factor_code_required');
    expect((await mutate(user, 'changePassword', { ...input, code: '000000' })).code).toBe(
      'verification_code_invalid',
    );
    const code = authenticatorCode(secret, clock.now());
    expect((await mutate(user, 'changePassword', { ...input, code })).__typename).toBe(
      'ChangePasswordSuccess',
    );
  });

  test('rejects the email address as a password', async ({ user }) => {
    const input = { password, newPassword: user.email };
    expect((await mutate(user, 'changePassword', input)).errors).toEqual([
      { path: '/newPassword', message: 'must not contain or resemble your email address' },
    ]);
  });

  test('is limited to five wrong passwords, so that a stolen session cannot guess', async ({ user }) => {
    const guess = (guessed: string) =>
      mutate(user, 'changePassword', { password: guessed, newPassword: next });
    for (let i = 0; i < 5; i++) expect((await guess(`guess ${i}`)).code).toBe('permission_denied');
    expect((await guess(password)).code).toBe('rate_limited');
  });
});

describe('Changing the email address', () => {
  const next = 'mei@shop.example';
  const input = { email: 'Mei@Shop.example', password };
  const readViewer = async (user: SignedInUser) =>
    (await user.ask('{ viewer { pendingEmail user { email } } }')).data.viewer;

  test('applies after the link in an email is opened by that user, once and within an hour', async ({
    app,
    service,
    merchant,
    clock,
    user,
    newVisitor,
  }) => {
    deliverEmail(service);
    const elsewhere = newVisitor();
    await elsewhere.signIn(user.email, password);
    const colleague = await signInAs('owner', app, merchant);
    expect((await mutate(user, 'changeEmail', { ...input, password: 'wrong' })).code).toBe(
      'permission_denied',
    );
    await mutate(user, 'changeEmail', input);
    const firstToken = await readLinkToken(service, next, 'email-change');
    clock.advance(minuteMs);
    await mutate(user, 'changeEmail', input);
    const token = await readLinkToken(service, next, 'email-change');
    expect(await readViewer(user)).toEqual({ pendingEmail: next, user: { email: user.email } });
    const notice = await readLastMail(service, user.email, 'account-notice');
    expect(notice?.subject).toBe('A change of your email address was requested');
    await expect(mutateAsPage(newVisitor(), 'confirmEmailChange', { token })).rejects.toThrow(
      'Sign in to the dashboard',
    );
    expect((await mutate(colleague, 'confirmEmailChange', { token })).code).toBe('link_invalid');
    expect((await mutate(user, 'confirmEmailChange', { token: firstToken })).code).toBe('link_invalid');
    expect((await readViewer(user)).user.email).toBe(user.email);

    clock.advance(minuteMs);
    const confirmed = await mutate(user, 'confirmEmailChange', { token });
    expect(confirmed.__typename).toBe('ConfirmEmailChangeSuccess');
    expect(await readViewer(user)).toEqual({ pendingEmail: null, user: { email: next } });
    expect((await elsewhere.ask(viewerQuery)).data.viewer).toBeNull();
    for (const address of [user.email, next])
      expect((await readLastMail(service, address, 'account-notice'))?.subject).toBe(
        'Your email address was changed',
      );
    expect((await mutate(user, 'confirmEmailChange', { token })).code).toBe('link_invalid');

    await mutate(user, 'changeEmail', { ...input, email: 'late@shop.example' });
    const lateToken = await readLinkToken(service, 'late@shop.example', 'email-change');
    clock.advance(60 * minuteMs);
    expect((await readViewer(user)).pendingEmail).toBeNull();
    expect((await mutate(user, 'confirmEmailChange', { token: lateToken })).code).toBe('link_invalid');
  });

  test('is discarded by the current address and by a new password, and never takes or reveals the address of another user', async ({
    app,
    service,
    merchant,
    clock,
    user,
  }) => {
    deliverEmail(service);
    const taken = 'ada@shop.example';
    const change = { ...input, email: taken };
    await mutate(user, 'changeEmail', change);
    await mutate(user, 'changeEmail', { ...input, email: user.email });
    expect((await readViewer(user)).pendingEmail).toBeNull();
    clock.advance(minuteMs);
    await mutate(user, 'changeEmail', change);
    const token = await readLinkToken(service, taken, 'email-change');
    const other = await signInAs('owner', app, merchant);
    await service.prisma.merchantUser.updateMany({ where: { email: other.email }, data: { email: taken } });
    const errors = [{ path: '/email', message: 'is already used by another user' }];
    expect((await mutate(user, 'confirmEmailChange', { token })).errors).toEqual(errors);
    service.settings.smtpUrl = undefined;
    expect((await mutate(user, 'changeEmail', change)).errors).toEqual(errors);
    deliverEmail(service);
    clock.advance(minuteMs);
    const requested = await mutate(user, 'changeEmail', change);
    expect(requested.__typename).toBe('ChangeEmailSuccess');
    const laterToken = await readLinkToken(service, taken, 'email-change');
    expect((await mutate(user, 'confirmEmailChange', { token: laterToken })).errors).toEqual(errors);
    await mutate(user, 'changePassword', { password, newPassword: 'tea leaves at dusk' });
    expect((await readViewer(user)).pendingEmail).toBeNull();
  });

  test('applies at once without a mail server', async ({ user }) => {
    await mutate(user, 'changeEmail', { ...input, email: 'now@shop.example' });
    expect(await readViewer(user)).toEqual({ pendingEmail: null, user: { email: 'now@shop.example' } });
  });
});
