import type { Charge } from '../../../../prisma/client/client.ts';

/**
 * Returns the customer details copied to a charge, subscription or invoice at its creation, without unknown
 * ones.
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
