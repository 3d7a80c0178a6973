import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { MessageClaim } from './claim-messages.ts';

/** A claim that is renewed as long as its message is being sent. */
type ClaimRenewal = {
  /** Ends that, and answers the claim as it stands now. */
  end(): Promise<MessageClaim>;
};

/** Renews a claim three times as often as it runs out: one renewal may be missed. Told of those that fail is `onError`. */
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
      where: { id: claim.id, status: 'pending', claimedUntil: currentClaim.claimedUntil },
      data: { claimedUntil: until },
    });
    if (count === 1) currentClaim = { ...currentClaim, claimedUntil: until };
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
