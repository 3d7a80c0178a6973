import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/review/return-transfer.ts';
import { unassignTransfer } from '../../../src/domain/money-in/transfer/review/unassign-transfer.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { DomainError } from '../../../src/kit/errors.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { later, transferTest as test } from '../../setup/transfer-test.ts';
import { recordOne, reverseOne, transferInput } from '../../setup/transfers.ts';

describe('Unmatched transfer that is assigned', () => {
  test('completes a pending charge with its event', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    const { transfer, charges } = await transfers.assign(
      (await transfers.seedUnmatched(charge, 12_850n)).id,
      { chargeId: charge.id },
    );
    expect(transfer).toMatchObject({ status: 'matched', reason: null, allocated: 12_850n });
    expect(charges).toMatchObject([
      { status: 'completed', completedBy: 'transfer', amountReceived: 12_850n },
    ]);
    expect(await transfers.getEventTypes(charge.id)).toEqual(['charge_created', 'CHARGE_COMPLETE']);
  });

  test.for(['expired', 'cancelled'] as const)(
    'completes a charge that is %s',
    async (status, { transfers, service }) => {
      const charge = await transfers.newCharge();
      if (status === 'expired') await expireCharges(service, { now: later });
      else
        await cancelCharge(service, {
          ...transfers.owner,
          id: charge.id,
          by: 'merchant',
          actor: 'user:test',
          now: later,
        });
      const { charges } = await transfers.assign((await transfers.seedUnmatched(charge, 12_850n)).id, {
        chargeId: charge.id,
      });
      expect(charges).toMatchObject([{ status: 'completed' }]);
      expect((await transfers.getEventTypes(charge.id)).at(-1)).toBe('CHARGE_COMPLETE');
    },
  );

  test('is a part payment if it is short, and completes the charge if the merchant accepts the shortfall', async ({
    transfers,
    service,
  }) => {
    const [charge, other] = [await transfers.newCharge(), await transfers.newCharge()];
    const { transfer } = await transfers.assign((await transfers.seedUnmatched(charge, 12_000n)).id, {
      chargeId: charge.id,
    });
    expect(transfer.status).toBe('partial');
    expect(await transfers.reload(charge)).toMatchObject({ status: 'pending', amountReceived: 12_000n });
    const short = await transfers.seedUnmatched(other, 12_000n);
    const parts = [{ chargeId: other.id }];
    const accepted = await assignTransfer(service, {
      ...transfers.decision,
      assignment: { transferId: short.id, parts, acceptShortfall: true, note: 'a regular' },
    });
    expect(accepted).toMatchObject({
      transfer: { status: 'matched' },
      charges: [{ status: 'completed', amountReceived: 12_000n }],
    });
    const [allocation] = await service.prisma.allocation.findMany({ where: { transferId: short.id } });
    expect(allocation).toMatchObject({
      reason: 'shortfall_accepted',
      note: 'a regular',
      actor: 'user:usr_1',
      createdAt: later,
    });
  });

  test('overpays a charge that is paid already, and the excess can be refunded', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    await transfers.assign((await transfers.seedUnmatched(charge, 12_850n)).id, { chargeId: charge.id });
    const { transfer } = await transfers.assign((await transfers.seedUnmatched(charge, 5_000n)).id, {
      chargeId: charge.id,
    });
    expect(transfer.status).toBe('over');
    expect((await transfers.getEventTypes(charge.id)).at(-1)).toBe('charge_overpaid');
    const input = { chargeId: charge.id, customerAmount: 178.5 };
    const { refund } = await createRefund(service, {
      ...transfers.owner,
      actor: 'user:test',
      input,
      now: later,
    });
    expect(refund.customerAmount).toBe(17_850n);
  });

  test('is split over several charges, and stays unmatched while a part of it is left', async ({
    transfers,
  }) => {
    const [first, second] = [await transfers.newCharge(), await transfers.newCharge()];
    const money = await transfers.seedUnmatched(first, 30_000n);
    const parts = [
      { chargeId: first.id, amount: '128.50' },
      { chargeId: second.id, amount: 100 },
    ];
    const { transfer, charges } = await transfers.assign(money.id, ...parts);
    expect(transfer).toMatchObject({ status: 'exception', reason: 'missing_reference', allocated: 22_850n });
    expect(charges.map(({ status }) => status)).toEqual(['completed', 'pending']);
    const remainder = await transfers.assign(transfer.id, { chargeId: second.id });
    expect(remainder).toMatchObject({
      transfer: { status: 'over', allocated: 30_000n },
      charges: [{ status: 'completed', amountReceived: 17_150n }],
    });
  });

  test('is rejected beyond its amount, in another currency, twice, and for a charge of another merchant', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const money = await transfers.seedUnmatched(charge, 10_000n);
    expect(await doneOrCode(transfers.assign(money.id, { chargeId: charge.id, amount: 100.01 }))).toBe(
      'amount_out_of_range',
    );
    expect(await doneOrCode(transfers.assign(money.id, { chargeId: 'ch_none' }))).toBe('charge_not_found');
    expect(await doneOrCode(transfers.assign(money.id))).toBe('invalid_request');
    const twice = [{ chargeId: charge.id, amount: 1 }, { chargeId: charge.id }];
    expect(await doneOrCode(transfers.assign(money.id, ...twice))).toBe('invalid_request');
    const other = await seedMerchant(service);
    const foreign = { ...transfers.decision, merchantId: other.merchant.id, merchant: other.merchant };
    const assignment = { transferId: money.id, parts: [{ chargeId: charge.id }] };
    expect(await doneOrCode(assignTransfer(service, { ...foreign, assignment }))).toBe('charge_not_found');
    await transfers.assign(money.id, { chargeId: charge.id });
    expect(await doneOrCode(transfers.assign(money.id, { chargeId: charge.id }))).toBe(
      'transfer_already_allocated',
    );
    const input = transferInput({ money: { minor: 12_850n, currency: 'USD' } });
    const dollars = await recordOne(service, merchant, {
      receivingAccountId: charge.receivingAccountId,
      input,
    });
    expect(await doneOrCode(transfers.assign(dollars.transferId, { chargeId: charge.id }))).toBe(
      'currency_unsupported',
    );
  });

  test('is allocated once when two users assign it and a third returns it concurrently', async ({
    transfers,
  }) => {
    const charges = [await transfers.newCharge(), await transfers.newCharge()];
    const money = await transfers.seedUnmatched(charges[0] as Charge, 12_850n);
    const results = await Promise.allSettled([
      ...charges.map(({ id }) => transfers.assign(money.id, { chargeId: id })),
      transfers.returnToPayer(money.id),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'transfer_already_allocated' });
  });
});

