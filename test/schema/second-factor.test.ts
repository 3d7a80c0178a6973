import { describe, expect, test } from 'vitest';
import { disableSecondFactorAsOperator } from '../../src/domain/accounts/user/disable-second-factor-as-operator.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { count } from '../setup/counts.ts';
import { mutate } from '../setup/graphql.ts';
import { makeGuardedUser } from '../setup/office.ts';
import { password, signedInAs } from '../setup/sign-in.ts';
import { appCode, lastMail, turnOnSecondFactor } from '../setup/users.ts';
import { pageDocument } from '../setup/visitor.ts';

/** Signing in with a code of an authenticator app besides the password. */

const { clock, served, user, secret, visitor, tryWith, recoveryCodes, merchant } = await makeGuardedUser();

const row = () =>
  served.context.service.prisma.merchantUser.findFirstOrThrow({ where: { email: user().email } });

describe('signing in', () => {
  test('takes the code once the password is right, and says so only then', async () => {
    expect(await tryWith(undefined)).toBe('second_factor_required');
    expect(await tryWith('')).toBe('second_factor_required');
    expect(await tryWith(undefined, 'wrong')).toBe('permission_denied');
    const code = appCode(secret(), clock.now());
    expect(await tryWith(code, 'wrong')).toBe('permission_denied');
    expect(await tryWith(code)).toBe('SignInSuccess');
  });

  test('a code works once, and none of an earlier time after it', async () => {
    const now = clock.now();
    const [earlier, present] = [appCode(secret(), now, -1), appCode(secret(), now)];
    expect(await tryWith(present)).toBe('SignInSuccess');
    expect(await tryWith(present)).toBe('verification_code_invalid');
    expect(await tryWith(earlier)).toBe('verification_code_invalid');
    expect(await tryWith(appCode(secret(), now, 1))).toBe('SignInSuccess');
  });

  test('of five who bring one code at the same time, one comes in', async () => {
    for (let round = 0; round < count(2, 50); round++) {
      clock.pass(20 * minuteMs);
      const code = appCode(secret(), clock.now());
      const answers = await Promise.all(Array.from({ length: 5 }, () => tryWith(code)));
      expect(answers.filter((answer) => answer === 'SignInSuccess')).toHaveLength(1);
    }
  });

  test('clocks may run apart by half a minute, not more', async () => {
    const now = clock.now();
    expect(await tryWith(appCode(secret(), now, -2))).toBe('verification_code_invalid');
    expect(await tryWith(appCode(secret(), now, 2))).toBe('verification_code_invalid');
    expect(await tryWith(appCode(secret(), now, -1))).toBe('SignInSuccess');
    expect(await tryWith(appCode(secret(), now, 1))).toBe('SignInSuccess');
  });

  test('a code may be typed with a space or a dash in the middle, where it is set up too', async () => {
    const code = appCode(secret(), clock.now());
    expect(await tryWith(`${code.slice(0, 3)} ${code.slice(3)}`)).toBe('SignInSuccess');
    const other = await signedInAs('owner', served, merchant);
    const begun = await mutate(other, 'beginTwoFactorSetup', { password }, 'secret');
    const first = appCode(begun.secret, clock.now()).replace(/(?=...$)/, '-');
    const confirmed = await mutate(other, 'confirmTwoFactorSetup', { code: first }, 'recoveryCodes');
    expect(confirmed.recoveryCodes).toHaveLength(10);
  });
});

