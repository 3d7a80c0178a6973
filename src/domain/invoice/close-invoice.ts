import type { Invoice } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';

/** The one writer of an invoice's status: an open one is paid by a charge, or void. Its subscription is locked. */
export async function closeInvoice(
  tx: Tx,
  invoice: Invoice,
  change: ({ to: 'paid'; chargeId: string } | { to: 'void' }) & { now: Date },
): Promise<void> {
  const { now } = change;
  const { count } = await tx.invoice.updateMany({
    where: { id: invoice.id, status: 'open' },
    data: {
      status: change.to,
      ...(change.to === 'paid' && { chargeId: change.chargeId, paidAt: now }),
      version: { increment: 1 },
      updatedAt: now,
    },
  });
  if (count === 0) throw new Error(`the invoice ${invoice.id} was closed without its subscription's lock`);
}