describe('Unmatched transfer that is returned', () => {
  test('is recorded as returned, wholly or in parts, until it is unassigned', async ({
    transfers,
    service,
  }) => {
    const money = await transfers.seedUnmatched(await transfers.newCharge(), 10_000n);
    const input = { transferId: money.id, amount: '40.00', note: 'by FPS' };
    expect(await returnTransfer(service, { ...transfers.decision, input })).toMatchObject({
      status: 'exception',
      reason: 'missing_reference',
      allocated: 4_000n,
    });
    const remainder = { transferId: money.id };
    const tooMuch = { ...remainder, amount: '60.01' };
    expect(await doneOrCode(returnTransfer(service, { ...transfers.decision, input: tooMuch }))).toBe(
      'amount_out_of_range',
    );
    expect(await returnTransfer(service, { ...transfers.decision, input: remainder })).toMatchObject({
      status: 'returned',
      reason: null,
    });
    const corrected = await unassignTransfer(service, { ...transfers.decision, input: remainder });
    expect(corrected).toMatchObject({ status: 'exception', reason: 'unassigned', allocated: 0n });
    const actions = await service.prisma.auditEntry.findMany({ where: { objectId: money.id } });
    expect(actions.map(({ action }) => action).sort()).toEqual([
      'transfer.returned',
      'transfer.returned',
      'transfer.unassigned',
    ]);
  });
});

describe('Removal of an assignment', () => {
  test('leaves the charge completed with less received, and the transfer can be assigned again', async ({
    transfers,
    service,
  }) => {
    const [wrong, right] = [await transfers.newCharge(), await transfers.newCharge()];
    const money = await transfers.seedUnmatched(wrong, 12_850n);
    await transfers.assign(money.id, { chargeId: wrong.id });
    const input = { transferId: money.id, chargeId: wrong.id };
    expect(await unassignTransfer(service, { ...transfers.decision, input })).toMatchObject({
      status: 'exception',
      reason: 'unassigned',
    });
    expect(await transfers.reload(wrong)).toMatchObject({ status: 'completed', amountReceived: 0n });
    await transfers.assign(money.id, { chargeId: right.id });
    expect(await transfers.reload(right)).toMatchObject({ status: 'completed' });
    const repeated = unassignTransfer(service, { ...transfers.decision, input });
    await expect(repeated).rejects.toMatchObject({ code: 'transfer_already_allocated' });
  });

  test('is rejected when the charge has been refunded', async ({ transfers, service }) => {
    const charge = await transfers.newCharge();
    const money = await transfers.seedUnmatched(charge, 12_850n);
    await transfers.assign(money.id, { chargeId: charge.id });
    const input = { chargeId: charge.id, customerAmount: 1 };
    await createRefund(service, { ...transfers.owner, actor: 'user:test', input, now: later });
    const removal = unassignTransfer(service, {
      ...transfers.decision,
      input: { transferId: money.id, chargeId: charge.id },
    });
    await expect(removal).rejects.toMatchObject({ code: 'amount_exceeds_refundable' });
  });
});

