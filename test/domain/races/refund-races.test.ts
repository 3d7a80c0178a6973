import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge, Refund, RefundStatus } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelRefund } from '../../../src/domain/payments/refund/cancel-refund.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { generatePayoutReference } from '../../../src/domain/payments/refund/generate-payout-reference.ts';
import { canTransition } from '../../../src/domain/payments/refund/refund-state.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { newId } from '../../../src/kit/id.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { copyObject, copyRows } from '../../setup/copy-rows.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { payeeAccount, payOut, returnPayout } from '../../setup/payouts.ts';
import { noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { payCharge } from '../../setup/transfers.ts';
import { pairsOf, race, type Scene, timeout } from './race.ts';

const onCleanup = cleanupAfterFile();

/** All that may come to a refund at one time, each with each other. */

let service: Service;
let merchant: NewMerchant;
let made = 0;

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service);
});

const owner = () => ({
  merchantId: merchant.merchant.id,
  mode: 'live' as const,
  actor: 'user:usr_1',
  now: noon,
});

async function makePaidCharge(merchantAmount = 1_000): Promise<Charge> {
  const charge = await seedCharge(service, merchant, {
    input: { merchantAmount, notifyPayload: `refunds ${++made}` },
  });
  await payCharge(service, merchant, charge, { now: noon });
  return charge;
}

/** Of a paid charge that has room for some more of the same. */
const firsts: Partial<Record<RefundStatus, { refund: Refund; copies: number }>> = {};
const copiesMax = 47;

/** A refund of 20.50 that stands at `at`. */
async function makeRefund(at: RefundStatus): Promise<Refund> {
  const { id: chargeId } = await makePaidCharge();
  let { refund } = await createRefund(service, { ...owner(), input: { chargeId, customerAmount: 20.5 } });
  if (at === 'initiated') return refund;
  ({ refund } = await submitRefundDetails(service, { ...owner(), id: refund.id, details: payeeAccount }));
  if (at === 'processing') return refund;
  ({ refund } = await completeRefund(service, { ...owner(), id: refund.id }));
  await returnPayout(service, merchant, refund);
  return refund;
}

/** Some refunds, each standing at `at`. */
async function makeRefunds(many: number, at: RefundStatus): Promise<Refund[]> {
  let first = firsts[at];
  if (!first || first.copies + many > copiesMax) first = { refund: await makeRefund(at), copies: 0 };
  firsts[at] = first;
  first.copies += many;
  const { refund } = first;
  const words = await newWords(many);
  const changes = words.map((payout_reference) => ({ payout_reference }));
  const ids = await copyObject(service, 'refund', refund, changes);
  if (at === 'completed') {
    await copyPayouts(
      refund,
      ids.map((id, i) => ({ id, word: words[i]! })),
    );
  }
  return service.prisma.refund.findMany({ where: { id: { in: ids } } });
}

/** Of the tens of thousands in a long run some would be drawn twice. */
async function newWords(many: number): Promise<string[]> {
  const words = new Set<string>();
  while (words.size < many)
    words.add(await transact(service, ({ tx }) => generatePayoutReference(tx, owner())));
  return [...words];
}

/** What was paid for a refund, and the line by which it came back. */
async function copyPayouts(refund: Refund, copies: { id: string; word: string }[]): Promise<void> {
  const { id: refundId, payoutReference } = refund;
  const payout = await service.prisma.refundPayout.findFirstOrThrow({ where: { refundId } });
  const line = await service.prisma.transfer.findFirstOrThrow({
    where: { bankReference: `back-${payoutReference}` },
  });
  const payouts = copies.map(({ id: refund_id, word: reference }) => ({
    ...{ of: payout.id, id: newId('payout', payout.createdAt), refund_id, reference },
  }));
  await copyRows(service, 'refund_payout', payouts);
  const lines = copies.map(({ word }) => ({
    bank_reference: `back-${word}`,
    reference: `RETURN ${word} AC04`,
  }));
  await copyObject(service, 'transfer', line, lines);
}

const statuses = ['initiated', 'processing', 'completed', 'cancelled'] as const;
const common: Omit<Scene<Refund>, 'make'> = {
  refusals: ['refund_not_initiated', 'refund_not_processing'],
  states: Object.fromEntries(statuses.map((status) => [`refund_${status}`, status])),
  transitions: Object.fromEntries(
    statuses.map((from) => [
      from,
      statuses.filter((to) => canTransition(from, to, { mode: 'live', isReturned: true })),
    ]),
  ),
  statusOf: (ids) => service.prisma.refund.findMany({ where: { id: { in: ids } } }),
  operations: {
    async cancel({ id }) {
      await cancelRefund(service, { ...owner(), id });
      return 'refund_cancelled';
    },
    async submit({ id }) {
      await submitRefundDetails(service, { ...owner(), id, details: payeeAccount });
      return undefined;
    },
    async complete({ id }) {
      await completeRefund(service, { ...owner(), id });
      return 'refund_completed';
    },
    async 'pay out'(refund) {
      await payOut(service, merchant, refund);
      return undefined;
    },
    async reopen({ id }) {
      await reopenRefund(service, { ...owner(), id, reason: 'It came back.' });
      return undefined;
    },
    async 'come back'(refund) {
      await returnPayout(service, merchant, refund, { id: `again-${refund.payoutReference}` });
      return undefined;
    },
  },
};

const standing = ['initiated', 'processing', 'completed'] as const;
describe.each(standing)('a refund that is %s, two things at once', (at) => {
  const scene = { ...common, make: (many: number) => makeRefunds(many, at) };
  test.each(pairsOf(common.operations))('%s and %s', { timeout }, (one, other) =>
    race(service, scene, [one, other]),
  );
});

test('many refunds of one charge at once: never a cent more than it received', { timeout }, async () => {
  for (let round = 0; round < count(2, 200); round++) {
    const { id: chargeId } = await makePaidCharge(100);
    const asked = Array.from({ length: 8 }, () =>
      doneOrCode(createRefund(service, { ...owner(), input: { chargeId, customerAmount: 30 } })),
    );
    expect((await Promise.all(asked)).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'amount_exceeds_refundable'),
      ...Array.from({ length: 3 }, () => 'done'),
    ]);
  }
});

test('nothing above has broken a promise of the database', () => expectInvariants(service));
