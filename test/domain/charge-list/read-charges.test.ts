import { expect } from 'vitest';
import { findCharge, getCharge } from '../../../src/domain/payments/charge/get-charge.ts';
import { readChargeSlice } from '../../../src/domain/payments/charge-list/read-charge-slice.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge } from '../../setup/seed.ts';

test('Charges read by SQL equal those that Prisma reads', async ({ service, merchant }) => {
  const owner = { merchantId: merchant.merchant.id, mode: 'sandbox' } as const;
  const paid = await seedCompletedCharge(service, merchant, {
    input: { merchantAmount: 12.34, merchantCurrency: 'USD', notifyUrl: 'https://shop.example/notify' },
  });
  for (const amount of [20, 30]) {
    await createRefund(service, {
      ...owner,
      actor: 'key:test',
      input: { chargeId: paid.id, customerAmount: amount },
      now: minutesAfter(noon, amount),
    });
  }
  const open = await seedCharge(service, merchant, {
    mode: 'sandbox',
    now: minutesAfter(noon, 60),
    input: { email: 'bob@example.com', orders: [{ id: 'o1', amount: 1 }], notifyPayload: 'ü' },
  });
  const include = { refunds: { orderBy: { id: 'desc' } }, customer: true } as const;
  const rows = await service.prisma.charge.findMany({ where: owner, include, orderBy: { id: 'desc' } });
  expect(rows.map(({ id, refunds }) => [id, refunds.length])).toEqual([
    [open.id, 0],
    [paid.id, 2],
  ]);
  const all = { filter: { from: null, until: null }, after: undefined, take: 10 };
  const parts = { refunds: true, customer: true };
  expect(await readChargeSlice(service, owner, { ...all, ...parts })).toStrictEqual(rows);
  expect(await findCharge(service, { ...owner, id: paid.id }, parts)).toStrictEqual(rows[1]);
  expect(await findCharge(service, { ...owner, mode: 'live', id: paid.id }, parts)).toBeNull();
  const { refunds: _refunds, customer: _customer, ...bare } = rows[1]!;
  expect(await readChargeSlice(service, owner, { ...all, after: open.id })).toStrictEqual([bare]);
  const reversed = { ...all, reverse: true };
  expect(await readChargeSlice(service, owner, { ...reversed, ...parts })).toStrictEqual(rows.toReversed());
  expect(await readChargeSlice(service, owner, { ...reversed, after: open.id })).toEqual([]);
  expect(await findCharge(service, { ...owner, id: paid.id }, {})).toStrictEqual(bare);
  expect(rows[1]).toMatchObject(await getCharge(service, { ...owner, id: paid.id }));
});
