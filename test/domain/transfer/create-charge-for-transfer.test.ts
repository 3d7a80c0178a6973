import { expect } from 'vitest';
import { createChargeForTransfer } from '../../../src/domain/money-in/transfer/review/create-charge-for-transfer.ts';
import type { Destination } from '../../../src/method/destination.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { noon, seedCharge } from '../../setup/seed.ts';
import { payCharge, seedUnmatchedTransfer } from '../../setup/transfers.ts';

const audit = { actor: 'user:usr_1', now: noon };

test('a charge for an unmatched transfer is completed with exactly its amount', async ({
  service,
  merchant,
}) => {
  const other = await seedCharge(service, merchant);
  const transfer = await seedUnmatchedTransfer(service, merchant, { charge: other, minor: 4_321n });
  const options = { merchant: merchant.merchant, mode: 'live', audit, now: noon } as const;
  const input = {
    transferId: transfer.id,
    email: 'mei@example.com',
    firstName: 'Mei',
    orderName: 'Gift box',
  };
  const created = await createChargeForTransfer(service, { ...options, input });
  expect(created.transfer).toMatchObject({ status: 'matched', allocated: 4_321n });
  expect(created.charge).toMatchObject({
    status: 'completed',
    customerAmount: 4_321n,
    merchantAmount: 4_321n,
    amountReceived: 4_321n,
    completedBy: 'transfer',
    receivingAccountId: transfer.receivingAccountId,
    email: 'mei@example.com',
    orders: [{ name: 'Gift box' }],
  });
  await expect(createChargeForTransfer(service, { ...options, input })).rejects.toThrow(
    /has the status "matched"/,
  );
  await expectInvariants(service);
});

test('a charge without an email is completed for a customer of its own', async ({ service, merchant }) => {
  const other = await seedCharge(service, merchant);
  const options = { merchant: merchant.merchant, mode: 'live', audit, now: noon } as const;
  const create = async (minor: bigint) => {
    const { id } = await seedUnmatchedTransfer(service, merchant, { charge: other, minor });
    const input = { transferId: id, firstName: 'Mei', orderName: 'Gift box' };
    return (await createChargeForTransfer(service, { ...options, input })).charge;
  };
  const [first, second] = [await create(4_321n), await create(4_322n)];
  expect(first).toMatchObject({ status: 'completed', email: null, firstName: 'Mei' });
  expect(second.customerId).not.toBe(first.customerId);
  await expectInvariants(service);
});

test('a charge for a transfer to a real account of a demo merchant uses no demo rates', async ({
  service,
  merchant,
}) => {
  const other = await seedCharge(service, merchant);
  const create = async (isDemoAccount: boolean, minor: bigint) => {
    const { id } = await seedUnmatchedTransfer(service, merchant, { charge: other, minor });
    await service.prisma.receivingAccount.updateMany({ data: { demo: isDemoAccount } });
    const demoMerchant = { ...merchant.merchant, demo: true };
    const options = { merchant: demoMerchant, mode: 'live', audit, now: noon } as const;
    const input = { transferId: id, firstName: 'Mei', orderName: 'Gift box' };
    return (await createChargeForTransfer(service, { ...options, input })).charge.usdAmount;
  };
  await service.prisma.forexRate.deleteMany();
  expect(await create(true, 4_321n)).not.toBeNull();
  expect(await create(false, 4_322n)).toBeNull();
});

test('a charge for an IDR transfer with a fraction has its exact amount, and whole instructions', async ({
  service,
  merchant,
}) => {
  const price = { merchantAmount: 50_000, merchantCurrency: 'IDR' };
  for (const method of ['id-bank-transfer', 'gojek-id'] as const) {
    const other = await seedCharge(service, merchant, { input: { ...price, method } });
    const { id } = await seedUnmatchedTransfer(service, merchant, { charge: other, minor: 1_234_550n });
    const input = { transferId: id, firstName: 'Budi', orderName: 'Gift box' };
    const options = { merchant: merchant.merchant, mode: 'live', audit, now: noon } as const;
    const { charge, transfer } = await createChargeForTransfer(service, { ...options, input });
    expect(transfer).toMatchObject({ status: 'matched', allocated: 1_234_550n });
    expect(charge).toMatchObject({
      status: 'completed',
      customerAmount: 1_234_550n,
      amountReceived: 1_234_550n,
    });
    expect((charge.destination as Destination).rows).toContainEqual(
      expect.objectContaining({ value: expect.stringMatching(/^12[.,]?346$/) }),
    );
  }
  await expectInvariants(service);
});

test('no charge is created for an amount that is too long for a payment code', async ({
  service,
  merchant,
}) => {
  const other = await seedCharge(service, merchant);
  const create = async (minor: bigint) => {
    const { id } = await seedUnmatchedTransfer(service, merchant, { charge: other, minor });
    const options = { merchant: merchant.merchant, mode: 'live', audit, now: noon } as const;
    return createChargeForTransfer(service, { ...options, input: { transferId: id, firstName: 'Mei' } });
  };
  await expect(create(1_000_000_000_000n)).rejects.toMatchObject({ code: 'amount_out_of_range' });
  expect((await create(999_999_999_999n)).charge).toMatchObject({ status: 'completed' });
  await expectInvariants(service);
});

test('no charge is created for a transfer that was matched', async ({ service, merchant }) => {
  const charge = await seedCharge(service, merchant);
  const { transferId } = await payCharge(service, merchant, charge, { now: noon });
  const input = { transferId: transferId!, email: 'mei@example.com' };
  const create = createChargeForTransfer(service, {
    ...{ merchant: merchant.merchant, mode: 'live', audit, now: noon, input },
  });
  await expect(create).rejects.toThrow(/has the status "matched"/);
  const where = { merchantId: merchant.merchant.id };
  expect(await service.prisma.charge.count({ where })).toBe(1);
});
