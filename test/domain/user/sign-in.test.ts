import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { beginSecondFactor } from '../../../src/domain/accounts/user/begin-second-factor.ts';
import { confirmSecondFactor } from '../../../src/domain/accounts/user/confirm-second-factor.ts';
import { recordSignInAttempt, signIn } from '../../../src/domain/accounts/user/sign-in.ts';
import { createBrowserToken } from '../../../src/domain/accounts/user/trusted-browser.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { sha256 } from '../../../src/kit/secrets.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { authenticatorCode } from '../../setup/users.ts';

const onCleanup = cleanupAfterFile();

/** An account that many addresses guess at is slowed, not locked, and not at all for who was there before. */

let service: Service;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service);
  // 20 failures from 20 addresses, so that the limit of none is reached.
  for (let i = 0; i < 20; i++) await expect(tryFrom(`203.0.113.${i}`, 'wrong')).rejects.toThrow('incorrect');
});

/** Tries without waiting, and tells how long it would have waited. */
async function tryFrom(
  address: string,
  password: string,
  now = noon,
  more: { email?: string; browserToken?: string | undefined } = {},
): Promise<number> {
  let waitedMs = 0;
  const wait = async (ms: number) => {
    waitedMs += ms;
  };
  await signIn(service, { email: merchant.email, password, address, now, wait, ...more });
  return waitedMs;
}

/** A stranger's try, counted, of which nobody looks at the password. */
function guessFrom(address: string, email: string, now: Date): Promise<string> {
  return doneOrCode(recordSignInAttempt(service, { email, address, now }));
}

test('from 20 failures on, each try waits its turn, 3 seconds after the one before', async () => {
  expect(await tryFrom('198.51.100.1', merchant.password)).toBe(3_000);
  await expect(tryFrom('198.51.100.2', 'wrong')).rejects.toThrow('incorrect');
  expect(await tryFrom('198.51.100.3', merchant.password)).toBe(6_000);
});

test('a try that would wait longer than 30 seconds is refused, and is not in the way of the next', async () => {
  const now = minutesAfter(noon, 1);
  for (let i = 0; i < 10; i++)
    await expect(tryFrom(`203.0.113.${i}`, 'wrong', now)).rejects.toThrow('incorrect');
  for (let i = 0; i < 3; i++) {
    await expect(tryFrom(`192.0.2.${i}`, merchant.password, now)).rejects.toThrow('Too many attempts');
  }
  expect(await tryFrom('198.51.100.9', merchant.password, minutesAfter(noon, 2))).toBe(3_000);
});

test('from 100 failures on, the tries of strangers are 30 seconds apart, and one waits', async () => {
  const { email } = await seedMerchant(service);
  const accountHash = sha256(email);
  await service.prisma.authenticationAttempt.createMany({
    data: Array.from({ length: 100 }, (_, n) => ({
      ...{ kind: 'sign_in' as const, accountHash, network: `network ${n}`, failed: true },
      ...{ notBefore: noon, createdAt: noon },
    })),
  });
  expect(await guessFrom('203.0.113.1', email, noon)).toBe('done');
  expect(await guessFrom('203.0.113.2', email, noon)).toBe('rate_limited');
  const later = (seconds: number) => new Date(noon.getTime() + seconds * 1_000);
  expect(await guessFrom('203.0.113.3', email, later(29))).toBe('rate_limited');
  expect(await guessFrom('203.0.113.4', email, later(30))).toBe('done');
  expect(await guessFrom('203.0.113.5', email, later(59))).toBe('rate_limited');
});

test('of more than 100 sign-ins that wait at once, the others are refused and not counted', async () => {
  const now = minutesAfter(noon, 3);
  const { promise: turn, resolve: comes } = Promise.withResolvers<void>();
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
  const wait = () => turn;
  const tries = accounts.flatMap((email, n) =>
    Array.from({ length: 10 }, (_, i) =>
      doneOrCode(signIn(service, { email, password: 'wrong', address: `198.18.${n}.${i}`, now, wait })),
    ),
  );
  const refused: string[] = [];
  for (const one of tries) void one.then((code) => refused.push(code));
  await expect.poll(() => refused.length).toBe(10);
  expect(new Set(refused)).toEqual(new Set(['rate_limited']));
  const counted = {
    createdAt: now,
    failed: true,
    accountHash: { in: accounts.map((email) => sha256(email)) },
  };
  expect(await service.prisma.authenticationAttempt.count({ where: counted })).toBe(100);
  comes();
  await Promise.all(tries);
  expect(refused.filter((code) => code === 'permission_denied')).toHaveLength(100);
});

test('other accounts do not wait, and a day later this one does not either', async () => {
  const other = await seedMerchant(service);
  const wait = () => Promise.reject(new Error('it waits'));
  const address = '198.51.100.20';
  const { user } = await signIn(service, { ...other, address, now: noon, wait });
  expect(user.email).toBe(other.email);
  expect(await tryFrom(address, merchant.password, minutesAfter(noon, 24 * 60 + 2))).toBe(0);
});

