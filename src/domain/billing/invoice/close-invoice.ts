import type { Invoice } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { withdrawMessages } from '../../../message/enqueue-message.ts';
import { getInvoiceMailKeys } from './invoice-mail-keys.ts';

type InvoiceClosure =
  | {
      to: 'paid';
      /** Undefined if the invoice was paid outside Causeway. */
      chargeId: string | undefined;
      /** The period that the payment covers. */
      period: { start: Date; end: Date };
    }
  | { to: 'void' };

/**
 * Closes an open invoice as paid or as void, and withdraws its unsent emails. No other code writes the status
 * of an invoice. The caller must hold the subscription's lock.
 */
export async function closeInvoice(
  tx: Tx,
  invoice: Invoice,
  change: InvoiceClosure & { now: MerchantTime },
): Promise<void> {
  const { now } = change;
  const { count } = await tx.invoice.updateMany({
    where: { id: invoice.id, status: 'open' },
    data: {
      status: change.to,
      ...(change.to === 'paid' && {
        chargeId: change.chargeId ?? null,
        paidExternally: change.chargeId === undefined,
        periodStart: change.period.start,
        periodEnd: change.period.end,
        paidAt: now,
      }),
      ...(change.to === 'void' && { voidedAt: now }),
      version: { increment: 1 },
      updatedAt: now,
    },
  });
  if (count === 0) throw new Error(`the invoice ${invoice.id} was closed without locking its subscription`);
  await withdrawMessages(tx, getInvoiceMailKeys(invoice), now);
}
