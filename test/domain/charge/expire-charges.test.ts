import { expect, test } from 'vitest';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { makeCharge, makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { testService } from '../../setup/service.ts';
import { expectSound } from '../../setup/sound.ts';

test('a charge that cannot expire does not block the others, is named in the error, and expires later', async () => {
  const service = await testService();
  const { prisma } = service;
  const merchant = await makeMerchant(service);
  const charges = await Promise.all([1, 2, 3, 4].map(() => makeCharge(service, merchant, { now: noon })));
  const ids = charges.map(({ id }) => id);
  const broken = ids[1]!;
  const expire = () => expireCharges(service, { now: minutesAfter(noon, 24 * 60) });
  await prisma.$executeRawUnsafe(`CREATE FUNCTION reject_update() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE 'rejected by the test'; END $$`);
  await prisma.$executeRawUnsafe(`CREATE TRIGGER reject_update BEFORE UPDATE ON charge
    FOR EACH ROW WHEN (OLD.id = '${broken}') EXECUTE FUNCTION reject_update()`);

  await expect(expire()).rejects.toThrow(`some charges could not be expired: ${broken}`);
  const pending = { where: { id: { in: ids }, status: 'pending' as const }, select: { id: true } };
  expect(await prisma.charge.findMany(pending)).toEqual([{ id: broken }]);

  await prisma.$executeRawUnsafe('DROP TRIGGER reject_update ON charge');
  expect(await expire()).toBe(1);
  await expectSound(service);
});
