import type { Invoice, Mode } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';

/** One invoice of the merchant in this mode. Error: `invoice_not_found`. */
export async function getInvoice(
  db: Db,
  options: { merchantId: string; mode: Mode; id: string },
): Promise<Invoice> {
  const { merchantId, mode, id } = options;
  const invoice = await db.prisma.invoice.findFirst({ where: { id, merchantId, mode } });
  if (!invoice) throw new DomainError('invoice_not_found', `There is no invoice ${id}`);
  return invoice;
}
