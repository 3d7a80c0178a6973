import type { Charge, Transfer } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { TransferInput } from '../../src/domain/money-in/transfer/draft-transfer.ts';
import { recordBatch, type TransferResult } from '../../src/domain/money-in/transfer/record-batch.ts';
import { recordReversal } from '../../src/domain/money-in/transfer/record-reversal.ts';
import {
  recordTransfers,
  type TransferItemResult,
} from '../../src/domain/money-in/transfer/record-transfers.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { toDecimal } from '../../src/kit/money.ts';
import { minutesAfter, noon } from './makers.ts';

/**
 * A bank's feed tells of money for the charge: all of it, or so many minor units; under its word, paid now, and told of as
 * it was paid, unless said otherwise.
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
    actor: 'bank',
    items: [item],
    now: options.now ?? paidAt,
  });
  return result!;
}

let references = 0;

/** One transfer of HKD 50.00, as a statement tells it an hour after noon, unless `changes` says otherwise. */
export function transferInput(changes: Partial<TransferInput> = {}): TransferInput {
  return {
    source: 'statement',
    bankReference: `line-${++references}`,
    content: '5000 HKD',
    money: { minor: 5_000n, currency: 'HKD' },
    reference: 'no word',
    paidAt: noon,
    paidAtIsDate: false,
    ...changes,
  };
}

/** How the bank tells of what is on the receiving account: at one o'clock, unless said otherwise. */
export async function recordingOn(
  service: Service,
  { merchant }: NewMerchant,
  { receivingAccountId: id, now = minutesAfter(noon, 60) }: { receivingAccountId: string; now?: Date },
) {
  const account = await service.prisma.receivingAccount.findUniqueOrThrow({ where: { id } });
  return { merchant, account, actor: 'bank', now };
}

type Told = { receivingAccountId: string; input: TransferInput; now?: Date };

/** Records it on the receiving account. */
export async function recordOne(
  service: Service,
  merchant: NewMerchant,
  told: Told,
): Promise<TransferResult> {
  const [result] = await recordBatch(service, await recordingOn(service, merchant, told), [told.input]);
  return result as TransferResult;
}

/** Has the bank take it back. */
export async function reverseOne(
  service: Service,
  merchant: NewMerchant,
  told: Told,
): Promise<TransferResult> {
  return recordReversal(service, await recordingOn(service, merchant, told), told.input);
}

/** Money on the charge's account that carries no word. */
export async function makeException(
  service: Service,
  merchant: NewMerchant,
  options: { charge: Charge; minor: bigint; reference?: string },
): Promise<Transfer> {
  const { charge, minor, reference = 'no word' } = options;
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
