import { describe, expect } from 'vitest';
import { expireSessions } from '../../../src/domain/payments/session/expire-sessions.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { seedSession } from '../../setup/checkout.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { recordStatements } from '../../setup/sent-statements.ts';

const afterAWeek = minutesAfter(noon, 8 * 24 * 60);

async function seedSessions(service: Service, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    // Of several merchants, whose receiving accounts are read in one statement.
    const merchant = await seedMerchant(service);
    ids.push((await seedSession(service, merchant, { now: noon })).id);
  }
  return ids;
}

const expire = (service: Service) => expireSessions(service, { now: afterAWeek });
const readEvents = async (service: Service, ids: string[]) =>
  (
    await service.prisma.event.findMany({
      where: { objectId: { in: ids } },
      orderBy: [{ objectVersion: 'asc' }, { objectId: 'asc' }],
    })
  ).map(({ objectId, type: message, objectVersion }) => [objectId, message, objectVersion]);

describe('expireSessions', () => {
  test('expires any number of sessions in the same number of statements, with one event each', async ({
    service,
  }) => {
    const countStatements = async (count: number) => {
      const ids = (await seedSessions(service, count)).toSorted();
      const { result, sent } = await recordStatements(() => expire(service));
      expect(result).toBe(count);
      expect(await readEvents(service, ids)).toEqual([
        ...ids.map((id) => [id, 'session_created', 1]),
        ...ids.map((id) => [id, 'session_expired', 2]),
      ]);
      return sent.length;
    };
    expect(await countStatements(6)).toBe(await countStatements(2));
  });

  test('one session that fails to expire does not block the others, is named in the error, and expires once repaired', async ({
    service,
  }) => {
    const ids = await seedSessions(service, 4);
    const broken = ids[1]!;
    const { orders } = await service.prisma.checkoutSession.findUniqueOrThrow({ where: { id: broken } });
    // No request stores such orders, but a restored backup or a manual change can.
    await service.prisma.checkoutSession.update({ where: { id: broken }, data: { orders: 'tea' } });
    await expect(expire(service)).rejects.toThrow(`some sessions could not be expired: ${broken}`);
    const open = { where: { id: { in: ids }, status: 'created' as const }, select: { id: true } };
    expect(await service.prisma.checkoutSession.findMany(open)).toEqual([{ id: broken }]);
    await service.prisma.checkoutSession.update({ where: { id: broken }, data: { orders: orders! } });
    expect(await expire(service)).toBe(1);
    await expectInvariants(service);
  });
});
