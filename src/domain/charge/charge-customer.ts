import type { Charge } from '../../../prisma/client/client.ts';

/** The customer of a charge as the interface shows it: the copies made at its creation, without what is not known. */
export function chargeCustomer(
  charge: Pick<Charge, 'customerId' | 'email' | 'phone' | 'firstName' | 'lastName'>,
) {
  return {
    id: charge.customerId,
    ...(charge.email !== null && { email: charge.email }),
    ...(charge.phone !== null && { phone: charge.phone }),
    ...(charge.firstName !== null && { firstName: charge.firstName }),
    ...(charge.lastName !== null && { lastName: charge.lastName }),
  };
}
