import { describe, expect, test } from 'vitest';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { chargeCheckoutLink } from '../../src/domain/payments/checkout-link/charge-checkout-link.ts';
import { setupCappedCheckout } from '../setup/capped-checkout.ts';
import { linkPath, seedCheckoutLink } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { doneOrCode } from '../setup/errors.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon } from '../setup/seed.ts';
import { connectOtherProcess, type ServiceOnDatabase } from '../setup/service.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/** Finding 9: anonymous visitors use up the uses of a limited link without paying. */

const { clock, app, service, newNetwork, newShop, start, newestCharge, readLink, cancel, uncapped } =
  setupCappedCheckout(500);

describe('the uses of a limited link', () => {
  const limited = async (usesLimit: number) => {
    const { shop } = await newShop();
    const link = await seedCheckoutLink(service(), shop, { input: { usesLimit }, now: noon });
    return { shop, link, path: linkPath(link) };
  };

  test('come back when charges expire or are cancelled, and can be taken again', async () => {
    const { shop, link, path } = await limited(2);
    expect(await start(path, newNetwork(), 1)).toEqual([303]);
    expect(await start(path, newNetwork(), 1)).toEqual([303]);
    expect((await createPageVisitor(app(), newNetwork()).get(path)).status).toBe(410);
    await cancel(await newestCharge(shop));
    expect((await readLink(link)).uses).toBe(1);
    expect(await start(path, newNetwork(), 1)).toEqual([303]);
    clock.set(minutesAfter(noon, 31));
    await expireCharges(service(), { now: clock.now() });
    expect((await readLink(link)).uses).toBe(0);
    expect((await createPageVisitor(app(), newNetwork()).get(path)).status).toBe(200);
    await expectInvariants(service());
  });

  test('stay with charges that are paid', async () => {
    const { shop, link, path } = await limited(1);
    await start(path, newNetwork(), 1);
    await payCharge(service(), shop, await newestCharge(shop), { now: noon });
    expect(await readLink(link)).toMatchObject({ uses: 1 });
    expect((await createPageVisitor(app(), newNetwork()).get(path)).status).toBe(410);
  });

  test('exceed the limit only by money that arrives for a charge that had ended', async () => {
    const { shop, link, path } = await limited(1);
    await start(path, newNetwork(), 1);
    const late = await newestCharge(shop);
    clock.set(minutesAfter(noon, 31));
    await expireCharges(service(), { now: clock.now() });
    await start(path, newNetwork(), 1);
    const paidInTime = { paidAt: minutesAfter(noon, 20), now: clock.now() };
    expect(await payCharge(service(), shop, late, paidInTime)).toMatchObject({ status: 'matched' });
    expect(await service().prisma.charge.findUnique({ where: { id: late.id } })).toMatchObject({
      status: 'completed',
    });
    expect(await readLink(link)).toMatchObject({ uses: 2, usesLimit: 1 });
    await expectInvariants(service());
  });

  test('are never taken twice among concurrent starts, cancellations and expiries', async () => {
    const other = connectOtherProcess(onCleanup, service() as ServiceOnDatabase);
    await uncapped(async () => {
      for (let round = 0; round < count(5, 50); round++) {
        const { shop, link } = await limited(2);
        const { merchant } = shop;
        const startOne = (i: number, at = noon) => {
          const customer = { email: `use-${i}@example.com` };
          const visitor = { address: newNetwork() };
          const given = { merchant, link, method: 'fps', customer, visitor, now: at } as const;
          return doneOrCode(chargeCheckoutLink(i % 2 === 0 ? service() : other, given));
        };
        const starts = await Promise.all(Array.from({ length: 8 }, (_, i) => startOne(i)));
        expect(starts.filter((end) => end === 'done')).toHaveLength(2);
        const [first] = await service().prisma.charge.findMany({ where: { checkoutLinkId: link.id } });
        clock.set(minutesAfter(noon, 31));
        await Promise.all([
          doneOrCode(cancel(first!)),
          expireCharges(other, { now: clock.now() }),
          ...Array.from({ length: 6 }, (_, i) => startOne(i, clock.now())),
        ]);
        const open = await service().prisma.charge.count({
          where: { checkoutLinkId: link.id, status: { in: ['pending', 'completed'] } },
        });
        expect(open).toBeLessThanOrEqual(2);
        expect((await readLink(link)).uses).toBe(open);
      }
    });
    await expectInvariants(service());
  });
});
