import type {
  Merchant,
  ReceivingAccount,
  Transfer,
  TransferSource,
} from '../../../../prisma/client/client.ts';
import { newOrderedId } from '../../../kit/id.ts';
import type { Money } from '../../../kit/money.ts';
import { sha256 } from '../../../kit/secrets.ts';
import type { ExceptionReason } from '../../payments/allocation/transfer-state.ts';

/** One credit as a source tells it. */
export type TransferInput = {
  source: TransferSource;
  /** Of a statement line, the kind of its file: kinds tell of one payment each once. */
  fileKind?: string | undefined;
  /** The bank's own reference, or what stands for it; the same at every repeat. */
  bankReference: string;
  /** The bank's reference of the whole booking that this is a part of. */
  batchReference?: string | undefined;
  /** What must be equal at every repeat; other content under the same reference is `id_reused`. */
  content: string;
  /** The time in it, where that is not `paidAt`: a local one stays as told when its account's time zone is corrected. */
  contentTime?: string | undefined;
  /** How else the same may have been told before: its time with an offset, or without. */
  alternative?: { content: string; contentTime: string } | undefined;
  money: Money;
  reference: string;
  payerName?: string | undefined;
  paidAt: Date;
  paidAtIsDate: boolean;
  statementId?: string | undefined;
  /** Of a reversal: the bank reference of the credit it takes back, where the bank names it. */
  reversedReference?: string | undefined;
  /** Why it must not be matched by itself, whatever its reference says. */
  exception?: Extract<ExceptionReason, 'batch' | 'returned_payment' | 'id_reused'> | undefined;
};

/** For whom, on which account, who told, and when it is. */
export type RecordContext = { merchant: Merchant; account: ReceivingAccount; actor: string; now: Date };

/** Tells a repeat from a reference that is used again. */
export function getFingerprint(input: Pick<TransferInput, 'content'>): string {
  return sha256(input.content);
}

const reversalPrefix = 'reversal:';

/** What a reversal is known by: banks repeat the reference of the credit it takes back. */
export function toReversalReference(bankReference: string): string {
  return `${reversalPrefix}${bankReference}`;
}

/** The bank reference of the credit that a recorded reversal names, where it names one. */
export function getReversedReference({ bankReference }: Pick<Transfer, 'bankReference'>): string | undefined {
  const reference = bankReference.startsWith(reversalPrefix) && bankReference.slice(reversalPrefix.length);
  return reference && !isSynthetic(reference) ? reference : undefined;
}

const syntheticPrefix = 'line:';

/** What a line is known by to which the bank gives no reference. */
export function toSyntheticReference(content: string, ordinal: number): string {
  return `${syntheticPrefix}${content}:${ordinal}`;
}

function isSynthetic(bankReference: string): boolean {
  return bankReference.startsWith(syntheticPrefix);
}

/** The row as it will be written: an exception until something better is known. */
export function draftTransfer(options: {
  account: ReceivingAccount;
  input: TransferInput;
  now: Date;
}): Transfer {
  const { account, input, now } = options;
  return {
    // Those of one file or feed are listed in its order.
    id: newOrderedId('transfer', now),
    merchantId: account.merchantId,
    mode: account.mode,
    receivingAccountId: account.id,
    source: input.source,
    fileKind: input.fileKind ?? null,
    bankReference: input.bankReference,
    batchReference: input.batchReference ?? null,
    fingerprint: getFingerprint(input),
    direction: 'credit',
    amount: input.money.minor,
    currency: input.money.currency,
    reference: input.reference,
    payerName: input.payerName ?? null,
    paidAt: input.paidAt,
    paidAtIsDate: input.paidAtIsDate,
    statementId: input.statementId ?? null,
    status: 'exception',
    reason: null,
    sameAsId: null,
    allocated: 0n,
    reversesId: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}
