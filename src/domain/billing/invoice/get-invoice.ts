import type { Invoice } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

/** Returns one invoice. Throws `invoice_not_found`. */
export async function getInvoice(db: Db, options: ScopedId): Promise<Invoice> {
  const { merchantId, mode, id } = options;
  const invoice = await db.prisma.invoice.findFirst({ where: { id, merchantId, mode } });
  if (!invoice) throw new DomainError('invoice_not_found', `Invoice not found: ${id}`);
  return invoice;
}
