import { describe, expect } from 'vitest';
import { getRootFieldOptions } from '../../schema/kit/root-field-options.ts';
import { schema } from '../../schema/schema.ts';
import { disableTwoFactorAsOperator } from '../../src/domain/accounts/user/disable-two-factor.ts';
import { recordAttempt } from '../../src/domain/accounts/user/record-attempt.ts';
import { processResetRequests } from '../../src/domain/accounts/user/reset-password.ts';
import { resetPasswordAsOperator } from '../../src/domain/accounts/user/set-password.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { dayMs, hourMs, minuteMs } from '../../src/kit/duration.ts';
import { twoFactorTest as test } from '../setup/auth.ts';
import { count } from '../setup/counts.ts';
import type { FakeClock } from '../setup/fake-clock.ts';
import { type Json, mutate } from '../setup/graphql.ts';
import { sampleInput } from '../setup/graphql-values.ts';
import { seedMerchant } from '../setup/seed.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import {
  authenticatorCode,
  enableTwoFactor,
  readLastMail,
  readLinkToken,
  reauthenticate,
} from '../setup/users.ts';
import { getDashboardDocument, mutateAsPage, publicOrigin } from '../setup/visitor.ts';

const readUser = (service: Service, owner: SignedInUser) =>
  service.prisma.merchantUser.findFirstOrThrow({ where: { email: owner.email } });

describe('Sign-in with two-factor authentication', () => {
  test('asks for the code only after the correct password', async ({ clock, secret, signInWith }) => {
    expect(await signInWith(undefined)).toBe('two_factor_code_required');
    expect(await signInWith('')).toBe('two_factor_code_required');
    expect(await signInWith(undefined, 'wrong')).toBe('permission_denied');
    const code = authenticatorCode(secret, clock.now());
    expect(await signInWith(code, 'wrong')).toBe('permission_denied');
    expect(await signInWith(code)).toBe('SignInSuccess');
  });

  test('accepts a code once, and no code of an earlier time after it', async ({
    clock,
    secret,
    signInWith,
  }) => {
    const now = clock.now();
    const [earlier, present] = [authenticatorCode(secret, now, -1), authenticatorCode(secret, now)];
    expect(await signInWith(present)).toBe('SignInSuccess');
    expect(await signInWith(present)).toBe('verification_code_invalid');
    expect(await signInWith(earlier)).toBe('verification_code_invalid');
    expect(await signInWith(authenticatorCode(secret, now, 1))).toBe('SignInSuccess');
  });

  test('lets one of five concurrent sign-ins with the same code succeed', async ({
    clock,
    secret,
    signInWith,
  }) => {
    for (let round = 0; round < count(2, 50); round++) {
      // The number of rejected codes in a day is limited.
      clock.advance(dayMs);
      const code = authenticatorCode(secret, clock.now());
      const responses = await Promise.all(Array.from({ length: 5 }, () => signInWith(code)));
      expect(responses.filter((response) => response === 'SignInSuccess')).toHaveLength(1);
    }
  });

  test('accepts codes that are half a minute early or late, and no others', async ({
    clock,
    secret,
    signInWith,
  }) => {
    const now = clock.now();
    expect(await signInWith(authenticatorCode(secret, now, -2))).toBe('verification_code_invalid');
    expect(await signInWith(authenticatorCode(secret, now, 2))).toBe('verification_code_invalid');
    expect(await signInWith(authenticatorCode(secret, now, -1))).toBe('SignInSuccess');
    expect(await signInWith(authenticatorCode(secret, now, 1))).toBe('SignInSuccess');
  });

  test('accepts a code with a space or a dash in the middle, at setup too', async ({
    app,
    merchant,
    clock,
    secret,
    signInWith,
  }) => {
    const code = authenticatorCode(secret, clock.now());
    expect(await signInWith(`${code.slice(0, 3)} ${code.slice(3)}`)).toBe('SignInSuccess');
    const other = await signInAs('owner', app, merchant);
    const setup = await mutate(other, 'beginTwoFactorSetup', { password }, 'secret');
    const first = authenticatorCode(setup.secret, clock.now()).replace(/(?=...$)/, '-');
    const confirmed = await mutate(other, 'confirmTwoFactorSetup', { code: first }, 'recoveryCodes');
    expect(confirmed.recoveryCodes).toHaveLength(10);
  });
});

