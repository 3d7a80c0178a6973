import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/assign-transfer.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/return-transfer.ts';
import { unassignTransfer } from '../../../src/domain/money-in/transfer/unassign-transfer.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { DomainError } from '../../../src/kit/errors.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { recordOne, reverseOne, transferInput } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

let service: Service;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

const which = fc.nat(2);
const amount = fc.constantFrom(12_850n, 6_425n, 5_000n, 20_000n, 1n);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), charge: which, amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pay unlabelled' as const), charge: which, amount }) },
  fc.record({ do: fc.constantFrom('expire' as const, 'cancel' as const), charge: which, amount }),
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('assign', 'split', 'return', 'unassign', 'accept', 'reverse', 'refund'),
      charge: which,
      amount,
    }),
  },
);
type Step = { do: string; charge: number; amount: bigint };

test(
  'whatever happens in whatever order, all money that came is matched, part payment, exception or returned',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const merchant = await seedMerchant(service);
        const charges: Charge[] = [];
        for (let i = 0; i < 3; i++) {
          const input = { email: `ada${i}@example.com` };
          charges.push(await seedCharge(service, merchant, { input }));
        }
        let told = 0n;
        for (const [i, one] of steps.entries()) {
          await take(merchant, charges[one.charge] as Charge, one, i).catch((error) => {
            if (!(error instanceof DomainError)) throw error;
          });
          if (one.do.startsWith('pay')) told += one.amount;
        }
        const { id: merchantId } = merchant.merchant;
        const transfers = await service.prisma.transfer.findMany({
          where: { merchantId, direction: 'credit' },
        });
        expect(transfers.reduce((sum, transfer) => sum + transfer.amount, 0n)).toBe(told);
        await expectInvariants(service);
      }),
      { numRuns: count(8, 500) },
    );
  },
  count(90_000, 1_200_000),
);

/** One step, about the charge and the newest transfer there is. */
async function take(merchant: NewMerchant, charge: Charge, one: Step, i: number): Promise<void> {
  const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
  const now = minutesAfter(noon, 2 * i + 1);
  const audit = { actor: 'user:usr_1', now };
  const decide = { ...owner, merchant: merchant.merchant, audit, now };
  const { receivingAccountId } = charge;
  if (one.do.startsWith('pay')) {
    const reference = one.do === 'pay' ? charge.paymentReference : 'hello';
    const input = transferInput({
      money: { minor: one.amount, currency: 'HKD' },
      reference,
      paidAt: now,
      source: 'feed',
    });
    await recordOne(service, merchant, { receivingAccountId, input, now });
    return;
  }
  if (one.do === 'expire') await expireCharges(service, { now: minutesAfter(noon, 31) });
  if (one.do === 'cancel')
    await cancelCharge(service, { ...owner, id: charge.id, by: 'merchant', actor: 'test', now });
  if (one.do === 'refund') {
    const input = { chargeId: charge.id, customerAmount: Number(one.amount) / 100 };
    await createRefund(service, { ...owner, actor: 'test', input, now });
  }
  const newest = await service.prisma.transfer.findFirst({
    where: { ...owner, direction: 'credit' },
    orderBy: { id: 'desc' },
  });
  if (!newest) return;
  const transferId = newest.id;
  const [chargeId, other] = [charge.id, await otherCharge(owner.merchantId, charge)];
  const half = Number(newest.amount / 2n) / 100;
  if (one.do === 'assign')
    await assignTransfer(service, { ...decide, assignment: { transferId, parts: [{ chargeId }] } });
  if (one.do === 'accept') {
    const assignment = { transferId, parts: [{ chargeId }], acceptShortfall: true };
    await assignTransfer(service, { ...decide, assignment });
  }
  if (one.do === 'split') {
    const parts = [{ chargeId, amount: half }, { chargeId: other }];
    await assignTransfer(service, { ...decide, assignment: { transferId, parts } });
  }
  if (one.do === 'return')
    await returnTransfer(service, { ...decide, input: { transferId, amount: half || null } });
  if (one.do === 'unassign') await unassignTransfer(service, { ...decide, input: { transferId, chargeId } });
  if (one.do === 'reverse') {
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

async function otherCharge(merchantId: string, charge: Charge): Promise<string> {
  const other = await service.prisma.charge.findFirstOrThrow({
    where: { merchantId, id: { not: charge.id } },
    orderBy: { id: 'asc' },
  });
  return other.id;
}
