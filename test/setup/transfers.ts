import type { Charge, Transfer } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { TransferInput } from '../../src/domain/money-in/transfer/record/draft-transfer.ts';
import {
  recordCredits,
  type TransferResult,
} from '../../src/domain/money-in/transfer/record/record-credits.ts';
import {
  recordTransfers,
  type TransferItemResult,
} from '../../src/domain/money-in/transfer/record/record-transfers.ts';
import { recordReversal } from '../../src/domain/money-in/transfer/reversals/record-reversal.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { toDecimal } from '../../src/kit/money.ts';
import { createCounter } from './create-counter.ts';
import { minutesAfter, noon } from './seed.ts';

/**
 * Records a transfer of a bank feed for the charge: by default the whole amount with its payment reference, paid and
 * reported now.
 */
export async function payCharge(
  service: Service,
  { merchant }: Pick<NewMerchant, 'merchant'>,
  charge: Charge,
  options: { minor?: bigint; reference?: string; payerName?: string; paidAt?: Date; now?: Date } = {},
): Promise<TransferItemResult> {
  const { minor = charge.customerAmount, reference = charge.paymentReference, payerName } = options;
  const paidAt = options.paidAt ?? options.now ?? new Date();
  const currency = charge.customerCurrency;
  const amount = toDecimal({ minor, currency });
  const item = {
    id: [charge.id, amount, options.reference ?? []].flat().join('-'),
    receivingAccountId: charge.receivingAccountId,
    amount,
    currency,
    reference,
    ...(payerName !== undefined && { payerName }),
    paidAt: paidAt.toISOString(),
  };
  const [result] = await recordTransfers(service, {
    merchant,
    mode: charge.mode,
    actor: 'key:feed',
    items: [item],
    now: options.now ?? paidAt,
  });
  return result!;
}

const nextReferenceNumber = createCounter();

/** Returns a transfer in a statement, by default of HKD 50.00 paid at noon without a payment reference. */
export function transferInput(changes: Partial<TransferInput> = {}): TransferInput {
  return {
    source: 'statement',
    bankReference: `line-${nextReferenceNumber()}`,
    content: '5000 HKD',
    money: { minor: 5_000n, currency: 'HKD' },
    reference: 'no reference',
    paidAt: noon,
    isPaidAtDateOnly: false,
    ...changes,
  };
}

/** Returns the context of a transfer on the receiving account, by default at one o’clock. */
export async function toRecordingContext(
  service: Service,
  { merchant }: NewMerchant,
  { receivingAccountId: id, now = minutesAfter(noon, 60) }: { receivingAccountId: string; now?: Date },
) {
  const account = await service.prisma.receivingAccount.findUniqueOrThrow({ where: { id } });
  return { merchant, account, actor: 'key:feed', now, systemNow: now };
}

type RecordedTransfer = { receivingAccountId: string; input: TransferInput; now?: Date };

export async function recordOne(
  service: Service,
  merchant: NewMerchant,
  transfer: RecordedTransfer,
): Promise<TransferResult> {
  const context = await toRecordingContext(service, merchant, transfer);
  const results = await transact(service, (uow) => recordCredits(uow, context, [transfer.input]));
  return results.get(transfer.input)!;
}

export async function reverseOne(
  service: Service,
  merchant: NewMerchant,
  transfer: RecordedTransfer,
): Promise<TransferResult> {
  const context = await toRecordingContext(service, merchant, transfer);
  return transact(service, (uow) => recordReversal(uow, context, transfer.input));
}

/** Records a transfer to the charge’s account without a payment reference. */
export async function seedUnmatchedTransfer(
  service: Service,
  merchant: NewMerchant,
  options: { charge: Charge; minor: bigint; reference?: string },
): Promise<Transfer> {
  const { charge, minor, reference = 'no reference' } = options;
  const input = transferInput({
    money: { minor, currency: charge.customerCurrency },
    content: String(minor),
    reference,
  });
  const { transferId } = await recordOne(service, merchant, {
    receivingAccountId: charge.receivingAccountId,
    input,
  });
  return service.prisma.transfer.findUniqueOrThrow({ where: { id: transferId } });
}