describe('Recovery codes', () => {
  test('are ten, each for one sign-in, in any spelling, and each use is reported to the user by email', async ({
    service,
    owner,
    recoveryCodes,
    signInWith,
  }) => {
    expect(recoveryCodes).toHaveLength(10);
    const [first, second] = recoveryCodes as [string, string];
    expect(first).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
    expect(await signInWith(first)).toBe('SignInSuccess');
    expect(await signInWith(first)).toBe('verification_code_invalid');
    expect(await signInWith(second.toLowerCase().replaceAll('-', ' '))).toBe('SignInSuccess');
    expect((await readLastMail(service, owner.email, 'account-notice'))?.subject).toBe(
      'A recovery code was used',
    );
    const { data } = await owner.ask('{ viewer { remainingRecoveryCodeCount } }');
    expect(data.viewer.remainingRecoveryCodeCount).toBe(8);
  });

  test('let one of five concurrent sign-ins with the same code succeed', async ({
    recoveryCodes,
    signInWith,
  }) => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => signInWith(recoveryCodes[4])));
    expect(responses.filter((response) => response === 'SignInSuccess')).toHaveLength(1);
  });

  test('are rejected if they belong to another user', async ({ app, merchant, clock, signInWith }) => {
    const other = await signInAs('owner', app, merchant);
    const theirs = await enableTwoFactor(other, { password, clock });
    expect(await signInWith(theirs.recoveryCodes[0])).toBe('verification_code_invalid');
  });

  test('are replaced with a code, and the previous ones stop working', async ({
    clock,
    owner,
    secret,
    recoveryCodes,
    signInWith,
  }) => {
    expect(await mutate(owner, 'regenerateRecoveryCodes', { code: '000000' })).toMatchObject({
      code: 'verification_code_invalid',
    });
    const code = authenticatorCode(secret, clock.now());
    const renewed = await mutate(owner, 'regenerateRecoveryCodes', { code }, 'recoveryCodes');
    expect(renewed.recoveryCodes).toHaveLength(10);
    expect(await signInWith(recoveryCodes[0])).toBe('verification_code_invalid');
    expect(await signInWith(renewed.recoveryCodes[0])).toBe('SignInSuccess');
  });
});

