import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelRefund } from '../../../src/domain/payments/refund/cancel-refund.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/done-or-code.ts';
import { makeCharge, makeCompletedCharge, makeMerchant, noon } from '../../setup/makers.ts';
import { adasAccount } from '../../setup/payouts.ts';
import { testService } from '../../setup/service.ts';
import { expectSound } from '../../setup/sound.ts';
import { payCharge } from '../../setup/transfers.ts';

let service: Service;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await testService();
  merchant = await makeMerchant(service);
});

const owner = () => ({
  merchantId: merchant.merchant.id,
  mode: 'sandbox' as const,
  actor: 'test',
  now: noon,
});

const make = (chargeId: string, customerAmount: number) =>
  createRefund(service, { ...owner(), input: { chargeId, customerAmount } });

const operations = {
  cancel: (id: string) => cancelRefund(service, { ...owner(), id }),
  submit: (id: string) => submitRefundDetails(service, { ...owner(), id, details: adasAccount }),
  complete: (id: string) => completeRefund(service, { ...owner(), id }),
  reopen: (id: string) => reopenRefund(service, { ...owner(), id, reason: 'It came back.' }),
};
type Operation = keyof typeof operations;

describe('any sequence in the sandbox', () => {
  test('never gives back more than was paid, and tells each step once', async () => {
    const step = fc.record({
      operation: fc.constantFrom<(Operation | 'make')[]>('make', 'cancel', 'submit', 'complete', 'reopen'),
      minor: fc.integer({ min: 1, max: 9_000 }),
      pick: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const charge = await makeCompletedCharge(service, merchant);
        const states: { id: string; minor: number; status: string }[] = [];
        for (const { operation, minor, pick } of steps) {
          const given = states
            .filter(({ status }) => status !== 'cancelled')
            .reduce((sum, refund) => sum + refund.minor, 0);
          if (operation === 'make') {
            const fits = given + minor <= 12_850;
            const making = make(charge.id, minor / 100);
            if (!fits) expect(await doneOrCode(making)).toBe('amount_exceeds_refundable');
            else states.push({ id: (await making).refund.id, minor, status: 'initiated' });
            continue;
          }
          const refund = states[pick];
          if (!refund) continue;
          const next = after[refund.status]?.[operation];
          const outcome = await doneOrCode(operations[operation](refund.id));
          expect(outcome === 'done').toBe(next !== undefined);
          refund.status = next ?? refund.status;
        }
        const rows = await service.prisma.refund.findMany({ where: { chargeId: charge.id } });
        expect(new Map(rows.map(({ id, status }) => [id, status]))).toEqual(
          new Map(states.map(({ id, status }) => [id, status])),
        );
      }),
      { numRuns: count(25, 500) },
    );
    await expectSound(service);
  });
});

test('A live refund is not completed before its customer has entered the payout details', async () => {
  const charge = await makeCharge(service, merchant);
  await payCharge(service, merchant, charge, { paidAt: noon });
  const live = { ...owner(), mode: 'live' as const };
  const input = { chargeId: charge.id, customerAmount: 5 };
  const { refund } = await createRefund(service, { ...live, input });
  const complete = () => doneOrCode(completeRefund(service, { ...live, id: refund.id }));
  expect(await complete()).toBe('refund_not_processing');
  await submitRefundDetails(service, { ...live, id: refund.id, details: adasAccount });
  // From here on the money may be on its way.
  expect(await doneOrCode(cancelRefund(service, { ...live, id: refund.id }))).toBe('refund_not_initiated');
  expect(await complete()).toBe('done');
});

/** The model: where each operation leads in the sandbox. */
const after: Record<string, Partial<Record<Operation, string>>> = {
  initiated: { cancel: 'cancelled', submit: 'processing', complete: 'completed' },
  processing: { complete: 'completed', reopen: 'initiated' },
};
