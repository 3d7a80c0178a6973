import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { MessageClaim } from './claim-messages.ts';

/** The running renewal of a claim, while its message is being sent. */
type ClaimRenewal = {
  /** Stops the renewal and returns the claim with its current expiry. */
  end(): Promise<MessageClaim>;
};

/**
 * Renews a claim three times per claim period, so that a missed renewal does not lose the claim. Reports
 * failed renewals to `onError`.
 */
export function startClaimRenewal(
  db: Db,
  claim: MessageClaim,
  { clock, claimMs, onError }: { clock: Clock; claimMs: number; onError: (error: Error) => void },
): ClaimRenewal {
  let currentClaim = claim;
  let pendingRenewal: Promise<void> = Promise.resolve();
  const renew = async () => {
    const until = new Date(clock.now().getTime() + claimMs);
    const { count } = await db.prisma.message.updateMany({
      where: { id: claim.id, status: 'pending', leasedUntil: currentClaim.leasedUntil },
      data: { leasedUntil: until },
    });
    if (count === 1) currentClaim = { ...currentClaim, leasedUntil: until };
  };
  const timer = setInterval(() => {
    pendingRenewal = pendingRenewal.then(renew).catch(onError);
  }, claimMs / 3);
  return {
    async end() {
      clearInterval(timer);
      await pendingRenewal;
      return currentClaim;
    },
  };
}
