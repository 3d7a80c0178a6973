import type { Customer } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';

/**
 * Locks a customer of any merchant until the end of the transaction and returns it. Only for operators.
 * Throws `customer_not_found`.
 */
export async function lockCustomer(tx: Tx, id: string): Promise<Customer> {
  await tx.$queryRaw`SELECT 1 FROM customer WHERE id = ${id} FOR UPDATE`;
  const customer = await tx.customer.findUnique({ where: { id } });
  if (!customer) throw new DomainError('customer_not_found', `Customer not found: ${id}`);
  return customer;
}
