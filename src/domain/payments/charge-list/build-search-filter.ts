import type { Prisma } from '../../../../prisma/client/client.ts';
import { foldEmail } from '../../../kit/contact.ts';
import type { Db } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { findPaymentReferences, foldReference } from '../../../method/payment-reference.ts';

/**
 * Returns a condition that matches the charges with an ID in `foundIds`, and those where the text is exactly one of
 * these, each by an index:
 * - the charge ID, or an order ID
 * - the customer's email
 * - the merchant's reference, or a value of the metadata
 * - a payment reference, alone or within a bank's remittance text
 *
 * Customers and accounts are looked up first, because an OR across a join would scan all charges of the merchant.
 */
export async function buildSearchFilter(
  { prisma }: Pick<Db, 'prisma'>,
  options: MerchantScope & { search: string; foundIds: string[] },
): Promise<Prisma.ChargeWhereInput> {
  const { merchantId, mode, foundIds } = options;
  const search = options.search.trim();
  const scope = { merchantId, mode };
  const paymentReferences = findPaymentReferences(foldReference(search));
  const [customers, accounts] = await Promise.all([
    search.includes('@')
      ? prisma.customer.findMany({ where: { ...scope, email: foldEmail(search) }, select: { id: true } })
      : [],
    paymentReferences.length > 0
      ? prisma.receivingAccount.findMany({ where: scope, select: { id: true } })
      : [],
  ]);
  const toIds = (rows: { id: string }[]) => rows.map(({ id }) => id);
  return {
    OR: [
      { id: { in: [search, ...foundIds] } },
      { notifyPayload: search },
      { metadata: { array_contains: [{ value: search }] } },
      { orders: { array_contains: [{ id: search }] } },
      ...(customers.length > 0 ? [{ customerId: { in: toIds(customers) } }] : []),
      ...(accounts.length > 0
        ? [{ receivingAccountId: { in: toIds(accounts) }, paymentReference: { in: paymentReferences } }]
        : []),
    ],
  };
}