describe('Two-factor setup', () => {
  test('stores the secret encrypted and the recovery codes hashed', async ({
    service,
    owner,
    secret,
    recoveryCodes,
  }) => {
    const { id, totpEncrypted } = await readUser(service, owner);
    expect(totpEncrypted).not.toContain(secret);
    const { secrets } = service;
    expect(await secrets.decrypt(totpEncrypted as string, 'merchant_user.totp_encrypted', id)).toBe(secret);
    const stored = JSON.stringify(await service.prisma.recoveryCode.findMany());
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''));
  });

  test('requires the password and a code of the app, and a secret alone changes nothing', async ({
    app,
    merchant,
    newVisitor,
  }) => {
    const other = await signInAs('support', app, merchant);
    expect(await mutate(other, 'beginTwoFactorSetup', { password: 'wrong' })).toMatchObject({
      code: 'permission_denied',
    });
    const setup = await mutate(other, 'beginTwoFactorSetup', { password }, 'secret otpauthUri');
    expect(setup.otpauthUri).toContain(`secret=${setup.secret}`);
    expect(await mutate(other, 'confirmTwoFactorSetup', { code: '000000' })).toMatchObject({
      code: 'verification_code_invalid',
    });
    const { data } = await other.ask('{ viewer { user { hasTwoFactor } } }');
    expect(data.viewer.user.hasTwoFactor).toBe(false);
    expect((await newVisitor().signIn(other.email, password)).data.signIn.__typename).toBe('SignInSuccess');
  });

  test('ends the other sessions of the user, and notifies the user by email', async ({
    app,
    service,
    merchant,
    clock,
    newVisitor,
  }) => {
    const other = await signInAs('developer', app, merchant);
    const elsewhere = newVisitor();
    await elsewhere.signIn(other.email, password);
    await enableTwoFactor(other, { password, clock });
    const viewer = '{ viewer { user { hasTwoFactor } } }';
    expect((await elsewhere.ask(getDashboardDocument('Viewer'))).data.viewer).toBeNull();
    expect((await other.ask(viewer)).data.viewer.user.hasTwoFactor).toBe(true);
    expect((await readLastMail(service, other.email, 'account-notice'))?.subject).toBe(
      'Two-factor authentication was turned on',
    );
  });

  test('requires a code of the previous app when the user moves to another', async ({
    clock,
    owner,
    secret,
    signInWith,
  }) => {
    expect(await mutate(owner, 'beginTwoFactorSetup', { password })).toMatchObject({
      code: 'two_factor_code_required',
    });
    const code = authenticatorCode(secret, clock.now());
    const next = await mutate(owner, 'beginTwoFactorSetup', { password, code }, 'secret');
    clock.advance(minuteMs);
    expect(await signInWith(authenticatorCode(next.secret, clock.now()))).toBe('verification_code_invalid');
    const confirmed = { code: authenticatorCode(next.secret, clock.now()) };
    expect((await mutate(owner, 'confirmTwoFactorSetup', confirmed)).__typename).toBe(
      'ConfirmTwoFactorSetupSuccess',
    );
    clock.advance(minuteMs);
    expect(await signInWith(authenticatorCode(secret, clock.now()))).toBe('verification_code_invalid');
    expect(await signInWith(authenticatorCode(next.secret, clock.now()))).toBe('SignInSuccess');
  });

  test('is disabled with the password and a code', async ({ service, clock, owner, secret, signInWith }) => {
    const code = authenticatorCode(secret, clock.now());
    for (const [input, errorCode] of [
      [{ password: 'wrong', code }, 'permission_denied'],
      [{ password, code: '000000' }, 'verification_code_invalid'],
      [{ password, code: '' }, 'two_factor_code_required'],
    ] as const)
      expect((await mutate(owner, 'disableTwoFactor', input)).code).toBe(errorCode);
    expect((await mutate(owner, 'disableTwoFactor', { password, code })).__typename).toBe(
      'DisableTwoFactorSuccess',
    );
    expect(await signInWith(undefined)).toBe('SignInSuccess');
    expect(
      await service.prisma.recoveryCode.count({ where: { userId: (await readUser(service, owner)).id } }),
    ).toBe(0);
  });

  test('counts wrong codes of a signed-in user too', async ({ clock, owner, secret }) => {
    for (let i = 0; i < 5; i++)
      expect((await mutate(owner, 'disableTwoFactor', { password, code: '000000' })).code).toBe(
        'verification_code_invalid',
      );
    const code = authenticatorCode(secret, clock.now());
    expect((await mutate(owner, 'disableTwoFactor', { password, code })).code).toBe('rate_limited');
  });

  test('is disabled by an operator for a user who lost everything, which ends the sessions', async ({
    service,
    clock,
    owner,
    signInWith,
  }) => {
    await disableTwoFactorAsOperator(service, {
      email: owner.email,
      actor: 'operator',
      now: clock.now(),
    });
    expect((await owner.ask(getDashboardDocument('Viewer'))).data.viewer).toBeNull();
    expect(await signInWith(undefined)).toBe('SignInSuccess');
    const entry = await service.prisma.auditEntry.findFirst({
      where: { action: 'user.two_factor_disabled', objectId: (await readUser(service, owner)).id },
    });
    expect(entry?.actor).toBe('operator');
  });
});

/** Wrong codes never lock out a user who has more than the password. */

type SignInWith = (code: string | undefined, enteredPassword?: string) => Promise<string>;

/**
 * Uses up the wrong codes that a day allows with the correct password. All but the last are only recorded, because
 * verifying a password takes long.
 */
async function useUpDailyCodes(
  service: Service,
  clock: FakeClock,
  owner: SignedInUser,
  signInWith: SignInWith,
): Promise<void> {
  const { id: account } = await service.prisma.merchantUser.findFirstOrThrow({
    where: { email: owner.email },
  });
  for (let i = 0; i < 19; i++) {
    if (i % 5 === 0) clock.advance(16 * minuteMs);
    await recordAttempt(service, {
      kind: 'reauthentication',
      account,
      ipAddress: `2001:db8:${i}::1`,
      now: clock.now(),
    });
  }
  expect(await signInWith('000000')).toBe('verification_code_invalid');
  clock.advance(hourMs);
  expect(await signInWith('000000')).toBe('rate_limited');
}

