import { beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/merchant/create-merchant.ts';
import type { Service } from '../../../src/domain/service.ts';
import { signIn } from '../../../src/domain/user/sign-in.ts';
import { makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { testService } from '../../setup/service.ts';

/** An account that many addresses guess at is slowed, not locked. */

let service: Service;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await testService();
  merchant = await makeMerchant(service);
  // 20 failures from 20 addresses, so that the limit of none is reached.
  for (let i = 0; i < 20; i++) await expect(tryFrom(`203.0.113.${i}`, 'wrong')).rejects.toThrow('wrong');
});

/** Tries without waiting, and tells how long it would have waited. */
async function tryFrom(address: string, password: string, now = noon): Promise<number> {
  let waitedMs = 0;
  const wait = async (ms: number) => {
    waitedMs += ms;
  };
  await signIn(service, { email: merchant.email, password, address, now, wait });
  return waitedMs;
}

test('from 20 failures on, each try waits its turn, 3 seconds after the one before', async () => {
  expect(await tryFrom('198.51.100.1', merchant.password)).toBe(3_000);
  await expect(tryFrom('198.51.100.2', 'wrong')).rejects.toThrow('wrong');
  expect(await tryFrom('198.51.100.3', merchant.password)).toBe(6_000);
});

test('a try that would wait longer than 30 seconds is refused, and is not in the way of the next', async () => {
  const now = minutesAfter(noon, 1);
  for (let i = 0; i < 10; i++) await expect(tryFrom(`203.0.113.${i}`, 'wrong', now)).rejects.toThrow('wrong');
  for (let i = 0; i < 3; i++) {
    await expect(tryFrom(`198.51.100.${i}`, merchant.password, now)).rejects.toThrow('Too many tries');
  }
  expect(await tryFrom('198.51.100.9', merchant.password, minutesAfter(noon, 2))).toBe(3_000);
});

test('other accounts do not wait, and a day later this one does not either', async () => {
  const other = await makeMerchant(service);
  const wait = () => Promise.reject(new Error('it waits'));
  const address = '198.51.100.20';
  const { user } = await signIn(service, { ...other, address, now: noon, wait });
  expect(user.email).toBe(other.email);
  expect(await tryFrom(address, merchant.password, minutesAfter(noon, 24 * 60 + 2))).toBe(0);
});
