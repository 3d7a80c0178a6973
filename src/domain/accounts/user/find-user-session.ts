import type { Merchant, MerchantUser, UserSession } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { requireEnabledMerchant } from '../../platform/merchant/require-enabled-merchant.ts';

/** A user with their merchant, which is null for an operator. */
export type UserWithMerchant = MerchantUser & { merchant: Merchant | null };

/** The minimum time between two updates of `lastSeenAt`, so that not every request writes. */
const lastSeenPrecisionMs = 5 * minuteMs;

/**
 * Returns the user and the session of the token in a cookie. Returns undefined if the session is unknown or
 * expired, or the user was removed. Throws `account_disabled`.
 */
export async function findUserSession(
  db: Db,
  options: { token: string; now: Date },
): Promise<{ user: UserWithMerchant; session: UserSession } | undefined> {
  const { token, now } = options;
  const sessionRow = await db.prisma.userSession.findUnique({
    where: { tokenHash: sha256(token) },
    include: { user: { include: { merchant: true } } },
  });
  if (!sessionRow || sessionRow.expiresAt <= now || sessionRow.user.removedAt !== null) return undefined;
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