describe('Limits of wrong two-factor codes', () => {
  test('reject every code of the app for 15 minutes after five wrong ones, from any address', async ({
    clock,
    secret,
    signInWith,
  }) => {
    for (let i = 0; i < 5; i++) expect(await signInWith('000000')).toBe('verification_code_invalid');
    const signInCorrectly = () => signInWith(authenticatorCode(secret, clock.now()));
    expect(await signInCorrectly()).toBe('rate_limited');
    clock.advance(16 * minuteMs);
    expect(await signInCorrectly()).toBe('SignInSuccess');
  });

  test('reject every code after twenty wrong ones in a day, until the day is over', async ({
    service,
    clock,
    owner,
    secret,
    signInWith,
  }) => {
    await useUpDailyCodes(service, clock, owner, signInWith);
    expect(await signInWith(authenticatorCode(secret, clock.now()))).toBe('rate_limited');
    clock.advance(dayMs);
    expect(await signInWith(authenticatorCode(secret, clock.now()))).toBe('SignInSuccess');
  });
});

describe('An attacker with the password alone', () => {
  const expectSignIn = async (
    clock: FakeClock,
    secret: string,
    signInWith: SignInWith,
    currentPassword = password,
  ) => {
    clock.advance(minuteMs);
    expect(await signInWith(authenticatorCode(secret, clock.now()), currentPassword)).toBe('SignInSuccess');
  };

  test('does not lock out a user with a recovery code, and the error message says so', async ({
    service,
    clock,
    owner,
    recoveryCodes,
    newVisitor,
    signInWith,
  }) => {
    await useUpDailyCodes(service, clock, owner, signInWith);
    const { data } = await newVisitor().signIn(owner.email, password, { code: '000000' });
    expect(data.signIn.message).toBe(
      'Too many attempts. Try again in 23 hours, use a recovery code, or reset your password.',
    );
    for (let i = 0; i < 6; i++)
      expect(await signInWith('ABCD-EFGH-IJKL-MNOP')).toBe('verification_code_invalid');
    expect(await signInWith(recoveryCodes[0]!)).toBe('SignInSuccess');
  });

  test('does not affect a user who is signed in', async ({ service, clock, owner, secret, signInWith }) => {
    await useUpDailyCodes(service, clock, owner, signInWith);
    const { __typename } = await mutate(owner, 'reauthenticate', {
      code: authenticatorCode(secret, clock.now()),
    });
    expect(__typename).toBe('ReauthenticateSuccess');
  });

  test('does not use up attempts of another session or of sign-in by guessing in one session', async ({
    clock,
    owner,
    secret,
    newVisitor,
    signInWith,
  }) => {
    const elsewhere = newVisitor();
    await elsewhere.signIn(owner.email, password, { code: authenticatorCode(secret, clock.now()) });
    for (let i = 0; i < 5; i++) await mutate(elsewhere, 'reauthenticate', { code: '000000' });
    const reauthenticate = async (browser: typeof elsewhere) => {
      clock.advance(minuteMs);
      const response = await mutate(browser, 'reauthenticate', {
        code: authenticatorCode(secret, clock.now()),
      });
      return response.code ?? response.__typename;
    };
    expect(await reauthenticate(elsewhere)).toBe('rate_limited');
    expect(await reauthenticate(owner)).toBe('ReauthenticateSuccess');
    await expectSignIn(clock, secret, signInWith);
  });

  test('no longer locks out the user after a password reset by email, once a day', async ({
    service,
    clock,
    owner,
    secret,
    newVisitor,
    signInWith,
  }) => {
    const resetPassword = async (next: string) => {
      await mutateAsPage(newVisitor(), 'requestPasswordReset', { email: owner.email });
      await processResetRequests(service, { now: clock.now() });
      const token = await readLinkToken(service, owner.email, 'password-reset');
      await mutateAsPage(newVisitor(), 'resetPassword', { token, newPassword: next });
    };
    await useUpDailyCodes(service, clock, owner, signInWith);
    await resetPassword('tea leaves at dawn');
    await expectSignIn(clock, secret, signInWith, 'tea leaves at dawn');
    // Otherwise an attacker who reads the email could guess without end.
    for (let i = 0; i < 5; i++) await signInWith('000000', 'tea leaves at dawn');
    await resetPassword('tea leaves at noon');
    expect(await signInWith(authenticatorCode(secret, clock.now()), 'tea leaves at noon')).toBe(
      'rate_limited',
    );
  });

  test('no longer locks out the user after each password reset by an operator', async ({
    service,
    clock,
    owner,
    secret,
    signInWith,
  }) => {
    let currentPassword = password;
    for (let i = 0; i < 2; i++) {
      for (let j = 0; j < 5; j++) await signInWith('000000', currentPassword);
      expect(await signInWith('000000', currentPassword)).toBe('rate_limited');
      const by = { email: owner.email, actor: 'operator', now: clock.now() } as const;
      ({ password: currentPassword } = await resetPasswordAsOperator(service, by));
      await expectSignIn(clock, secret, signInWith, currentPassword);
    }
  });

  test('no longer locks out the user after an operator disables two-factor authentication and the user enables it again', async ({
    service,
    clock,
    owner,
    signInWith,
  }) => {
    for (let i = 0; i < 5; i++) await signInWith('000000');
    await disableTwoFactorAsOperator(service, {
      email: owner.email,
      actor: 'operator',
      now: clock.now(),
    });
    await owner.signIn(owner.email, password);
    const { secret: another } = await enableTwoFactor(owner, { password, clock });
    clock.advance(minuteMs);
    expect(await signInWith(authenticatorCode(another, clock.now()))).toBe('SignInSuccess');
  });
});

