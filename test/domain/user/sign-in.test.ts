import { randomInt } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import {
  beginTwoFactorSetup,
  confirmTwoFactorSetup,
} from '../../../src/domain/accounts/user/set-up-two-factor.ts';
import { recordSignInAttempt, signIn } from '../../../src/domain/accounts/user/sign-in.ts';
import { createTrustedBrowserToken } from '../../../src/domain/accounts/user/trusted-browser.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { sha256 } from '../../../src/kit/secrets.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { authenticatorCode } from '../../setup/users.ts';

/** Sign-ins of accounts with many failures are delayed instead of locked, except from known networks and browsers. */

/** A merchant after 20 failures from 20 addresses, which reach the limit of no address. */
const test = serviceTest.extend('guessed', async ({ service, merchant }) => {
  for (let i = 0; i < 20; i++)
    await expect(tryFrom(service, merchant, `203.0.113.${i}`, 'wrong')).rejects.toThrow('incorrect');
  return merchant;
});

/** Signs in without waiting, and returns how long it would have waited. */
async function tryFrom(
  service: Service,
  merchant: NewMerchant,
  ipAddress: string,
  password: string,
  now = noon,
  options: { email?: string; trustedBrowserToken?: string | undefined } = {},
): Promise<number> {
  let waitedMs = 0;
  const wait = async (ms: number) => {
    waitedMs += ms;
  };
  await signIn(service, { email: merchant.email, password, ipAddress, now, wait, ...options });
  return waitedMs;
}

/** Records the attempt of an attacker without checking a password. */
function guessFrom(service: Service, ipAddress: string, email: string, now: Date): Promise<string> {
  return doneOrCode(recordSignInAttempt(service, { email, ipAddress, now }));
}

describe('Sign-in to an account with many failures', () => {
  test('is delayed by three seconds after the previous one, from 20 failures on', async ({
    service,
    guessed,
  }) => {
    expect(await tryFrom(service, guessed, '198.51.100.1', guessed.password)).toBe(3_000);
    await expect(tryFrom(service, guessed, '198.51.100.2', 'wrong')).rejects.toThrow('incorrect');
    expect(await tryFrom(service, guessed, '198.51.100.3', guessed.password)).toBe(6_000);
  });

  test('is rejected instead of delayed by more than 30 seconds, without delaying the next', async ({
    service,
    guessed,
  }) => {
    const now = minutesAfter(noon, 1);
    for (let i = 0; i < 10; i++)
      await expect(tryFrom(service, guessed, `203.0.113.${i}`, 'wrong', now)).rejects.toThrow('incorrect');
    for (let i = 0; i < 3; i++) {
      await expect(tryFrom(service, guessed, `192.0.2.${i}`, guessed.password, now)).rejects.toThrow(
        'Too many attempts',
      );
    }
    expect(await tryFrom(service, guessed, '198.51.100.9', guessed.password, minutesAfter(noon, 2))).toBe(
      3_000,
    );
  });

  test('is possible every 30 seconds for attackers from 100 failures on', async ({ service, merchant }) => {
    const { email } = merchant;
    const accountHash = sha256(email);
    await service.prisma.authenticationAttempt.createMany({
      data: Array.from({ length: 100 }, (_, n) => ({
        ...{ kind: 'sign_in' as const, accountHash, network: `network ${n}`, failed: true },
        ...{ notBefore: noon, createdAt: noon },
      })),
    });
    expect(await guessFrom(service, '203.0.113.1', email, noon)).toBe('done');
    expect(await guessFrom(service, '203.0.113.2', email, noon)).toBe('rate_limited');
    const later = (seconds: number) => new Date(noon.getTime() + seconds * 1_000);
    expect(await guessFrom(service, '203.0.113.3', email, later(29))).toBe('rate_limited');
    expect(await guessFrom(service, '203.0.113.4', email, later(30))).toBe('done');
    expect(await guessFrom(service, '203.0.113.5', email, later(59))).toBe('rate_limited');
  });

  test('is rejected and not counted while 100 others wait', async ({ service }) => {
    const now = minutesAfter(noon, 3);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const accounts = [];
    for (let n = 0; n < 11; n++) accounts.push((await seedMerchant(service)).email);
    await service.prisma.authenticationAttempt.createMany({
      data: accounts.flatMap((email, n) =>
        Array.from({ length: 20 }, (_, i) => ({
          ...{ kind: 'sign_in' as const, accountHash: sha256(email), network: `network ${n} ${i}` },
          ...{ failed: true, notBefore: noon, createdAt: noon },
        })),
      ),
    });
    const wait = () => released;
    const attempts = accounts.flatMap((email, n) =>
      Array.from({ length: 10 }, (_, i) =>
        doneOrCode(signIn(service, { email, password: 'wrong', ipAddress: `198.18.${n}.${i}`, now, wait })),
      ),
    );
    const codes: string[] = [];
    for (const attempt of attempts) void attempt.then((code) => codes.push(code));
    await expect.poll(() => codes.length).toBe(10);
    expect(new Set(codes)).toEqual(new Set(['rate_limited']));
    const counted = {
      createdAt: now,
      failed: true,
      accountHash: { in: accounts.map((email) => sha256(email)) },
    };
    expect(await service.prisma.authenticationAttempt.count({ where: counted })).toBe(100);
    release();
    await Promise.all(attempts);
    expect(codes.filter((code) => code === 'permission_denied')).toHaveLength(100);
  });

  test('is not delayed for other accounts, and a day later for none', async ({ service, guessed }) => {
    const other = await seedMerchant(service);
    const wait = () => Promise.reject(new Error('The sign-in waits.'));
    const ipAddress = '198.51.100.20';
    const { user } = await signIn(service, { ...other, ipAddress, now: noon, wait });
    expect(user.email).toBe(other.email);
    expect(
      await tryFrom(service, guessed, ipAddress, guessed.password, minutesAfter(noon, 24 * 60 + 2)),
    ).toBe(0);
  });
});

