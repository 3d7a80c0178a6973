import type { Refund } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { type OutgoingResult, recordOutgoing } from '../../src/domain/money-in/outgoing/record-outgoing.ts';
import { recordBatch, type TransferResult } from '../../src/domain/money-in/transfer/record-batch.ts';
import { recordReversal } from '../../src/domain/money-in/transfer/record-reversal.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { parseMoney } from '../../src/kit/money.ts';
import { makeCharge, noon } from './makers.ts';
import { payCharge, recordingOn, transferInput } from './transfers.ts';

export const adasAccount = { bank: '004', account: '123456789', holder: 'Ada Wong' };

let made = 0;

/** A refund of HKD 20.50, unless said otherwise, of a live charge by FPS; the customer has told where the money goes. */
export async function refundToPay(
  service: Service,
  merchant: NewMerchant,
  options: { amount?: number; details?: Partial<typeof adasAccount>; now?: Date } = {},
): Promise<Refund> {
  const { amount = 20.5, now = noon } = options;
  const owner = { merchantId: merchant.merchant.id, mode: 'live' as const, actor: 'user:test', now };
  const input = { notifyPayload: `refund to pay ${++made}` };
  const charge = await makeCharge(service, merchant, { input, now });
  await payCharge(service, merchant, charge, { now });
  const { refund } = await createRefund(service, {
    ...owner,
    input: { chargeId: charge.id, customerAmount: amount },
  });
  const details = { ...adasAccount, ...options.details };
  return (await submitRefundDetails(service, { ...owner, id: refund.id, details })).refund;
}

type Line = {
  amount: string;
  reference: string;
  id: string;
  currency?: string;
  paidAt?: Date;
  source?: 'feed';
};

/** The bank tells of one movement on the account of a refund's charge. */
async function lineOn(service: Service, merchant: NewMerchant, refund: Refund, line: Line) {
  const { receivingAccountId } = await service.prisma.charge.findUniqueOrThrow({
    where: { id: refund.chargeId },
  });
  const paidAt = line.paidAt ?? noon;
  const recording = await recordingOn(service, merchant, { receivingAccountId, now: paidAt });
  const { source = 'statement', reference } = line;
  const input = transferInput({
    source,
    bankReference: line.id,
    content: line.amount,
    money: parseMoney(line.amount, line.currency ?? 'HKD', '/amount'),
    reference,
    paidAt,
  });
  return { recording, input };
}

/** Money leaves the account. */
export async function payOut(
  service: Service,
  merchant: NewMerchant,
  refund: Refund,
  line: Partial<Line> = {},
): Promise<OutgoingResult> {
  const reference = line.reference ?? `Refund ${refund.payoutReference}`;
  const told = { amount: '20.50', id: `out-${refund.payoutReference}`, ...line, reference };
  const { recording, input } = await lineOn(service, merchant, refund, told);
  const [result] = await recordOutgoing(service, recording, [input]);
  return result!;
}

/** The other bank sends a payout back. */
export async function comeBack(
  service: Service,
  merchant: NewMerchant,
  refund: Refund,
  line: Partial<Line> = {},
): Promise<TransferResult> {
  const told = {
    amount: '20.50',
    id: `back-${refund.payoutReference}`,
    reference: `RETURN ${refund.payoutReference} AC04`,
    ...line,
  };
  const { recording, input } = await lineOn(service, merchant, refund, told);
  const [result] = await recordBatch(service, recording, [{ ...input, exception: 'returned_payment' }]);
  return result!;
}

/** The bank takes back what came back. */
export async function takeBack(
  service: Service,
  merchant: NewMerchant,
  refund: Refund,
): Promise<TransferResult> {
  const reference = `RETURN ${refund.payoutReference} AC04`;
  const told = { amount: '20.50', id: `gone-${refund.payoutReference}`, reference };
  const { recording, input } = await lineOn(service, merchant, refund, told);
  return recordReversal(service, recording, input);
}