const update = (owner: SignedInUser, input: object, by: Pick<SignedInUser, 'ask'> = owner) =>
  mutate(by, 'updateMerchantSettings', input, 'merchant { isTwoFactorRequired reauthenticationMinutes }');

const getCode = ({ data, errors }: Json, name: string): string | undefined =>
  errors?.[0].extensions.code ?? data[name]?.code;

async function isTwoFactorRequired(clock: FakeClock, owner: SignedInUser, secret: string): Promise<void> {
  await reauthenticate(owner, { secret, clock });
  const { merchant } = await update(owner, { isTwoFactorRequired: true });
  expect(merchant).toEqual({ isTwoFactorRequired: true, reauthenticationMinutes: 15 });
}

describe('Required two-factor authentication', () => {
  test('lets a user without it sign in, and rejects all operations except those of the user’s own account', async ({
    app,
    merchant,
    clock,
    owner,
    secret,
  }) => {
    await isTwoFactorRequired(clock, owner, secret);
    const user = await signInAs('owner', app, merchant);
    const { data } = await user.ask('{ viewer { isTwoFactorSetupRequired permissions merchant { name } } }');
    expect(data.viewer).toMatchObject({ isTwoFactorSetupRequired: true, permissions: [] });
    const roots = [
      ['query', schema.getQueryType()!],
      ['mutation', schema.getMutationType()!],
    ] as const;
    for (const [kind, type] of roots) {
      for (const { name, args, type: result, extensions } of Object.values(type.getFields())) {
        if (getRootFieldOptions(extensions).twoFactor === 'account') continue;
        const requiredArgs = args.filter(({ type }) => String(type).endsWith('!'));
        const values = requiredArgs.map((arg) => `${arg.name}: ${sampleInput(arg.type)}`).join(', ');
        const isLeaf = /^\[?(?:String|Int|Boolean|DateTime|Translation|CurrencyCode|Decimal)/.test(
          String(result),
        );
        const fields = kind === 'mutation' ? '{ ... on UserError { code } }' : isLeaf ? '' : '{ __typename }';
        const response = await user.ask(`${kind} { ${name}${values && `(${values})`} ${fields} }`);
        expect([name, getCode(response, name)]).toEqual([name, 'two_factor_setup_required']);
      }
    }
  });

  test('rejects downloads and live updates too', async ({ app, merchant, clock, owner, secret }) => {
    const user = await signInAs('support', app, merchant);
    await isTwoFactorRequired(clock, owner, secret);
    const headers = { cookie: user.cookie()!, origin: publicOrigin };
    for (const url of ['/exports/exp_x/file', '/statements/st_x/file']) {
      const response = await app.app.inject({ url, headers });
      expect([response.statusCode, response.json().code]).toEqual([403, 'two_factor_setup_required']);
    }
    const answer = await user.ask('subscription { chargesUpdated { id } }', {
      headers: { accept: 'text/event-stream' },
    });
    expect(answer.response.body).toContain('two_factor_setup_required');
  });

  test('allows all operations of the role after the user has set it up', async ({
    app,
    merchant,
    clock,
    owner,
    secret,
  }) => {
    await isTwoFactorRequired(clock, owner, secret);
    const user = await signInAs('support', app, merchant);
    expect(getCode(await user.ask('{ me { id } }'), 'me')).toBe('two_factor_setup_required');
    await enableTwoFactor(user, { password, clock });
    const { data } = await user.ask('{ me { id } viewer { isTwoFactorSetupRequired permissions } }');
    expect(data.viewer).toEqual({ isTwoFactorSetupRequired: false, permissions: ['read', 'write', 'sell'] });
  });

  test('asks for the setup again after the user disables it', async ({ clock, owner, secret }) => {
    await isTwoFactorRequired(clock, owner, secret);
    clock.advance(minuteMs);
    const code = authenticatorCode(secret, clock.now());
    await mutate(owner, 'disableTwoFactor', { password, code });
    expect((await update(owner, { isTwoFactorRequired: false })).code).toBe('two_factor_setup_required');
  });

  test('does not affect API keys and other merchants', async ({
    app,
    service,
    merchant,
    clock,
    owner,
    secret,
  }) => {
    await isTwoFactorRequired(clock, owner, secret);
    const { live } = merchant.keys;
    const authorization = `Basic ${btoa(`${live.apiKey}:${live.apiSecret}`)}`;
    const response = await app.app.inject({ url: '/charges', headers: { authorization } });
    expect(response.statusCode).toBe(200);
    const other = await signInAs('owner', app, await seedMerchant(service));
    const { data } = await other.ask('{ viewer { isTwoFactorSetupRequired } me { id } }');
    expect(data.viewer.isTwoFactorSetupRequired).toBe(false);
  });
});

describe('The settings of two-factor authentication', () => {
  test('require a recent code for every change, in the sandbox too', async ({ owner }) => {
    for (const mode of ['live', 'sandbox'] as const) {
      const by = { ask: (query: string, options?: object) => owner.ask(query, { ...options, mode }) };
      for (const input of [
        { isTwoFactorRequired: true },
        { isTwoFactorRequired: false },
        { reauthenticationMinutes: 60 },
      ])
        expect((await update(owner, input, by)).code).toBe('two_factor_code_required');
    }
  });

  test('are changed by owners only, not by an API key or a developer', async ({ app, merchant, owner }) => {
    const { live } = merchant.keys;
    const headers = { authorization: `Basic ${btoa(`${live.apiKey}:${live.apiSecret}`)}` };
    const byKey = { ask: (query: string, options?: object) => owner.ask(query, { ...options, headers }) };
    for (const by of [byKey, await signInAs('developer', app, merchant)])
      for (const input of [{ isTwoFactorRequired: true }, { reauthenticationMinutes: 5 }])
        expect((await update(owner, input, by)).code).toBe('permission_denied');
    expect((await update(owner, { exchangeRateMarkup: '0.01' }, byKey)).__typename).toBe(
      'UpdateMerchantSettingsSuccess',
    );
  });

  test('set how long a re-authentication is valid, from 1 to 60 minutes, and are recorded in the audit trail', async ({
    service,
    merchant,
    clock,
    owner,
    secret,
  }) => {
    await reauthenticate(owner, { secret, clock });
    for (const reauthenticationMinutes of [0, 61])
      expect((await update(owner, { reauthenticationMinutes })).errors).toEqual([
        { path: '/reauthenticationMinutes', message: 'must be an integer from 1 to 60' },
      ]);
    expect((await update(owner, { reauthenticationMinutes: 1 })).merchant.reauthenticationMinutes).toBe(1);
    clock.advance(minuteMs - 1);
    expect((await update(owner, { exchangeRateMarkup: '0.01' })).__typename).toBe(
      'UpdateMerchantSettingsSuccess',
    );
    clock.advance(1);
    expect((await update(owner, { exchangeRateMarkup: '0.02' })).code).toBe('two_factor_code_required');
    const entry = await service.prisma.auditEntry.findFirst({
      where: { merchantId: merchant.merchant.id, action: 'settings.updated' },
      orderBy: { id: 'asc' },
    });
    expect(entry?.detail).toEqual({ reauthenticationMinutes: { from: 15, to: 1 } });
  });
});
