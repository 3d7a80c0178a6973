import { describe, expect, test } from 'vitest';
import { disableSecondFactorAsOperator } from '../../src/domain/accounts/user/disable-second-factor-as-operator.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { setupTwoFactorUser } from '../setup/auth.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { mutate } from '../setup/graphql.ts';
import { password, signInAs } from '../setup/sign-in.ts';
import { authenticatorCode, enableTwoFactor, readLastMail } from '../setup/users.ts';
import { getDashboardDocument } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** Signing in with a code of an authenticator app besides the password. */

const { clock, served, user, secret, visitor, signInWith, recoveryCodes, merchant } =
  await setupTwoFactorUser(onCleanup);

const row = () =>
  served.context.service.prisma.merchantUser.findFirstOrThrow({ where: { email: user().email } });

describe('signing in', () => {
  test('takes the code once the password is right, and says so only then', async () => {
    expect(await signInWith(undefined)).toBe('second_factor_required');
    expect(await signInWith('')).toBe('second_factor_required');
    expect(await signInWith(undefined, 'wrong')).toBe('permission_denied');
    const code = authenticatorCode(secret(), clock.now());
    expect(await signInWith(code, 'wrong')).toBe('permission_denied');
    expect(await signInWith(code)).toBe('SignInSuccess');
  });

  test('a code works once, and none of an earlier time after it', async () => {
    const now = clock.now();
    const [earlier, present] = [authenticatorCode(secret(), now, -1), authenticatorCode(secret(), now)];
    expect(await signInWith(present)).toBe('SignInSuccess');
    expect(await signInWith(present)).toBe('verification_code_invalid');
    expect(await signInWith(earlier)).toBe('verification_code_invalid');
    expect(await signInWith(authenticatorCode(secret(), now, 1))).toBe('SignInSuccess');
  });

  test('of five who bring one code at the same time, one comes in', async () => {
    for (let round = 0; round < count(2, 50); round++) {
      clock.advance(20 * minuteMs);
      const code = authenticatorCode(secret(), clock.now());
      const answers = await Promise.all(Array.from({ length: 5 }, () => signInWith(code)));
      expect(answers.filter((answer) => answer === 'SignInSuccess')).toHaveLength(1);
    }
  });

  test('clocks may run apart by half a minute, not more', async () => {
    const now = clock.now();
    expect(await signInWith(authenticatorCode(secret(), now, -2))).toBe('verification_code_invalid');
    expect(await signInWith(authenticatorCode(secret(), now, 2))).toBe('verification_code_invalid');
    expect(await signInWith(authenticatorCode(secret(), now, -1))).toBe('SignInSuccess');
    expect(await signInWith(authenticatorCode(secret(), now, 1))).toBe('SignInSuccess');
  });

  test('a code may be typed with a space or a dash in the middle, where it is set up too', async () => {
    const code = authenticatorCode(secret(), clock.now());
    expect(await signInWith(`${code.slice(0, 3)} ${code.slice(3)}`)).toBe('SignInSuccess');
    const other = await signInAs('owner', served, merchant);
    const begun = await mutate(other, 'beginTwoFactorSetup', { password }, 'secret');
    const first = authenticatorCode(begun.secret, clock.now()).replace(/(?=...$)/, '-');
    const confirmed = await mutate(other, 'confirmTwoFactorSetup', { code: first }, 'recoveryCodes');
    expect(confirmed.recoveryCodes).toHaveLength(10);
  });
});

describe('recovery codes', () => {
  test('are ten, each good for one sign-in, however it is written; the user is mailed', async () => {
    expect(recoveryCodes()).toHaveLength(10);
    const [first, second] = recoveryCodes() as [string, string];
    expect(first).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
    expect(await signInWith(first)).toBe('SignInSuccess');
    expect(await signInWith(first)).toBe('verification_code_invalid');
    expect(await signInWith(second.toLowerCase().replaceAll('-', ' '))).toBe('SignInSuccess');
    expect((await readLastMail(served.context.service, user().email, 'account-notice'))?.subject).toBe(
      'A recovery code was used',
    );
    const { data } = await user().ask('{ viewer { remainingRecoveryCodeCount } }');
    expect(data.viewer.remainingRecoveryCodeCount).toBe(8);
  });

  test('one that five bring at the same time lets one in', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => signInWith(recoveryCodes()[4])));
    expect(answers.filter((answer) => answer === 'SignInSuccess')).toHaveLength(1);
  });

  test('of another user are none', async () => {
    const other = await signInAs('owner', served, merchant);
    const theirs = await enableTwoFactor(other, { password, clock });
    expect(await signInWith(theirs.recoveryCodes[0])).toBe('verification_code_invalid');
  });

  test('new ones take a code, and end those before', async () => {
    expect(await mutate(user(), 'regenerateRecoveryCodes', { code: '000000' })).toMatchObject({
      code: 'verification_code_invalid',
    });
    const code = authenticatorCode(secret(), clock.now());
    const renewed = await mutate(user(), 'regenerateRecoveryCodes', { code }, 'recoveryCodes');
    expect(renewed.recoveryCodes).toHaveLength(10);
    expect(await signInWith(recoveryCodes()[0])).toBe('verification_code_invalid');
    expect(await signInWith(renewed.recoveryCodes[0])).toBe('SignInSuccess');
  });
});

