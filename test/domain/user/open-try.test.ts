import { expect, test } from 'vitest';
import { clearAttempts, recordAttempt } from '../../../src/domain/accounts/user/record-attempt.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** How often is tried, by whom it concerns and from where; docs/guides/users.md has the numbers. */

const service = await setupService(onCleanup);
const dayMinutes = 24 * 60;
let number = 0;

type Kind = Parameters<typeof recordAttempt>[1]['kind'];

test.each<[kind: Kind, by: 'account' | 'address', max: number, minutes: number]>([
  ['reauthentication', 'account', 5, 15],
  ['reauthentication', 'account', 20, dayMinutes],
  ['reauthentication', 'address', 20, 15],
  ['recovery', 'address', 20, 15],
  ['password_reset', 'address', 10, 15],
  ['link', 'address', 20, 15],
  ['invitation', 'account', 50, dayMinutes],
  ['invitation', 'address', 50, dayMinutes],
])('%s, by %s: %i in %i minutes', async (kind, by, max, minutes) => {
  const limited = by === 'account' ? `usr_${++number}` : `198.51.100.${++number}`;
  // Each of another account, or from another address, so that no other limit is met.
  const tryOne = (now: Date, one = limited) => {
    const other = by === 'account' ? `203.0.113.${++number % 256}` : `usr_${++number}`;
    const [account, address] = by === 'account' ? [one, other] : [other, one];
    return recordAttempt(service, { kind, account, address, now });
  };
  // Of those that are counted over a day so few in a quarter of an hour that the shorter limit lets them.
  const stepMinutes = minutes === dayMinutes ? 5 : 0;
  const at = (i: number) => minutesAfter(noon, i * stepMinutes);
  for (let i = 0; i < max; i++) await tryOne(at(i));
  await expect(tryOne(at(max))).rejects.toMatchObject({ code: 'rate_limited' });
  await tryOne(at(max), by === 'account' ? `usr_${++number}` : `198.51.100.${++number}`);
  // The first of them is as long ago as is looked back.
  await tryOne(minutesAfter(noon, minutes));
});

test('one that was right counts for nothing', async () => {
  const one = { kind: 'reauthentication', account: 'usr_right', address: '192.0.2.1', now: noon } as const;
  for (let i = 0; i < 10; i++) await clearAttempts(service, await recordAttempt(service, one));
  for (let i = 0; i < 5; i++) await recordAttempt(service, one);
  await expect(recordAttempt(service, one)).rejects.toMatchObject({ code: 'rate_limited' });
});
