import type { Charge } from '../../../../prisma/client/client.ts';

/**
 * The customer as the interface shows it with a charge, a subscription or an invoice: the copies made when that was made,
 * without what is not known.
 */
export function toCustomerView(
  row: Pick<Charge, 'customerId' | 'email' | 'phone' | 'firstName' | 'lastName'>,
) {
  const { customerId, email, phone, firstName, lastName } = row;
  return {
    id: customerId,
    ...(email !== null && { email }),
    ...(phone !== null && { phone }),
    ...(firstName !== null && { firstName }),
    ...(lastName !== null && { lastName }),
  };
}
