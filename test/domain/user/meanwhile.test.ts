import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MerchantUser } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { beginSecondFactor } from '../../../src/domain/accounts/user/begin-second-factor.ts';
import { changePassword } from '../../../src/domain/accounts/user/change-password.ts';
import { confirmSecondFactor } from '../../../src/domain/accounts/user/confirm-second-factor.ts';
import { hashPassword } from '../../../src/domain/accounts/user/create-user.ts';
import { endSessions } from '../../../src/domain/accounts/user/end-sessions.ts';
import { lockUser } from '../../../src/domain/accounts/user/lock-user.ts';
import { reauthenticate } from '../../../src/domain/accounts/user/reauthenticate.ts';
import { setPassword } from '../../../src/domain/accounts/user/set-password.ts';
import { signIn } from '../../../src/domain/accounts/user/sign-in.ts';
import type { SessionContext } from '../../../src/domain/accounts/user/with-reauthentication.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import type { UnitOfWork } from '../../../src/event/unit-of-work.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { concurrently } from '../../setup/concurrently.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { password, seedUser } from '../../setup/sign-in.ts';
import { authenticatorCode } from '../../setup/users.ts';

const onCleanup = cleanupAfterFile();

/** What was proved of somebody counts for nothing once it has changed, between the look at it and what it lets them do. */

const other = 'tea leaves at dawn';
let service: Service;
let shop: NewMerchant;
let user: MerchantUser;
let users = 0;

beforeAll(async () => {
  service = await setupService(onCleanup);
  shop = await seedMerchant(service);
});

beforeEach(async () => {
  const email = `user${++users}@example.com`;
  user = await seedUser(service, { merchantId: shop.merchant.id, email, role: 'owner', now: noon });
});

const address = () => `198.51.100.${users}`;
const enter = () => signIn(service, { email: user.email, password, address: address(), now: noon });
const tryToEnter = () => doneOrCode(enter());
const sessions = () => service.prisma.userSession.count({ where: { userId: user.id } });

async function self(): Promise<SessionContext> {
  const { session } = await enter();
  const present = await service.prisma.merchantUser.findUniqueOrThrow({ where: { id: user.id } });
  return { user: present, session, address: address(), now: noon };
}

const newPassword = async (uow: UnitOfWork<Service>) =>
  setPassword(uow, {
    ...{ user, passwordHash: await hashPassword(other), action: 'user.password_changed' },
    ...{ actor: `user:${user.id}`, now: noon },
  });

describe('no session begins', () => {
  test('with a password that is being changed', async () => {
    expect(await concurrently(service, newPassword, tryToEnter)).toEqual(['permission_denied']);
    expect(await sessions()).toBe(0);
  });

  test('without the second factor that is being turned on', async () => {
    const own = await self();
    await beginSecondFactor(service, { ...own, credentials: { password } });
    const turnOn = async (uow: UnitOfWork) => {
      const { pendingTotpEncrypted } = await lockUser(uow.tx, user.id);
      await uow.tx.merchantUser.update({
        where: { id: user.id },
        data: { totpEncrypted: pendingTotpEncrypted },
      });
      await endSessions(uow, { user, keepSessionId: own.session.id });
    };
    expect(await concurrently(service, turnOn, tryToEnter)).toEqual(['permission_denied']);
    expect(await sessions()).toBe(1);
    expect(await doneOrCode(enter())).toBe('second_factor_required');
  });

  test('of a user who is being removed', async () => {
    const remove = ({ tx }: UnitOfWork) =>
      tx.merchantUser.update({ where: { id: user.id }, data: { removedAt: noon } });
    expect(await concurrently(service, remove, tryToEnter)).toEqual(['permission_denied']);
    expect(await sessions()).toBe(0);
  });
});

describe('from a session', () => {
  test('of two who change the password at once, one does, and the other’s session has ended with it', async () => {
    const [one, two] = [await self(), await self()];
    const change = (own: SessionContext, newPassword: string) => () =>
      doneOrCode(changePassword(service, { ...own, credentials: { password }, newPassword }));
    const outcomes = await concurrently(
      service,
      ({ tx }) => lockUser(tx, user.id),
      change(one, `${other} one`),
      change(two, `${other} two`),
    );
    expect(outcomes.sort()).toEqual(['done', 'unauthenticated']);
    expect(await sessions()).toBe(1);
  });

  test('that is being ended, neither password nor second factor is changed', async () => {
    const own = await self();
    const proven = { ...own, credentials: { password } };
    const change = () => doneOrCode(changePassword(service, { ...proven, newPassword: other }));
    const begin = () => doneOrCode(beginSecondFactor(service, proven));
    const end = async (uow: UnitOfWork) => {
      await lockUser(uow.tx, user.id);
      await endSessions(uow, { user });
    };
    expect(await concurrently(service, end, change, begin)).toEqual(['unauthenticated', 'unauthenticated']);
    expect(await doneOrCode(enter())).toBe('done');
  });

  test('the second factor is not moved to another app without its code, though it was off a moment ago', async () => {
    const [one, two] = [await self(), await self()];
    const { secret } = await beginSecondFactor(service, { ...one, credentials: { password } });
    await confirmSecondFactor(service, { ...one, code: authenticatorCode(secret, noon) });
    // A session that was kept: it knows the user of before.
    await service.prisma.userSession.create({ data: { ...two.session, reauthenticatedAt: null } });
    const move = beginSecondFactor(service, { ...two, credentials: { password } });
    await expect(move).rejects.toMatchObject({ code: 'second_factor_required' });
    const now = minutesAfter(noon, 1);
    const credentials = { password, code: authenticatorCode(secret, now) };
    await expect(beginSecondFactor(service, { ...two, credentials, now })).resolves.toBeTruthy();
  });

  test('that has ended, the second factor proves nothing', async () => {
    const own = await self();
    const { secret } = await beginSecondFactor(service, { ...own, credentials: { password } });
    await confirmSecondFactor(service, { ...own, code: authenticatorCode(secret, noon) });
    const present = await service.prisma.merchantUser.findUniqueOrThrow({ where: { id: user.id } });
    await service.prisma.userSession.deleteMany({ where: { userId: user.id } });
    const now = minutesAfter(noon, 1);
    const credentials = { code: authenticatorCode(secret, now) };
    const again = reauthenticate(service, { ...own, user: present, credentials, now });
    await expect(again).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