describe('turning it on and off', () => {
  test('nothing of it can be read in the database', async () => {
    const { id, totpEncrypted } = await row();
    expect(totpEncrypted).not.toContain(secret());
    const { secrets } = served.context.service;
    expect(await secrets.decrypt(totpEncrypted as string, 'merchant_user.totp_encrypted', id)).toBe(secret());
    const kept = JSON.stringify(await served.context.service.prisma.recoveryCode.findMany());
    for (const code of recoveryCodes()) expect(kept).not.toContain(code.replaceAll('-', ''));
  });

  test('takes the password and a code of the app: a secret alone changes nothing', async () => {
    const other = await signInAs('support', served, merchant);
    expect(await mutate(other, 'beginTwoFactorSetup', { password: 'wrong' })).toMatchObject({
      code: 'permission_denied',
    });
    const begun = await mutate(other, 'beginTwoFactorSetup', { password }, 'secret otpauthUri');
    expect(begun.otpauthUri).toContain(`secret=${begun.secret}`);
    expect(await mutate(other, 'confirmTwoFactorSetup', { code: '000000' })).toMatchObject({
      code: 'verification_code_invalid',
    });
    const { data } = await other.ask('{ viewer { user { hasTwoFactor } } }');
    expect(data.viewer.user.hasTwoFactor).toBe(false);
    expect((await visitor().signIn(other.email, password)).data.signIn.__typename).toBe('SignInSuccess');
  });

  test('ends the sessions that began without it, and tells the user', async () => {
    const other = await signInAs('developer', served, merchant);
    const elsewhere = visitor();
    await elsewhere.signIn(other.email, password);
    await enableTwoFactor(other, { password, clock });
    const viewer = '{ viewer { user { hasTwoFactor } } }';
    expect((await elsewhere.ask(getDashboardDocument('Viewer'))).data.viewer).toBeNull();
    expect((await other.ask(viewer)).data.viewer.user.hasTwoFactor).toBe(true);
    expect((await readLastMail(served.context.service, other.email, 'account-notice'))?.subject).toBe(
      'Two-factor authentication was turned on',
    );
  });

  test('moving it to another app takes a code of the one before', async () => {
    expect(await mutate(user(), 'beginTwoFactorSetup', { password })).toMatchObject({
      code: 'second_factor_required',
    });
    const code = authenticatorCode(secret(), clock.now());
    const next = await mutate(user(), 'beginTwoFactorSetup', { password, code }, 'secret');
    clock.advance(minuteMs);
    expect(await signInWith(authenticatorCode(next.secret, clock.now()))).toBe('verification_code_invalid');
    const confirmed = { code: authenticatorCode(next.secret, clock.now()) };
    expect((await mutate(user(), 'confirmTwoFactorSetup', confirmed)).__typename).toBe(
      'ConfirmTwoFactorSetupSuccess',
    );
    clock.advance(minuteMs);
    expect(await signInWith(authenticatorCode(secret(), clock.now()))).toBe('verification_code_invalid');
    expect(await signInWith(authenticatorCode(next.secret, clock.now()))).toBe('SignInSuccess');
  });

  test('off takes the password and a code', async () => {
    const code = authenticatorCode(secret(), clock.now());
    for (const [input, refusal] of [
      [{ password: 'wrong', code }, 'permission_denied'],
      [{ password, code: '000000' }, 'verification_code_invalid'],
      [{ password, code: '' }, 'second_factor_required'],
    ] as const)
      expect((await mutate(user(), 'disableTwoFactor', input)).code).toBe(refusal);
    expect((await mutate(user(), 'disableTwoFactor', { password, code })).__typename).toBe(
      'DisableTwoFactorSuccess',
    );
    expect(await signInWith(undefined)).toBe('SignInSuccess');
    expect(
      await served.context.service.prisma.recoveryCode.count({ where: { userId: (await row()).id } }),
    ).toBe(0);
  });

  test('what is tried of one’s own account is counted too', async () => {
    for (let i = 0; i < 5; i++)
      expect((await mutate(user(), 'disableTwoFactor', { password, code: '000000' })).code).toBe(
        'verification_code_invalid',
      );
    const code = authenticatorCode(secret(), clock.now());
    expect((await mutate(user(), 'disableTwoFactor', { password, code })).code).toBe('rate_limited');
  });

  test('an operator turns it off for whom has lost all, and ends the sessions', async () => {
    const { service } = served.context;
    await disableSecondFactorAsOperator(service, {
      email: user().email,
      actor: 'operator',
      now: clock.now(),
    });
    expect((await user().ask(getDashboardDocument('Viewer'))).data.viewer).toBeNull();
    expect(await signInWith(undefined)).toBe('SignInSuccess');
    const entry = await service.prisma.auditEntry.findFirst({
      where: { action: 'user.two_factor_disabled', objectId: (await row()).id },
    });
    expect(entry?.actor).toBe('operator');
  });
});