describe('recovery codes', () => {
  test('are ten, each good for one sign-in, however it is written; the user is mailed', async () => {
    expect(recoveryCodes()).toHaveLength(10);
    const [first, second] = recoveryCodes() as [string, string];
    expect(first).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
    expect(await tryWith(first)).toBe('SignInSuccess');
    expect(await tryWith(first)).toBe('verification_code_invalid');
    expect(await tryWith(second.toLowerCase().replaceAll('-', ' '))).toBe('SignInSuccess');
    expect((await lastMail(served.context.service, user().email, 'account-notice'))?.subject).toBe(
      'A recovery code was used',
    );
    const { data } = await user().ask('{ viewer { remainingRecoveryCodeCount } }');
    expect(data.viewer.remainingRecoveryCodeCount).toBe(8);
  });

  test('one that five bring at the same time lets one in', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => tryWith(recoveryCodes()[4])));
    expect(answers.filter((answer) => answer === 'SignInSuccess')).toHaveLength(1);
  });

  test('of another user are none', async () => {
    const other = await signedInAs('owner', served, merchant);
    const theirs = await turnOnSecondFactor(other, { password, clock });
    expect(await tryWith(theirs.recoveryCodes[0])).toBe('verification_code_invalid');
  });

  test('new ones take a code, and end those before', async () => {
    expect(await mutate(user(), 'regenerateRecoveryCodes', { code: '000000' })).toMatchObject({
      code: 'verification_code_invalid',
    });
    const code = appCode(secret(), clock.now());
    const renewed = await mutate(user(), 'regenerateRecoveryCodes', { code }, 'recoveryCodes');
    expect(renewed.recoveryCodes).toHaveLength(10);
    expect(await tryWith(recoveryCodes()[0])).toBe('verification_code_invalid');
    expect(await tryWith(renewed.recoveryCodes[0])).toBe('SignInSuccess');
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
    const other = await signedInAs('support', served, merchant);
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
    const other = await signedInAs('developer', served, merchant);
    const elsewhere = visitor();
    await elsewhere.signIn(other.email, password);
    await turnOnSecondFactor(other, { password, clock });
    const viewer = '{ viewer { user { hasTwoFactor } } }';
    expect((await elsewhere.ask(pageDocument('Viewer'))).data.viewer).toBeNull();
    expect((await other.ask(viewer)).data.viewer.user.hasTwoFactor).toBe(true);
    expect((await lastMail(served.context.service, other.email, 'account-notice'))?.subject).toBe(
      'Two-factor authentication was turned on',
    );
  });

  test('moving it to another app takes a code of the one before', async () => {
    expect(await mutate(user(), 'beginTwoFactorSetup', { password })).toMatchObject({
      code: 'second_factor_required',
    });
    const code = appCode(secret(), clock.now());
    const next = await mutate(user(), 'beginTwoFactorSetup', { password, code }, 'secret');
    clock.pass(minuteMs);
    expect(await tryWith(appCode(next.secret, clock.now()))).toBe('verification_code_invalid');
    const confirmed = { code: appCode(next.secret, clock.now()) };
    expect((await mutate(user(), 'confirmTwoFactorSetup', confirmed)).__typename).toBe(
      'ConfirmTwoFactorSetupSuccess',
    );
    clock.pass(minuteMs);
    expect(await tryWith(appCode(secret(), clock.now()))).toBe('verification_code_invalid');
    expect(await tryWith(appCode(next.secret, clock.now()))).toBe('SignInSuccess');
  });

  test('off takes the password and a code', async () => {
    const code = appCode(secret(), clock.now());
    for (const [input, refusal] of [
      [{ password: 'wrong', code }, 'permission_denied'],
      [{ password, code: '000000' }, 'verification_code_invalid'],
      [{ password, code: '' }, 'second_factor_required'],
    ] as const)
      expect((await mutate(user(), 'disableTwoFactor', input)).code).toBe(refusal);
    expect((await mutate(user(), 'disableTwoFactor', { password, code })).__typename).toBe(
      'DisableTwoFactorSuccess',
    );
    expect(await tryWith(undefined)).toBe('SignInSuccess');
    expect(
      await served.context.service.prisma.recoveryCode.count({ where: { userId: (await row()).id } }),
    ).toBe(0);
  });

  test('what is tried of one’s own account is counted too', async () => {
    for (let i = 0; i < 5; i++)
      expect((await mutate(user(), 'disableTwoFactor', { password, code: '000000' })).code).toBe(
        'verification_code_invalid',
      );
    const code = appCode(secret(), clock.now());
    expect((await mutate(user(), 'disableTwoFactor', { password, code })).code).toBe('rate_limited');
  });

  test('an operator turns it off for whom has lost all, and ends the sessions', async () => {
    const { service } = served.context;
    await disableSecondFactorAsOperator(service, {
      email: user().email,
      actor: 'operator',
      now: clock.now(),
    });
    expect((await user().ask(pageDocument('Viewer'))).data.viewer).toBeNull();
    expect(await tryWith(undefined)).toBe('SignInSuccess');
    const entry = await service.prisma.auditEntry.findFirst({
      where: { action: 'user.two_factor_disabled', objectId: (await row()).id },
    });
    expect(entry?.actor).toBe('operator');
  });
});
