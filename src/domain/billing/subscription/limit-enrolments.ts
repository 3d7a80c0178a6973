import type { SubscriptionLink } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { hourMs } from '../../../kit/duration.ts';
import { rateLimitedError } from '../../../kit/errors.ts';
import { hashNetworks, type PageVisitor } from '../../payments/customer-page/checkout-slot.ts';
import type { Service } from '../../platform/service.ts';

/** The maximum number of unpaid enrolments per hour for one customer, link and network. */
const unpaidMax = 5;
const unpaidWindowMs = hourMs;

/**
 * Limits the unpaid enrolments that a network creates for a customer. Other networks are not limited, because
 * an attacker who knows a customer's email address or phone number must not block the customer. The caller must
 * hold the customer's row lock. Throws `rate_limited`.
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
    SELECT created_at AS "createdAt" FROM subscription
    WHERE link_id = ${link.id} AND customer_id = ${customerId} AND num_payments_complete = 0
      AND created_at > ${new Date(now.getTime() - unpaidWindowMs)}
      AND EXISTS (
        SELECT 1 FROM checkout_slot WHERE network_hash = ANY(${hashes}::text[]) AND (
          object_id = subscription.id OR object_id IN (SELECT id FROM charge WHERE subscription_id = subscription.id)))
    ORDER BY created_at DESC OFFSET ${unpaidMax - 1} LIMIT 1`;
  if (!oldest) return;
  const waitMs = oldest.createdAt.getTime() + unpaidWindowMs - now.getTime();
  throw rateLimitedError(
    `At most ${unpaidMax} unpaid enrolments per hour can be created for one customer from one network`,
    Math.ceil(waitMs / 1_000),
  );
}
