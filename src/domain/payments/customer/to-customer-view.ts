import type { Charge } from '../../../../prisma/client/client.ts';

/**
 * Returns the details of a customer that were copied to a charge, subscription or invoice when it was
 * created. Omits unknown details.
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
