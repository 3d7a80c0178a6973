import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { MerchantUser, UserRole } from '../../../prisma/client/client.ts';
import type { MerchantCaller } from '../../../src/domain/accounts/api-key/permissions.ts';
import { inviteUser } from '../../../src/domain/accounts/invitation/invite-user.ts';
import { resendInvitation } from '../../../src/domain/accounts/invitation/resend-invitation.ts';
import { withdrawInvitation } from '../../../src/domain/accounts/invitation/withdraw-invitation.ts';
import { checkPassword } from '../../../src/domain/accounts/user/check-password.ts';
import { hashPassword } from '../../../src/domain/accounts/user/create-user.ts';
import { describeDevice } from '../../../src/domain/accounts/user/describe-device.ts';
import { disableTwoFactor } from '../../../src/domain/accounts/user/disable-two-factor.ts';
import { lockUser } from '../../../src/domain/accounts/user/lock-user.ts';
import { reauthenticate, type SessionContext } from '../../../src/domain/accounts/user/reauthenticate.ts';
import { markAttemptsSuccessful, recordAttempt } from '../../../src/domain/accounts/user/record-attempt.ts';
import { regenerateRecoveryCodes } from '../../../src/domain/accounts/user/regenerate-recovery-codes.ts';
import { removeUser } from '../../../src/domain/accounts/user/remove-user.ts';
import { processResetRequests } from '../../../src/domain/accounts/user/reset-password.ts';
import { changePassword, setPassword } from '../../../src/domain/accounts/user/set-password.ts';
import {
  beginTwoFactorSetup,
  confirmTwoFactorSetup,
} from '../../../src/domain/accounts/user/set-up-two-factor.ts';
import { signIn } from '../../../src/domain/accounts/user/sign-in.ts';
import { signOutEverywhere } from '../../../src/domain/accounts/user/sign-out.ts';
import { updateUser } from '../../../src/domain/accounts/user/update-user.ts';
import { endSessions } from '../../../src/domain/accounts/user/user-session.ts';
import { lockMerchant } from '../../../src/domain/platform/merchant/lock-merchant.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import type { UnitOfWork } from '../../../src/event/unit-of-work.ts';
import { sha256 } from '../../../src/kit/secrets.ts';
import { concurrently } from '../../setup/concurrently.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { recordStatements } from '../../setup/sent-statements.ts';
import { password, seedUser } from '../../setup/sign-in.ts';
import { authenticatorCode, readLinkToken } from '../../setup/users.ts';

/** An address of its own for each use, because failures are limited by address. */
const createAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

const other = 'tea leaves at dawn';

/** An owner with an address of their own, so that limits do not affect other tests. */
const test = serviceTest.extend('owner', async ({ service, merchant }) => {
  const email = `user-${randomUUID()}@example.com`;
  const user = await seedUser(service, { merchantId: merchant.merchant.id, email, role: 'owner', now: noon });
  return createOwner(service, user);
});

function createOwner(service: Service, user: MerchantUser) {
  const ipAddress = createAddress();
  const enter = () => signIn(service, { email: user.email, password, ipAddress, now: noon });
  return {
    user,
    signIn: enter,
    trySignIn: () => doneOrCode(enter()),
    countSessions: () => service.prisma.userSession.count({ where: { userId: user.id } }),
    async openSession(): Promise<SessionContext> {
      const { session } = await enter();
      const current = await service.prisma.merchantUser.findUniqueOrThrow({ where: { id: user.id } });
      return { user: current, session, ipAddress, now: noon };
    },
    setOtherPassword: async (uow: UnitOfWork<Service>) =>
      setPassword(uow, {
        ...{ user, passwordHash: await hashPassword(other), action: 'user.password_changed' },
        ...{ actor: `user:${user.id}`, now: noon },
      }),
  };
}

describe('Sign-in', () => {
  test('is rejected with a password that is being changed', async ({ owner, service }) => {
    expect(await concurrently(service, owner.setOtherPassword, owner.trySignIn)).toEqual([
      'permission_denied',
    ]);
    expect(await owner.countSessions()).toBe(0);
  });

  test('is rejected without a code while two-factor authentication is being enabled', async ({
    owner,
    service,
  }) => {
    const session = await owner.openSession();
    await beginTwoFactorSetup(service, { ...session, credentials: { password } });
    const enableTwoFactor = async (uow: UnitOfWork) => {
      const { pendingTotpEncrypted } = await lockUser(uow.tx, owner.user.id);
      await uow.tx.merchantUser.update({
        where: { id: owner.user.id },
        data: { totpEncrypted: pendingTotpEncrypted },
      });
      await endSessions(uow, { user: owner.user, keepSessionId: session.session.id });
    };
    expect(await concurrently(service, enableTwoFactor, owner.trySignIn)).toEqual(['permission_denied']);
    expect(await owner.countSessions()).toBe(1);
    expect(await doneOrCode(owner.signIn())).toBe('two_factor_code_required');
  });

  test('is rejected for a user who is being removed', async ({ owner, service }) => {
    const remove = ({ tx }: UnitOfWork) =>
      tx.merchantUser.update({ where: { id: owner.user.id }, data: { removedAt: noon } });
    expect(await concurrently(service, remove, owner.trySignIn)).toEqual(['permission_denied']);
    expect(await owner.countSessions()).toBe(0);
  });
});

