import type { Subscription } from '../../../prisma/client/client.ts';

/** The customer as the interface shows it: the copies made at enrolment, without what is not known. */
export function subscriptionCustomer(subscription: Subscription) {
  const { customerId, email, phone, firstName, lastName } = subscription;
  return {
    id: customerId,
    ...(email !== null && { email }),
    ...(phone !== null && { phone }),
    ...(firstName !== null && { firstName }),
    ...(lastName !== null && { lastName }),
  };
}