describe('Sign-in to an account under attack', () => {
  const enter = (service: Service, owner: NewMerchant, ipAddress: string, now = noon, browser?: string) =>
    tryFrom(service, owner, ipAddress, owner.password, now, { trustedBrowserToken: browser });

  /** Guesses until no further attempt is allowed. */
  async function attack(service: Service, owner: NewMerchant, now = noon): Promise<void> {
    let attackers = randomInt(1 << 23);
    const guess = () => {
      attackers += 1;
      return guessFrom(
        service,
        `11.${attackers >> 16}.${(attackers >> 8) & 255}.${attackers & 255}`,
        owner.email,
        now,
      );
    };
    while ((await guess()) !== 'rate_limited');
  }

  test('is not delayed from a network with a session of the owner, and rejected from others', async ({
    service,
    merchant,
  }) => {
    await enter(service, merchant, '198.51.100.50');
    await enter(service, merchant, '2001:db8:5:6::1');
    await attack(service, merchant);
    expect(await enter(service, merchant, '198.51.100.50')).toBe(0);
    expect(await enter(service, merchant, '2001:db8:5:6:7::8')).toBe(0);
    for (const elsewhere of ['198.51.100.51', '2001:db8:5:7::1'])
      await expect(enter(service, merchant, elsewhere)).rejects.toThrow('Too many attempts');
  });

  test('is rejected from a network with an expired session or a session of another user', async ({
    service,
    merchant,
  }) => {
    const { session } = await signIn(service, { ...merchant, ipAddress: '198.51.100.52', now: noon });
    await service.prisma.userSession.update({ where: { id: session.id }, data: { expiresAt: noon } });
    const other = await seedMerchant(service);
    await signIn(service, { ...other, ipAddress: '198.51.100.53', now: noon });
    await attack(service, merchant);
    for (const ipAddress of ['198.51.100.52', '198.51.100.53'])
      await expect(enter(service, merchant, ipAddress)).rejects.toThrow('Too many attempts');
  });

  test('is rejected from a network where only the password was entered', async ({ service, merchant }) => {
    const { user, session } = await signIn(service, { ...merchant, ipAddress: '198.51.100.54', now: noon });
    const context = { user, session, ipAddress: '198.51.100.54', now: noon };
    const { secret } = await beginTwoFactorSetup(service, {
      ...context,
      credentials: { password: merchant.password },
    });
    await confirmTwoFactorSetup(service, { ...context, code: authenticatorCode(secret, noon) });
    const enterPassword = (ipAddress: string) => enter(service, merchant, ipAddress);
    await expect(enterPassword('198.51.100.55')).rejects.toThrow('Enter the code');
    await attack(service, merchant);
    await expect(enterPassword('198.51.100.55')).rejects.toThrow('Too many attempts');
    await expect(enterPassword('198.51.100.54')).rejects.toThrow('Enter the code');
  });

  test('is not delayed from a known browser on any network', async ({ service, merchant }) => {
    await attack(service, merchant);
    const trustedBrowserToken = createTrustedBrowserToken(service.secrets, merchant.email);
    expect(await enter(service, merchant, '192.0.2.99', noon, trustedBrowserToken)).toBe(0);
    const other = await seedMerchant(service);
    const ofOther = createTrustedBrowserToken(service.secrets, other.email);
    for (const forged of [ofOther, `${trustedBrowserToken}x`, `x${trustedBrowserToken}`, 'x', '.'])
      await expect(enter(service, merchant, '192.0.2.98', noon, forged)).rejects.toThrow('Too many attempts');
  });
});

