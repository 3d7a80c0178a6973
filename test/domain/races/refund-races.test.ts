import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Charge, Refund, RefundStatus } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelRefund } from '../../../src/domain/payments/refund/cancel-refund.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { generatePayoutReference } from '../../../src/domain/payments/refund/generate-payout-reference.ts';
import { canTransitionRefund } from '../../../src/domain/payments/refund/refund-state.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import { claimRefundsForFile } from '../../../src/domain/payouts/payout/claim-refunds-for-file.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { newId } from '../../../src/kit/id.ts';
import { copyObject, copyRows } from '../../setup/copy-rows.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { checkedTest as test } from '../../setup/invariants.ts';
import { payeeAccount, payOut, returnPayout } from '../../setup/payouts.ts';
import { noon, seedCharge } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';
import { listPairs, race, type Scene, timeout } from './race.ts';

/** Each pair of operations on a refund runs concurrently. */

const owner = (merchant: NewMerchant) => ({
  merchantId: merchant.merchant.id,
  mode: 'live' as const,
  actor: 'user:usr_1',
  now: noon,
});

async function seedPaidCharge(
  service: Service,
  merchant: NewMerchant,
  merchantAmount = 1_000,
): Promise<Charge> {
  const charge = await seedCharge(service, merchant, {
    input: { merchantAmount, notifyPayload: `refunds ${randomUUID()}` },
  });
  await payCharge(service, merchant, charge, { now: noon });
  return charge;
}

/** A paid charge has room for 47 refunds of this amount. */
const copiesMax = 47;

/** A refund of HKD 20.50; a completed one was returned by the bank. */
async function seedRefund(service: Service, merchant: NewMerchant, status: RefundStatus): Promise<Refund> {
  const { id: chargeId } = await seedPaidCharge(service, merchant);
  let { refund } = await createRefund(service, {
    ...owner(merchant),
    input: { chargeId, customerAmount: 20.5 },
  });
  if (status === 'initiated') return refund;
  ({ refund } = await submitRefundDetails(service, {
    ...owner(merchant),
    id: refund.id,
    details: payeeAccount,
  }));
  if (status === 'processing') return refund;
  ({ refund } = await completeRefund(service, { ...owner(merchant), id: refund.id }));
  await returnPayout(service, merchant, refund);
  return refund;
}

/** Copies a refund, which is replaced when its charge has no room for more copies. */
async function copyRefunds(
  service: Service,
  merchant: NewMerchant,
  original: Original,
  total: number,
  status: RefundStatus,
): Promise<Refund[]> {
  if (!original.refund || original.copies + total > copiesMax) {
    original.refund = await seedRefund(service, merchant, status);
    original.copies = 0;
  }
  original.copies += total;
  const { refund } = original;
  const references = await generateReferences(service, merchant, total);
  const changes = references.map((payout_reference) => ({ payout_reference }));
  const ids = await copyObject(service, 'refund', refund, changes);
  if (status === 'completed') {
    await copyPayouts(
      service,
      refund,
      ids.map((id, i) => ({ id, payoutReference: references[i]! })),
    );
  }
  return service.prisma.refund.findMany({ where: { id: { in: ids } } });
}

/** Draws again if a reference is drawn twice, which happens in long runs. */
async function generateReferences(service: Service, merchant: NewMerchant, total: number): Promise<string[]> {
  const references = new Set<string>();
  while (references.size < total)
    references.add(await transact(service, ({ tx }) => generatePayoutReference(tx, owner(merchant))));
  return [...references];
}

/** Copies the payout of a refund and the transfer by which it was returned. */
async function copyPayouts(
  service: Service,
  refund: Refund,
  copies: { id: string; payoutReference: string }[],
): Promise<void> {
  const { id: refundId, payoutReference: originalReference } = refund;
  const payout = await service.prisma.refundPayout.findFirstOrThrow({ where: { refundId } });
  const line = await service.prisma.transfer.findFirstOrThrow({
    where: { bankReference: `back-${originalReference}` },
  });
  const payouts = copies.map(({ id: refund_id, payoutReference: reference }) => ({
    ...{ of: payout.id, id: newId('payout', payout.createdAt), refund_id, reference },
  }));
  await copyRows(service, 'refund_payout', payouts);
  const lines = copies.map(({ payoutReference }) => ({
    bank_reference: `back-${payoutReference}`,
    reference: `RETURN ${payoutReference} AC04`,
  }));
  await copyObject(service, 'transfer', line, lines);
}

const operations = [
  'cancel',
  'submit',
  'complete',
  'pay out',
  'reopen',
  'return by the bank',
  'payment file',
] as const;
type Original = { refund?: Refund; copies: number };

const statuses = ['initiated', 'processing', 'completed', 'cancelled'] as const;
const toScene = (
  service: Service,
  merchant: NewMerchant,
  status: RefundStatus,
): Scene<Refund, (typeof operations)[number]> => {
  const original: Original = { copies: 0 };
  return {
    create: (total) => copyRefunds(service, merchant, original, total, status),
    errorCodes: ['refund_not_initiated', 'refund_not_processing', 'invalid_request'],
    states: Object.fromEntries(statuses.map((status) => [`refund_${status}`, status])),
    transitions: Object.fromEntries(
      statuses.map((from) => [
        from,
        statuses.filter((to) => canTransitionRefund(from, to, { mode: 'live', isReturned: true })),
      ]),
    ),
    readStatuses: (ids) => service.prisma.refund.findMany({ where: { id: { in: ids } } }),
    operations: {
      async cancel({ id }) {
        await cancelRefund(service, { ...owner(merchant), id });
        return 'refund_cancelled';
      },
      async submit({ id }) {
        await submitRefundDetails(service, { ...owner(merchant), id, details: payeeAccount });
        return undefined;
      },
      async complete({ id }) {
        await completeRefund(service, { ...owner(merchant), id });
        return 'refund_completed';
      },
      async 'pay out'(refund) {
        await payOut(service, merchant, refund);
        return undefined;
      },
      async reopen({ id }) {
        await reopenRefund(service, { ...owner(merchant), id, reason: 'The bank returned it.' });
        return undefined;
      },
      async 'return by the bank'(refund) {
        await returnPayout(service, merchant, refund, { id: `again-${refund.payoutReference}` });
        return undefined;
      },
      // The invariants find a cancelled refund that a file has claimed.
      async 'payment file'({ id }) {
        const input = { refundIds: [id], format: 'csv' };
        await transact(service, ({ tx }) => claimRefundsForFile(tx, { ...owner(merchant), input }));
        return undefined;
      },
    },
  };
};

describe.each(['initiated', 'processing', 'completed'] as const)('Refund that is %s', (status) => {
  test.for(listPairs(operations))(
    'has a legal history after concurrent %s and %s',
    { timeout },
    async (pair, { service, merchant }) => {
      await race(service, toScene(service, merchant, status), pair);
    },
  );
});

describe('Concurrent refunds of a charge', () => {
  test('never exceed the received amount', { timeout }, async ({ service, merchant }) => {
    for (let round = 0; round < count(2, 200); round++) {
      const { id: chargeId } = await seedPaidCharge(service, merchant, 100);
      const creations = Array.from({ length: 8 }, () =>
        doneOrCode(createRefund(service, { ...owner(merchant), input: { chargeId, customerAmount: 30 } })),
      );
      expect((await Promise.all(creations)).toSorted()).toEqual([
        ...Array.from({ length: 5 }, () => 'amount_exceeds_refundable'),
        ...Array.from({ length: 3 }, () => 'done'),
      ]);
    }
  });
});