describe('Session', () => {
  test('ends when another session changes the password concurrently', async ({ owner, service }) => {
    const [first, second] = [await owner.openSession(), await owner.openSession()];
    const change = (session: SessionContext, newPassword: string) => () =>
      doneOrCode(changePassword(service, { ...session, credentials: { password }, newPassword }));
    const outcomes = await concurrently(
      service,
      ({ tx }) => lockUser(tx, owner.user.id),
      change(first, `${other} one`),
      change(second, `${other} two`),
    );
    expect(outcomes.sort()).toEqual(['done', 'unauthenticated']);
    expect(await owner.countSessions()).toBe(1);
  });

  test('changes neither the password nor two-factor authentication while it is being ended', async ({
    owner,
    service,
  }) => {
    const session = await owner.openSession();
    const reauthenticated = { ...session, credentials: { password } };
    const change = () => doneOrCode(changePassword(service, { ...reauthenticated, newPassword: other }));
    const begin = () => doneOrCode(beginTwoFactorSetup(service, reauthenticated));
    const end = async (uow: UnitOfWork) => {
      await lockUser(uow.tx, owner.user.id);
      await endSessions(uow, { user: owner.user });
    };
    expect(await concurrently(service, end, change, begin)).toEqual(['unauthenticated', 'unauthenticated']);
    expect(await doneOrCode(owner.signIn())).toBe('done');
  });

  test('moves two-factor authentication to another app only with a code, even if it has just been enabled', async ({
    owner,
    service,
  }) => {
    const [first, second] = [await owner.openSession(), await owner.openSession()];
    const { secret } = await beginTwoFactorSetup(service, { ...first, credentials: { password } });
    await confirmTwoFactorSetup(service, { ...first, code: authenticatorCode(secret, noon) });
    // Restores a session whose user was read before the change.
    await service.prisma.userSession.create({ data: { ...second.session, reauthenticatedAt: null } });
    const move = beginTwoFactorSetup(service, { ...second, credentials: { password } });
    await expect(move).rejects.toMatchObject({ code: 'two_factor_code_required' });
    const now = minutesAfter(noon, 1);
    const credentials = { password, code: authenticatorCode(secret, now) };
    await expect(beginTwoFactorSetup(service, { ...second, credentials, now })).resolves.toBeTruthy();
  });

  test('ends with all others of the user, even if its sign-in is concurrent', async ({ owner, service }) => {
    const session = await owner.openSession();
    const signInSlowly = async ({ tx }: UnitOfWork) => {
      await lockUser(tx, owner.user.id);
      await tx.userSession.create({ data: { ...session.session, id: 'ses_new', tokenHash: sha256('new') } });
    };
    const end = () => signOutEverywhere(service, { ...session, keepCurrent: false });
    expect(await concurrently(service, signInSlowly, end)).toEqual([2]);
    expect(await owner.countSessions()).toBe(0);
  });

  test('cannot create recovery codes after two-factor authentication was disabled concurrently', async ({
    owner,
    service,
  }) => {
    const session = await owner.openSession();
    const { secret } = await beginTwoFactorSetup(service, { ...session, credentials: { password } });
    await confirmTwoFactorSetup(service, { ...session, code: authenticatorCode(secret, noon) });
    const user = await service.prisma.merchantUser.findUniqueOrThrow({ where: { id: owner.user.id } });
    const now = minutesAfter(noon, 1);
    const code = authenticatorCode(secret, now);
    await disableTwoFactor(service, { ...session, user, credentials: { password, code }, now });
    const repeated = regenerateRecoveryCodes(service, { ...session, user, code, now });
    await expect(repeated).rejects.toMatchObject({ code: 'two_factor_not_enabled' });
    expect(await service.prisma.recoveryCode.count({ where: { userId: user.id } })).toBe(0);
  });

  test('cannot reauthenticate with a two-factor code after it has ended', async ({ owner, service }) => {
    const session = await owner.openSession();
    const { secret } = await beginTwoFactorSetup(service, { ...session, credentials: { password } });
    await confirmTwoFactorSetup(service, { ...session, code: authenticatorCode(secret, noon) });
    const current = await service.prisma.merchantUser.findUniqueOrThrow({ where: { id: owner.user.id } });
    await service.prisma.userSession.deleteMany({ where: { userId: owner.user.id } });
    const now = minutesAfter(noon, 1);
    const credentials = { code: authenticatorCode(secret, now) };
    const repeated = reauthenticate(service, { ...session, user: current, credentials, now });
    await expect(repeated).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('Owner', () => {
  test('cannot invite, change or remove users, or change invitations, while being demoted', async ({
    owner,
    service,
    merchant,
  }) => {
    const { user } = owner;
    const seed = (role: UserRole) =>
      seedUser(service, {
        merchantId: user.merchantId,
        email: `${randomUUID()}@example.com`,
        role,
        now: noon,
      });
    const [developer, support] = [await seed('developer'), await seed('support')];
    const caller: MerchantCaller = {
      ...{ merchant: merchant.merchant, mode: 'live', permissions: new Set(['manage']) },
      ...{ actor: `user:${user.id}`, user },
    };
    const context = { caller, ipAddress: createAddress(), now: noon };
    const input = { email: `${randomUUID()}@example.com`, role: 'owner' } as const;
    const earlier = await inviteUser(service, {
      ...context,
      input: { ...input, email: `${randomUUID()}@example.com` },
    });
    const { id } = earlier.invitation;
    const outcomes = await concurrently(
      service,
      async ({ tx }) => {
        await lockMerchant(tx, merchant.merchant.id);
        await tx.merchantUser.update({ where: { id: user.id }, data: { role: 'support' } });
      },
      () => doneOrCode(inviteUser(service, { ...context, input })),
      () => doneOrCode(resendInvitation(service, { ...context, id })),
      () => doneOrCode(withdrawInvitation(service, { ...context, id })),
      () => doneOrCode(updateUser(service, { ...context, id: developer.id, role: 'owner' })),
      () => doneOrCode(removeUser(service, { ...context, id: support.id })),
    );
    expect(outcomes).toEqual(outcomes.map(() => 'permission_denied'));
  });
});

describe('Password reset request', () => {
  const requestResets = (service: Service, emails: string[]) =>
    service.prisma.passwordResetRequest.createMany({
      data: emails.map((email) => ({ email, ipAddress: '203.0.113.7', createdAt: noon })),
    });

  async function seedUsers(service: Service, count: number): Promise<string[]> {
    const emails: string[] = [];
    for (let i = 0; i < count; i++) emails.push((await seedMerchant(service)).email);
    return emails;
  }

  const processAll = (service: Service) => processResetRequests(service, { now: noon });
  const findUser = (service: Service, email: string) =>
    service.prisma.merchantUser.findFirstOrThrow({ where: { email } });

  test('takes as many statements for six requests as for two, and each mail of a user has a valid link', async ({
    service,
  }) => {
    const countStatements = async (count: number) => {
      const emails = await seedUsers(service, count);
      await requestResets(service, [...emails, ...emails]);
      const { result, sent } = await recordStatements(() => processAll(service));
      expect(result).toBe(2 * count);
      for (const email of emails) {
        const { id: userId } = await findUser(service, email);
        const token = await readLinkToken(service, email, 'password-reset');
        expect(await service.prisma.passwordReset.findUnique({ where: { userId } })).toMatchObject({
          tokenHash: sha256(token),
        });
      }
      return sent.length;
    };
    expect(await countStatements(6)).toBe(await countStatements(2));
  });

  test('continues when a request cannot be processed', async ({ service }) => {
    const [broken, valid] = (await seedUsers(service, 2)) as [string, string];
    // Inputs reject such an address; a restored backup may contain one.
    const { id } = await findUser(service, broken);
    await service.prisma.merchantUser.update({ where: { id }, data: { email: 'no address' } });
    await requestResets(service, ['no address', valid]);
    const [first] = await service.prisma.passwordResetRequest.findMany({ orderBy: { id: 'asc' } });
    await expect(processAll(service)).rejects.toThrow(
      `some password reset requests could not be processed: ${first!.id}`,
    );
    await readLinkToken(service, valid, 'password-reset');
    expect(await service.prisma.passwordResetRequest.findMany({ select: { id: true } })).toEqual([
      { id: first!.id },
    ]);
  });
});

describe('Attempt', () => {
  /** docs/guides/users.md documents these limits. */
  const dayMinutes = 24 * 60;

  type Kind = Parameters<typeof recordAttempt>[1]['kind'];

  test.for<[kind: Kind, by: 'account' | 'address', max: number, minutes: number]>([
    ['reauthentication', 'account', 5, 15],
    ['reauthentication', 'account', 20, dayMinutes],
    ['reauthentication', 'address', 20, 15],
    ['recovery', 'address', 20, 15],
    ['password_reset', 'address', 10, 15],
    ['link', 'address', 20, 15],
    ['invitation', 'account', 50, dayMinutes],
    ['invitation', 'address', 50, dayMinutes],
  ])('of the kind %s is limited by %s: %i in %i minutes', async ([kind, by, max, minutes], { service }) => {
    const limited = by === 'account' ? `usr_${randomUUID()}` : createAddress();
    // Each attempt has another account or address, so that no other limit applies.
    const attempt = (now: Date, subject = limited) => {
      const other = by === 'account' ? createAddress() : `usr_${randomUUID()}`;
      const [account, ipAddress] = by === 'account' ? [subject, other] : [other, subject];
      return recordAttempt(service, { kind, account, ipAddress, now });
    };
    // Attempts of a daily limit are spread out, so that the limit of 15 minutes does not apply.
    const stepMinutes = minutes === dayMinutes ? 5 : 0;
    const getTime = (i: number) => minutesAfter(noon, i * stepMinutes);
    for (let i = 0; i < max; i++) await attempt(getTime(i));
    await expect(attempt(getTime(max))).rejects.toMatchObject({ code: 'rate_limited' });
    await attempt(getTime(max), by === 'account' ? `usr_${randomUUID()}` : createAddress());
    // The first attempt is now outside the period.
    await attempt(minutesAfter(noon, minutes));
  });

  test('is not counted after a success', async ({ service }) => {
    const attempt = {
      kind: 'reauthentication',
      account: 'usr_right',
      ipAddress: '192.0.2.1',
      now: noon,
    } as const;
    for (let i = 0; i < 10; i++) await markAttemptsSuccessful(service, await recordAttempt(service, attempt));
    for (let i = 0; i < 5; i++) await recordAttempt(service, attempt);
    await expect(recordAttempt(service, attempt)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

const check = (password: string) =>
  checkPassword(password, {
    email: 'mei.chan@example.com',
    names: ['Chan Siu Mei', 'Harbour Cakes Ltd', '', '美餅屋', null],
    path: '/password',
  });

describe('Password', () => {
  test.for([
    'tea leaves at dawn',
    'Zx9-Kb7-Zx9-Kb',
    '茶葉茶葉在清晨的海港邊上',
    'correct horse battery staple and more',
    'the harbour at dawn with cakes',
    `${'a'.repeat(50)} bcdefg`,
  ])('%s is accepted, because only the length is required', (password) => {
    expect(check(password)).toBe(password);
  });

  test.for([
    ['elevenchars', 'at least 12'],
    ['x'.repeat(129), 'at most 128'],
    ['mei.chan@example.com', 'email address'],
    ['Mei.Chan@Example.com!', 'email address'],
    ['MeiChan123456', 'email address'],
    ['my meichan 2026!', 'email address'],
    ['harbourcakes2026', 'the name of your shop'],
    ['the H4rb0ur-Cakes of 2026', 'the name of your shop'],
    ['mei siu chan 1998', 'the name of your shop'],
    ['美餅屋-2026-11-30', 'the name of your shop'],
    ['password1234', 'too common'],
    ['P@ssw0rd2026!', 'too common'],
    ['passwordpassword', 'too common'],
    ['Welcome123456', 'too common'],
    ['qwertyuiop123', 'too common'],
    ['1234567890123', 'too common'],
    ['abcdefghijklm', 'too common'],
    ['0987654321098', 'too common'],
    ['aaaaaaaaaaaaa', 'too common'],
    ['causeway-2026', 'too common'],
    ['correcthorsebatterystaple', 'too common'],
    ['a\0bcdefghijklmnop', 'U+0000'],
  ] as const)('%s is rejected: %s', ([password, reason]) => {
    expect(() => check(password)).toThrow(reason);
  });
});

describe('Device', () => {
  test.for([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0',
      'Firefox on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36 Edg/128.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      'Safari on Mac',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
      'Samsung Internet on Android',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    ['curl/8.9.1', 'Unknown device'],
    [null, 'Unknown device'],
  ] as const)('of %s is described as %s', ([userAgent, description]) => {
    expect(describeDevice(userAgent)).toBe(description);
  });
});
