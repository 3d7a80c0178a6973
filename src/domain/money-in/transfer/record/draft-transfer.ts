import type {
  Merchant,
  ReceivingAccount,
  Transfer,
  TransferSource,
} from '../../../../../prisma/client/client.ts';
import type { MerchantTime, SystemTime } from '../../../../kit/clock.ts';
import { newOrderedId } from '../../../../kit/id.ts';
import type { Money } from '../../../../kit/money.ts';
import { sha256 } from '../../../../kit/secrets.ts';
import type { BankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import { reversalPrefix } from '../../../payments/allocation/bank-reference.ts';
import type { ExceptionReason } from '../../../payments/allocation/transfer-state.ts';
import { isSynthetic, type RelistedLineCheck, syntheticPrefix } from '../duplicates/find-reported-again.ts';

/** One transfer as a source reports it. */
export type TransferInput = {
  source: TransferSource;
  /** The kind of file of a statement line, or the key of a bank feed. Each of them reports a payment only once. */
  fileKind?: string | undefined;
  /** The bank's reference, or a synthetic one; the same in every repeat. */
  bankReference: string;
  /** The bank's reference of the booking that this transfer is a part of. */
  batchReference?: string | undefined;
  /** Must be equal in every repeat. Different content under the same reference is `id_reused`. */
  content: string;
  /**
   * The time in `content` if it is not `paidAt`. A local time stays the same when the account's time zone is
   * corrected.
   */
  contentTime?: string | undefined;
  /**
   * The other form that the content may have had in an earlier report: with the time as an instant, or as a
   * local time.
   */
  alternative?: { content: string; contentTime: string } | undefined;
  money: Money;
  reference: string;
  payerName?: string | undefined;
  /** The payer's account number or alias. */
  payerAccount?: string | undefined;
  paidAt: Date;
  isPaidAtDateOnly: boolean;
  statementId?: string | undefined;
  /** For a reversal, the bank reference of the reversed credit if the bank names it. */
  reversedReference?: string | undefined;
  /** Prevents automatic matching, even if the text contains a payment reference. */
  exception?: Extract<ExceptionReason, 'batch' | 'returned_payment' | 'id_reused'> | undefined;
};

export type RecordContext = {
  merchant: Merchant;
  account: ReceivingAccount;
  actor: string;
  now: MerchantTime;
  /** The time at which emails are sent. */
  systemNow: SystemTime;
  /** The lines of earlier files that may be in the file with another date or wording. */
  relistedLineCheck?: RelistedLineCheck;
};

/** The receiving account is locked, with all others that are the same bank account. */
export type LockedContext = Omit<RecordContext, 'account'> & { account: BankAccount };

/**
 * Returns a hash of the content. It distinguishes a repeat from another transfer with the same bank
 * reference.
 */
export function getFingerprint(input: Pick<TransferInput, 'content'>): string {
  return sha256(input.content);
}

/**
 * Returns the reference under which a reversal is recorded. Banks repeat the reference of the credit in its
 * reversal, so the reversal gets a prefix.
 */
export function toReversalReference(bankReference: string): string {
  return `${reversalPrefix}${bankReference}`;
}

/** Returns the bank reference of the credit that a recorded reversal names, or undefined if it names none. */
export function getReversedReference({ bankReference }: Pick<Transfer, 'bankReference'>): string | undefined {
  const reference = bankReference.startsWith(reversalPrefix) && bankReference.slice(reversalPrefix.length);
  return reference && !isSynthetic(reference) ? reference : undefined;
}

/** Returns the reference of a statement line that has none from the bank. */
export function toSyntheticReference(content: string, ordinal: number): string {
  return `${syntheticPrefix}${content}:${ordinal}`;
}

/** Returns the row of a new transfer. It is an exception until a decision changes its status. */
export function draftTransfer(options: {
  account: ReceivingAccount;
  input: TransferInput;
  now: Date;
}): Transfer {
  const { account, input, now } = options;
  return {
    // Ordered IDs list the transfers of one file or feed in its order.
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
    payerAccount: input.payerAccount ?? null,
    paidAt: input.paidAt,
    isPaidAtDateOnly: input.isPaidAtDateOnly,
    statementId: input.statementId ?? null,
    undoneAt: null,
    assigneeId: null,
    note: null,
    status: 'exception',
    reason: null,
    namedChargeId: null,
    duplicateOfId: null,
    allocated: 0n,
    feeAmount: 0n,
    reversalOfId: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}
