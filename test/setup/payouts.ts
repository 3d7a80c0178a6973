import type { Refund } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import {
  recordCredits,
  type TransferResult,
} from '../../src/domain/money-in/transfer/record/record-credits.ts';
import {
  type OutgoingResult,
  recordOutgoing,
} from '../../src/domain/money-in/transfer/record/record-outgoing.ts';
import { recordReversal } from '../../src/domain/money-in/transfer/reversals/record-reversal.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { parseMoney } from '../../src/kit/money.ts';
import { createCounter } from './create-counter.ts';
import { noon, seedCharge } from './seed.ts';
import { payCharge, toRecordingContext, transferInput } from './transfers.ts';

export const payeeAccount = { bank: '004', account: '123456789', holder: 'Ada Wong' };

const nextRefundNumber = createCounter();

/** Creates a refund of HKD 20.50 by default, of a live charge by FPS, with payout details. */
export async function seedPayableRefund(
  service: Service,
  merchant: NewMerchant,
  options: { amount?: number; details?: Partial<typeof payeeAccount>; now?: Date } = {},
): Promise<Refund> {
  const { amount = 20.5, now = noon } = options;
  const owner = { merchantId: merchant.merchant.id, mode: 'live' as const, actor: 'user:test', now };
  const input = { notifyPayload: `refund to pay ${nextRefundNumber()}` };
  const charge = await seedCharge(service, merchant, { input, now });
  await payCharge(service, merchant, charge, { now });
  const { refund } = await createRefund(service, {
    ...owner,
    input: { chargeId: charge.id, customerAmount: amount },
  });
  const details = { ...payeeAccount, ...options.details };
  return (await submitRefundDetails(service, { ...owner, id: refund.id, details })).refund;
}

type StatementLine = {
  amount: string;
  reference: string;
  id: string;
  currency?: string;
  paidAt?: Date;
  payerName?: string;
  source?: 'feed';
};

/** Returns a movement on the account of the refund’s charge, as a statement reports it. */
async function toRecording(service: Service, merchant: NewMerchant, refund: Refund, line: StatementLine) {
  const { receivingAccountId } = await service.prisma.charge.findUniqueOrThrow({
    where: { id: refund.chargeId },
  });
  const paidAt = line.paidAt ?? noon;
  const recording = await toRecordingContext(service, merchant, { receivingAccountId, now: paidAt });
  const { source = 'statement', reference, payerName } = line;
  const input = transferInput({
    source,
    bankReference: line.id,
    content: line.amount,
    money: parseMoney(line.amount, line.currency ?? 'HKD', '/amount'),
    reference,
    paidAt,
    ...(payerName !== undefined && { payerName }),
  });
  return { recording, input };
}

export async function payOut(
  service: Service,
  merchant: NewMerchant,
  refund: Refund,
  line: Partial<StatementLine> = {},
): Promise<OutgoingResult> {
  const reference = line.reference ?? `Refund ${refund.payoutReference}`;
  const fullLine = { amount: '20.50', id: `out-${refund.payoutReference}`, ...line, reference };
  const { recording, input } = await toRecording(service, merchant, refund, fullLine);
  const results = await transact(service, (uow) => recordOutgoing(uow, recording, [input]));
  return results.get(input)!;
}

/** Records that the other bank returned the payout. */
export async function returnPayout(
  service: Service,
  merchant: NewMerchant,
  refund: Refund,
  line: Partial<StatementLine> = {},
): Promise<TransferResult> {
  const fullLine = {
    amount: '20.50',
    id: `back-${refund.payoutReference}`,
    reference: `RETURN ${refund.payoutReference} AC04`,
    ...line,
  };
  const { recording, input } = await toRecording(service, merchant, refund, fullLine);
  const returned = { ...input, exception: 'returned_payment' } as const;
  const results = await transact(service, (uow) => recordCredits(uow, recording, [returned]));
  return results.get(returned)!;
}

/** Records that the bank reversed the returned payout. */
export async function reverseReturn(
  service: Service,
  merchant: NewMerchant,
  refund: Refund,
  line: Partial<StatementLine> = {},
): Promise<TransferResult> {
  const reference = `RETURN ${refund.payoutReference} AC04`;
  const fullLine = { amount: '20.50', id: `gone-${refund.payoutReference}`, reference, ...line };
  const { recording, input } = await toRecording(service, merchant, refund, fullLine);
  return transact(service, (uow) => recordReversal(uow, recording, input));
}
