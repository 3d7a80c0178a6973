import type { ReceivingAccount, Transfer, TransferSource } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { newId } from '../../kit/id.ts';
import type { Money } from '../../kit/money.ts';
import { sha256 } from '../../kit/secrets.ts';
import type { ExceptionReason } from './transfer-state.ts';

/** One credit as a source tells it. */
export type TransferInput = {
  source: TransferSource;
  /** The bank's own reference, or what stands for it; the same at every repeat. */
  bankReference: string;
  /** What must be equal at every repeat; other content under the same reference is `id_reused`. */
  content: string;
  money: Money;
  reference: string;
  payerName?: string | undefined;
  paidAt: Date;
  paidAtIsDate: boolean;
  statementId?: string | undefined;
  /** Why it must not be matched by itself, whatever its reference says. */
  exception?: Extract<ExceptionReason, 'batch' | 'returned_payment'> | undefined;
};

/** Tells a repeat from a reference that is used again. */
export function fingerprint(input: TransferInput): string {
  return sha256(input.content);
}

/** Written as an exception first: whatever else fails, the money is there. */
export async function insertTransfer(
  tx: Tx,
  { account, input, now }: { account: ReceivingAccount; input: TransferInput; now: Date },
): Promise<Transfer> {
  return tx.transfer.create({
    data: {
      id: newId('transfer', now),
      merchantId: account.merchantId,
      mode: account.mode,
      receivingAccountId: account.id,
      source: input.source,
      bankReference: input.bankReference,
      fingerprint: fingerprint(input),
      amount: input.money.minor,
      currency: input.money.currency,
      reference: input.reference,
      payerName: input.payerName ?? null,
      paidAt: input.paidAt,
      paidAtIsDate: input.paidAtIsDate,
      statementId: input.statementId ?? null,
      status: 'exception',
      version: 1,
      createdAt: now,
      updatedAt: now,
    },
  });
}