describe('Credit', () => {
  const chargeIndex = fc.nat(2);
  const amount = fc.constantFrom(12_850n, 6_425n, 5_000n, 20_000n, 1n);
  const stepArbitrary = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), charge: chargeIndex, amount }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('pay unlabelled' as const), charge: chargeIndex, amount }),
    },
    fc.record({ do: fc.constantFrom('expire' as const, 'cancel' as const), charge: chargeIndex, amount }),
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom('assign', 'split', 'return', 'unassign', 'accept', 'reverse', 'refund'),
        charge: chargeIndex,
        amount,
      }),
    },
  );
  type Step = { do: string; charge: number; amount: bigint };

  test(
    'is matched, a part payment, unmatched or returned after any operations in any order',
    async ({ service }) => {
      await fc.assert(
        fc.asyncProperty(fc.array(stepArbitrary, { minLength: 3, maxLength: 14 }), async (steps) => {
          const merchant = await seedMerchant(service);
          const charges: Charge[] = [];
          for (let i = 0; i < 3; i++) {
            const input = { email: `ada${i}@example.com` };
            charges.push(await seedCharge(service, merchant, { input }));
          }
          let recorded = 0n;
          for (const [i, step] of steps.entries()) {
            await runStep(service, merchant, charges[step.charge] as Charge, step, i).catch((error) => {
              if (!(error instanceof DomainError)) throw error;
            });
            if (step.do.startsWith('pay')) recorded += step.amount;
          }
          const { id: merchantId } = merchant.merchant;
          const transfers = await service.prisma.transfer.findMany({
            where: { merchantId, direction: 'credit' },
          });
          expect(transfers.reduce((sum, transfer) => sum + transfer.amount, 0n)).toBe(recorded);
          await expectInvariants(service);
        }),
        { numRuns: count(8, 500) },
      );
    },
    count(90_000, 1_200_000),
  );

  async function runStep(
    service: Service,
    merchant: NewMerchant,
    charge: Charge,
    step: Step,
    i: number,
  ): Promise<void> {
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    const now = minutesAfter(noon, 2 * i + 1);
    const audit = { actor: 'user:usr_1', now };
    const decision = { ...owner, merchant: merchant.merchant, audit, now };
    const { receivingAccountId } = charge;
    if (step.do.startsWith('pay')) {
      const reference = step.do === 'pay' ? charge.paymentReference : 'hello';
      const input = transferInput({
        money: { minor: step.amount, currency: 'HKD' },
        reference,
        paidAt: now,
        source: 'feed',
      });
      await recordOne(service, merchant, { receivingAccountId, input, now });
      return;
    }
    if (step.do === 'expire') await expireCharges(service, { now: minutesAfter(noon, 31) });
    if (step.do === 'cancel')
      await cancelCharge(service, { ...owner, id: charge.id, by: 'merchant', actor: 'user:test', now });
    if (step.do === 'refund') {
      const input = { chargeId: charge.id, customerAmount: Number(step.amount) / 100 };
      await createRefund(service, { ...owner, actor: 'user:test', input, now });
    }
    const newest = await service.prisma.transfer.findFirst({
      where: { ...owner, direction: 'credit' },
      orderBy: { id: 'desc' },
    });
    if (!newest) return;
    const transferId = newest.id;
    const [chargeId, other] = [charge.id, await findOtherChargeId(service, owner.merchantId, charge)];
    const half = Number(newest.amount / 2n) / 100;
    if (step.do === 'assign')
      await assignTransfer(service, { ...decision, assignment: { transferId, parts: [{ chargeId }] } });
    if (step.do === 'accept') {
      const assignment = { transferId, parts: [{ chargeId }], acceptShortfall: true };
      await assignTransfer(service, { ...decision, assignment });
    }
    if (step.do === 'split') {
      const parts = [{ chargeId, amount: half }, { chargeId: other }];
      await assignTransfer(service, { ...decision, assignment: { transferId, parts } });
    }
    if (step.do === 'return')
      await returnTransfer(service, { ...decision, input: { transferId, amount: half || null } });
    if (step.do === 'unassign')
      await unassignTransfer(service, { ...decision, input: { transferId, chargeId } });
    if (step.do === 'reverse') {
      const { reference, bankReference: reversedReference } = newest;
      const money = { minor: newest.amount, currency: 'HKD' };
      const input = transferInput({
        money,
        reference,
        reversedReference,
        paidAt: now,
        source: 'feed',
      });
      await reverseOne(service, merchant, { receivingAccountId, input, now });
    }
  }

  async function findOtherChargeId(service: Service, merchantId: string, charge: Charge): Promise<string> {
    const other = await service.prisma.charge.findFirstOrThrow({
      where: { merchantId, id: { not: charge.id } },
      orderBy: { id: 'asc' },
    });
    return other.id;
  }
});
