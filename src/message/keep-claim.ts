import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { MessageClaim } from './claim-messages.ts';

/** A claim that is renewed as long as its message is being sent. */
type KeptClaim = {
  /** Ends that, and answers the claim as it stands now. */
  end(): Promise<MessageClaim>;
};

/** Renews a claim three times as often as it runs out: one renewal may be missed. Told of those that fail is `onFault`. */
export function keepClaim(
  db: Db,
  claim: MessageClaim,
  { clock, claimMs, onFault }: { clock: Clock; claimMs: number; onFault: (error: Error) => void },
): KeptClaim {
  let held = claim;
  let renewing: Promise<void> = Promise.resolve();
  const renew = async () => {
    const until = new Date(clock.now().getTime() + claimMs);
    const { count } = await db.prisma.message.updateMany({
      where: { id: claim.id, status: 'pending', claimedUntil: held.claimedUntil },
      data: { claimedUntil: until },
    });
    if (count === 1) held = { ...held, claimedUntil: until };
  };
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch(onFault);
  }, claimMs / 3);
  return {
    async end() {
      clearInterval(timer);
      await renewing;
      return held;
    },
  };
}