describe('Known browser', () => {
  const toKnownBrowser = (service: Service, { email }: NewMerchant) => ({
    trustedBrowserToken: createTrustedBrowserToken(service.secrets, email),
  });
  const now = minutesAfter(noon, 5);

  test('is not limited by failures of others at its address', async ({ service, guessed }) => {
    const office = '198.51.100.60';
    for (let i = 0; i < 10; i++)
      await expect(
        tryFrom(service, guessed, office, 'wrong', now, { email: `guess${i}@example.com` }),
      ).rejects.toThrow('incorrect');
    await expect(tryFrom(service, guessed, office, guessed.password, now)).rejects.toThrow(
      'Too many attempts',
    );
    expect(
      await tryFrom(service, guessed, office, guessed.password, now, toKnownBrowser(service, guessed)),
    ).toBe(0);
  });

  test('has its own limit of ten failures in 15 minutes, on any address', async ({ service, guessed }) => {
    const browser = toKnownBrowser(service, guessed);
    for (let i = 0; i < 10; i++)
      await expect(tryFrom(service, guessed, `10.9.0.${i}`, 'wrong', now, browser)).rejects.toThrow(
        'is incorrect',
      );
    await expect(tryFrom(service, guessed, '10.9.0.11', guessed.password, now, browser)).rejects.toThrow(
      'Too many attempts',
    );
    expect(
      await tryFrom(service, guessed, '10.9.0.11', guessed.password, now, toKnownBrowser(service, guessed)),
    ).toBe(0);
    expect(
      await tryFrom(service, guessed, '10.9.0.11', guessed.password, minutesAfter(now, 15), browser),
    ).toBe(0);
  });
});

describe('IPv6 network', () => {
  test.for([
    ['/56', 20, (i: number) => `2001:db8:a:${(0x1200 + i).toString(16)}::1`, '2001:db8:a:1300::1'],
    ['/48', 50, (i: number) => `2001:db8:b:${(i * 256).toString(16)}::1`, '2001:db8:c::1'],
  ] as const)(
    'of size %s may have %i failures in 15 minutes',
    async ([, max, ipAddress, outside], { service }) => {
      for (let i = 0; i < max; i++)
        expect(await guessFrom(service, ipAddress(i), `${i}@example.com`, noon)).toBe('done');
      const other = await seedMerchant(service);
      const enter = (from: string, now = noon) => tryFrom(service, other, from, other.password, now);
      await expect(enter(ipAddress(max))).rejects.toThrow('Too many attempts');
      expect(await enter(outside)).toBe(0);
      expect(await enter(ipAddress(max), minutesAfter(noon, 15))).toBe(0);
    },
  );

  test('is not limited by successful sign-ins', async ({ service, merchant }) => {
    const networks = Array.from({ length: 21 }, (_, i) => `2001:db8:d:${i}::1`);
    for (const network of networks)
      expect(await tryFrom(service, merchant, network, merchant.password)).toBe(0);
  });

  test('slows down the owner of an account, but does not lock them out', async ({ service, merchant }) => {
    const { email, password } = merchant;
    let attemptCount = 0;
    let rejectedCount = 0;
    for (let i = 0; i < 20; i++) {
      const now = new Date(noon.getTime() + i * 15_000);
      const guess = () => guessFrom(service, `2001:db8:e:${(attemptCount << 8).toString(16)}::1`, email, now);
      while ((await guess()) === 'done') attemptCount += 1;
      // The owner signs in from a new network each time.
      await tryFrom(service, merchant, `10.8.0.${i}`, password, now).catch(() => rejectedCount++);
    }
    expect(attemptCount).toBe(50);
    expect(rejectedCount).toBeLessThan(10);
  });
});
