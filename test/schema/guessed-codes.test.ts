import { describe, expect, test } from 'vitest';
import { disableSecondFactorAsOperator } from '../../src/domain/accounts/user/disable-second-factor-as-operator.ts';
import { processResetRequests } from '../../src/domain/accounts/user/process-reset-requests.ts';
import { recordAttempt } from '../../src/domain/accounts/user/record-attempt.ts';
import { resetPasswordAsOperator } from '../../src/domain/accounts/user/reset-password-as-operator.ts';
import { dayMs, hourMs, minuteMs } from '../../src/kit/duration.ts';
import { setupTwoFactorUser } from '../setup/auth.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { mutate } from '../setup/graphql.ts';
import { password } from '../setup/sign-in.ts';
import { authenticatorCode, enableTwoFactor, readLinkToken } from '../setup/users.ts';
import { mutateAsPage } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** How often codes of a second factor are tried, and whom it stops: never who has more than the password. */

const { clock, served, user, secret, visitor, signInWith, recoveryCodes } =
  await setupTwoFactorUser(onCleanup);

/**
 * So many wrong codes with the right password as are looked at in a day, by somebody who has nothing else. All but the
 * last are only counted as signing in counts them: a password takes long to look at.
 */
async function guessForADay(): Promise<void> {
  const { service } = served.context;
  const { id: account } = await service.prisma.merchantUser.findFirstOrThrow({
    where: { email: user().email },
  });
  for (let i = 0; i < 19; i++) {
    if (i % 5 === 0) clock.advance(16 * minuteMs);
    await recordAttempt(service, {
      kind: 'reauthentication',
      account,
      address: `2001:db8:${i}::1`,
      now: clock.now(),
    });
  }
  expect(await signInWith('000000')).toBe('verification_code_invalid');
  clock.advance(hourMs);
  expect(await signInWith('000000')).toBe('rate_limited');
}

describe('signing in', () => {
  test('after five wrong codes none of the app is looked at for a quarter of an hour, wherever it comes from', async () => {
    for (let i = 0; i < 5; i++) expect(await signInWith('000000')).toBe('verification_code_invalid');
    const right = () => signInWith(authenticatorCode(secret(), clock.now()));
    expect(await right()).toBe('rate_limited');
    clock.advance(16 * minuteMs);
    expect(await right()).toBe('SignInSuccess');
  });

  test('after twenty in a day, none until the day is over', async () => {
    await guessForADay();
    expect(await signInWith(authenticatorCode(secret(), clock.now()))).toBe('rate_limited');
    clock.advance(dayMs);
    expect(await signInWith(authenticatorCode(secret(), clock.now()))).toBe('SignInSuccess');
  });
});

describe('whoever has the password alone', () => {
  /** Signs in, which is to work, with a code of the app. */
  const enters = async (secretWord = password) => {
    clock.advance(minuteMs);
    expect(await signInWith(authenticatorCode(secret(), clock.now()), secretWord)).toBe('SignInSuccess');
  };

  test('keeps nobody out who has a recovery code, and the refusal says so', async () => {
    await guessForADay();
    const { data } = await visitor().signIn(user().email, password, { code: '000000' });
    expect(data.signIn.message).toBe(
      'Too many attempts. Try again in 23 hours, or use a recovery code; choosing a new password also helps.',
    );
    for (let i = 0; i < 6; i++)
      expect(await signInWith('ABCD-EFGH-IJKL-MNOP')).toBe('verification_code_invalid');
    expect(await signInWith(recoveryCodes()[0]!)).toBe('SignInSuccess');
  });

  test('is in nobody’s way who is signed in', async () => {
    await guessForADay();
    const { __typename } = await mutate(user(), 'reauthenticate', {
      code: authenticatorCode(secret(), clock.now()),
    });
    expect(__typename).toBe('ReauthenticateSuccess');
  });

  test('and who guesses in one session takes nothing from another or from signing in', async () => {
    const elsewhere = visitor();
    await elsewhere.signIn(user().email, password, { code: authenticatorCode(secret(), clock.now()) });
    for (let i = 0; i < 5; i++) await mutate(elsewhere, 'reauthenticate', { code: '000000' });
    const prove = async (browser: typeof elsewhere) => {
      clock.advance(minuteMs);
      const answer = await mutate(browser, 'reauthenticate', {
        code: authenticatorCode(secret(), clock.now()),
      });
      return answer.code ?? answer.__typename;
    };
    expect(await prove(elsewhere)).toBe('rate_limited');
    expect(await prove(user())).toBe('ReauthenticateSuccess');
    await enters();
  });

  test('is done with once the password is another, by the link of a mail: once a day', async () => {
    const { service } = served.context;
    const choose = async (next: string) => {
      await mutateAsPage(visitor(), 'requestPasswordReset', { email: user().email });
      await processResetRequests(service, { now: clock.now() });
      const token = await readLinkToken(service, user().email, 'password-reset');
      await mutateAsPage(visitor(), 'resetPassword', { token, newPassword: next });
    };
    await guessForADay();
    await choose('tea leaves at dawn');
    await enters('tea leaves at dawn');
    // Else whoever reads the mail would guess without end.
    for (let i = 0; i < 5; i++) await signInWith('000000', 'tea leaves at dawn');
    await choose('tea leaves at noon');
    expect(await signInWith(authenticatorCode(secret(), clock.now()), 'tea leaves at noon')).toBe(
      'rate_limited',
    );
  });

  test('is done with at each password that an operator gives', async () => {
    let secretWord = password;
    for (let i = 0; i < 2; i++) {
      for (let j = 0; j < 5; j++) await signInWith('000000', secretWord);
      expect(await signInWith('000000', secretWord)).toBe('rate_limited');
      const by = { email: user().email, actor: 'operator', now: clock.now() } as const;
      ({ password: secretWord } = await resetPasswordAsOperator(served.context.service, by));
      await enters(secretWord);
    }
  });

  test('is done with when an operator turns the second factor off, and it is turned on again', async () => {
    for (let i = 0; i < 5; i++) await signInWith('000000');
    await disableSecondFactorAsOperator(served.context.service, {
      email: user().email,
      actor: 'operator',
      now: clock.now(),
    });
    await user().signIn(user().email, password);
    const { secret: another } = await enableTwoFactor(user(), { password, clock });
    clock.advance(minuteMs);
    expect(await signInWith(authenticatorCode(another, clock.now()))).toBe('SignInSuccess');
  });
});
