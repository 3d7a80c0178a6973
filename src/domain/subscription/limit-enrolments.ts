import type { SubscriptionLink } from '../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../event/unit-of-work.ts';
import type { MerchantTime } from '../../kit/clock.ts';
import { hourMs } from '../../kit/duration.ts';
import { rateLimited } from '../../kit/errors.ts';
import { hashNetworks, type PageVisitor } from '../checkout/checkout-slot.ts';
import type { Service } from '../service.ts';

/** Enrolments of one customer by one link from one network in any hour, none of them paid for. */
const unpaidMax = 5;
const windowMs = hourMs;

/**
 * Limits how many enrolments a network creates for an address that may be another person's. Other networks are not
 * limited by it: an attacker who knows a customer's email must not keep the customer from enrolling. The customer's row
 * is locked. Error: `rate_limited`.
 */
export async function limitEnrolments(
  uow: UnitOfWork<Service>,
  options: {
    link: Pick<SubscriptionLink, 'id' | 'merchantId' | 'mode'>;
    customerId: string;
    visitor: PageVisitor;
    now: MerchantTime;
  },
): Promise<void> {
  const { link, customerId, visitor, now } = options;
  const [{ hashes }] = hashNetworks(uow.secrets, visitor, link);
  const [oldest] = await uow.tx.$queryRaw<{ createdAt: Date }[]>`
    SELECT s.created_at AS "createdAt" FROM subscription s
    WHERE s.link_id = ${link.id} AND s.customer_id = ${customerId} AND s.num_payments_complete = 0
      AND s.created_at > ${new Date(now.getTime() - windowMs)}
      AND EXISTS (
        SELECT 1 FROM checkout_slot WHERE network_hash = ANY(${hashes}::text[]) AND (
          object_id = s.id OR object_id IN (SELECT id FROM charge WHERE subscription_id = s.id)))
    ORDER BY s.created_at DESC OFFSET ${unpaidMax - 1} LIMIT 1`;
  if (!oldest) return;
  const waitMs = oldest.createdAt.getTime() + windowMs - now.getTime();
  throw rateLimited(
    `At most ${unpaidMax} unpaid enrolments an hour are created for one customer from one network`,
    Math.ceil(waitMs / 1_000),
  );
}