describe('while strangers take every turn of an account', () => {
  let owner: NewMerchant;
  let strangers = 0;

  const enter = (address: string, now = noon, browser?: string) =>
    tryFrom(address, owner.password, now, { email: owner.email, browserToken: browser });

  async function takeEveryTurn(now = noon): Promise<void> {
    const guess = () => {
      strangers += 1;
      return guessFrom(`10.0.${strangers >> 8}.${strangers & 255}`, owner.email, now);
    };
    while ((await guess()) !== 'rate_limited');
  }

  beforeEach(async () => {
    owner = await seedMerchant(service);
  });

  test('the network where its owner is signed in waits for none, and no other network', async () => {
    await enter('198.51.100.50');
    await enter('2001:db8:5:6::1');
    await takeEveryTurn();
    expect(await enter('198.51.100.50')).toBe(0);
    expect(await enter('2001:db8:5:6:7::8')).toBe(0);
    for (const elsewhere of ['198.51.100.51', '2001:db8:5:7::1'])
      await expect(enter(elsewhere)).rejects.toThrow('Too many attempts');
  });

  test('a session that ran out, and one of somebody else, make no network known', async () => {
    const { session } = await signIn(service, { ...owner, address: '198.51.100.52', now: noon });
    await service.prisma.userSession.update({ where: { id: session.id }, data: { expiresAt: noon } });
    const other = await seedMerchant(service);
    await signIn(service, { ...other, address: '198.51.100.53', now: noon });
    await takeEveryTurn();
    for (const address of ['198.51.100.52', '198.51.100.53'])
      await expect(enter(address)).rejects.toThrow('Too many attempts');
  });

  test('the password without the second factor makes none known', async () => {
    const { user, session } = await signIn(service, { ...owner, address: '198.51.100.54', now: noon });
    const self = { user, session, address: '198.51.100.54', now: noon };
    const { secret } = await beginSecondFactor(service, {
      ...self,
      credentials: { password: owner.password },
    });
    await confirmSecondFactor(service, { ...self, code: authenticatorCode(secret, noon) });
    const half = (address: string) => enter(address);
    await expect(half('198.51.100.55')).rejects.toThrow('Enter the code');
    await takeEveryTurn();
    await expect(half('198.51.100.55')).rejects.toThrow('Too many attempts');
    await expect(half('198.51.100.54')).rejects.toThrow('Enter the code');
  });

  test('a browser that is known for it waits for none, wherever it is', async () => {
    await takeEveryTurn();
    const known = createBrowserToken(service.secrets, owner.email);
    expect(await enter('192.0.2.99', noon, known)).toBe(0);
    const ofAnother = createBrowserToken(service.secrets, merchant.email);
    for (const forged of [ofAnother, `${known}x`, `x${known}`, 'x', '.'])
      await expect(enter('192.0.2.98', noon, forged)).rejects.toThrow('Too many attempts');
  });
});

describe('a known browser', () => {
  const known = () => ({ browserToken: createBrowserToken(service.secrets, merchant.email) });
  const now = minutesAfter(noon, 5);

  test('is not stopped by what others behind its address do', async () => {
    const office = '198.51.100.60';
    for (let i = 0; i < 10; i++)
      await expect(tryFrom(office, 'wrong', now, { email: `guess${i}@example.com` })).rejects.toThrow(
        'incorrect',
      );
    await expect(tryFrom(office, merchant.password, now)).rejects.toThrow('Too many attempts');
    expect(await tryFrom(office, merchant.password, now, known())).toBe(0);
  });

  test('has ten failures in a quarter of an hour of its own, whatever addresses it takes', async () => {
    const one = known();
    for (let i = 0; i < 10; i++)
      await expect(tryFrom(`10.9.0.${i}`, 'wrong', now, one)).rejects.toThrow('is incorrect');
    await expect(tryFrom('10.9.0.11', merchant.password, now, one)).rejects.toThrow('Too many attempts');
    expect(await tryFrom('10.9.0.11', merchant.password, now, known())).toBe(0);
    expect(await tryFrom('10.9.0.11', merchant.password, minutesAfter(now, 15), one)).toBe(0);
  });
});

describe('of IPv6', () => {
  test.each([
    ['/56', 20, (i: number) => `2001:db8:a:${(0x1200 + i).toString(16)}::1`, '2001:db8:a:1300::1'],
    ['/48', 50, (i: number) => `2001:db8:b:${(i * 256).toString(16)}::1`, '2001:db8:c::1'],
  ])('a %s has %i failures in a quarter of an hour', async (_, max, address, outside) => {
    for (let i = 0; i < max; i++) expect(await guessFrom(address(i), `${i}@example.com`, noon)).toBe('done');
    const other = await seedMerchant(service);
    const enter = (from: string, now = noon) => tryFrom(from, other.password, now, { email: other.email });
    await expect(enter(address(max))).rejects.toThrow('Too many attempts');
    expect(await enter(outside)).toBe(0);
    expect(await enter(address(max), minutesAfter(noon, 15))).toBe(0);
  });

  test('what was right counts for none of them', async () => {
    const { email, password } = await seedMerchant(service);
    const networks = Array.from({ length: 21 }, (_, i) => `2001:db8:d:${i}::1`);
    for (const network of networks) expect(await tryFrom(network, password, noon, { email })).toBe(0);
  });

  test('one line slows the owner of an account down, and shuts nobody out', async () => {
    const { email, password } = await seedMerchant(service);
    let tried = 0;
    let refused = 0;
    for (let i = 0; i < 20; i++) {
      const now = new Date(noon.getTime() + i * 15_000);
      const guess = () => guessFrom(`2001:db8:e:${(tried << 8).toString(16)}::1`, email, now);
      while ((await guess()) === 'done') tried += 1;
      // Each from where the owner never was before.
      await tryFrom(`10.8.0.${i}`, password, now, { email }).catch(() => refused++);
    }
    expect(tried).toBe(50);
    expect(refused).toBeLessThan(10);
  });
});
