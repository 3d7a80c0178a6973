import type { Tx } from '../../kit/db.ts';
import { hourMs } from '../../kit/duration.ts';
import { rateLimited } from '../../kit/errors.ts';

/** Enrolments of one customer by one link in any hour, none of them paid for. */
const unpaidMax = 5;
const windowMs = hourMs;

/**
 * Bounds how many enrolments anybody creates for an address that may be another person's. The customer's row is locked.
 * Error: `rate_limited`.
 */
export async function limitEnrolments(
  tx: Tx,
  { linkId, customerId, now }: { linkId: string; customerId: string; now: Date },
): Promise<void> {
  const oldest = await tx.subscription.findFirst({
    where: {
      ...{ linkId, customerId, numPaymentsComplete: 0 },
      createdAt: { gt: new Date(now.getTime() - windowMs) },
    },
    orderBy: { createdAt: 'desc' },
    skip: unpaidMax - 1,
    select: { createdAt: true },
  });
  if (!oldest) return;
  const waitMs = oldest.createdAt.getTime() + windowMs - now.getTime();
  throw rateLimited(
    `At most ${unpaidMax} unpaid enrolments an hour are created for one customer`,
    Math.ceil(waitMs / 1_000),
  );
}
