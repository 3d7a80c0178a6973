import { expect, test } from 'vitest';
import { expireSessions } from '../../../src/domain/payments/session/expire-sessions.ts';
import { makeSession } from '../../setup/checkout.ts';
import { makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { spying } from '../../setup/sent-sql.ts';
import { testService } from '../../setup/service.ts';
import { expectSound } from '../../setup/sound.ts';

/** Sessions that are over, ended many at a time. */

const service = await testService();
const afterAWeek = minutesAfter(noon, 8 * 24 * 60);

async function makeSessions(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    // Of several merchants: what they can receive on is read once for all.
    const merchant = await makeMerchant(service);
    ids.push((await makeSession(service, merchant, { now: noon })).id);
  }
  return ids;
}

const expire = () => expireSessions(service, { now: afterAWeek });
const eventsOf = async (ids: string[]) =>
  (
    await service.prisma.event.findMany({
      where: { objectId: { in: ids } },
      orderBy: [{ objectVersion: 'asc' }, { objectId: 'asc' }],
    })
  ).map(({ objectId, type: message, objectVersion }) => [objectId, message, objectVersion]);

test('takes as many statements for six as for two, and each gets its event', async () => {
  const statements = async (count: number) => {
    const ids = (await makeSessions(count)).toSorted();
    const { result, sent } = await spying(expire);
    expect(result).toBe(count);
    expect(await eventsOf(ids)).toEqual([
      ...ids.map((id) => [id, 'session_created', 1]),
      ...ids.map((id) => [id, 'session_expired', 2]),
    ]);
    return sent.length;
  };
  expect(await statements(6)).toBe(await statements(2));
});

test('one that cannot be ended keeps no other; it is named, and ends when that is mended', async () => {
  const ids = await makeSessions(4);
  const broken = ids[1]!;
  const { orders } = await service.prisma.checkoutSession.findUniqueOrThrow({ where: { id: broken } });
  // Nothing lets such orders in; a restored backup or a hand in the database may.
  await service.prisma.checkoutSession.update({ where: { id: broken }, data: { orders: 'tea' } });
  await expect(expire()).rejects.toThrow(`some sessions could not be expired: ${broken}`);
  const open = { where: { id: { in: ids }, status: 'created' as const }, select: { id: true } };
  expect(await service.prisma.checkoutSession.findMany(open)).toEqual([{ id: broken }]);
  await service.prisma.checkoutSession.update({ where: { id: broken }, data: { orders: orders! } });
  expect(await expire()).toBe(1);
  await expectSound(service);
});
