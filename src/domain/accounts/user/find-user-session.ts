import type { Merchant, MerchantUser, UserSession } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { requireEnabledMerchant } from '../merchant/require-enabled-merchant.ts';

/** A user with the merchant they act for; none for an operator. */
export type SignedInUser = MerchantUser & { merchant: Merchant | null };

/** When a session was last seen is told to this, so that it is written once in a while and not with every request. */
const lastSeenPrecisionMs = 5 * minuteMs;

/**
 * Whom a session's cookie speaks for; undefined when it is unknown or over, or the user was removed.
 * Error: `account_disabled`.
 */
export async function findUserSession(
  db: Db,
  options: { token: string; now: Date },
): Promise<{ user: SignedInUser; session: UserSession } | undefined> {
  const { token, now } = options;
  const sessionRow = await db.prisma.userSession.findUnique({
    where: { tokenHash: sha256(token) },
    include: { user: { include: { merchant: true } } },
  });
  if (!sessionRow || sessionRow.expiresAt <= now || sessionRow.user.disabledAt !== null) return undefined;
  const { user, ...session } = sessionRow;
  if (user.merchant) requireEnabledMerchant(user.merchant);
  await recordLastSeen(db, session, now);
  return { user, session };
}

async function recordLastSeen(db: Db, { id, lastSeenAt }: UserSession, now: Date): Promise<void> {
  const before = new Date(now.getTime() - lastSeenPrecisionMs);
  if (lastSeenAt > before) return;
  await db.prisma.userSession.updateMany({
    where: { id, lastSeenAt: { lte: before } },
    data: { lastSeenAt: now },
  });
}
