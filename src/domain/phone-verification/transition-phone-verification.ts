import type { PhoneVerificationStatus, Prisma } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { phoneVerificationTransitions } from './phone-verification-state.ts';

type Step = {
  id: bigint;
  from: PhoneVerificationStatus;
  to: PhoneVerificationStatus;
  /** What the new status brings with it. */
  set?: Pick<Prisma.PhoneVerificationUpdateManyMutationInput, 'tokenHash' | 'chargeId' | 'expiresAt'>;
};

/**
 * The one writer of a phone verification's status: compare-and-set on the status the caller read, as long as it is
 * valid. False: it has moved on, or its time has run out.
 */
export async function transitionPhoneVerification(
  tx: Tx,
  { id, from, to, set, now }: Step & { now: Date },
): Promise<boolean> {
  if (!phoneVerificationTransitions[from].includes(to))
    throw new Error(`a phone verification never goes ${from} → ${to}`);
  const isTimeless = to === 'voided';
  const { count } = await tx.phoneVerification.updateMany({
    where: { id, status: from, ...(!isTimeless && { expiresAt: { gt: now } }) },
    data: { ...set, status: to },
  });
  return count === 1;
}
