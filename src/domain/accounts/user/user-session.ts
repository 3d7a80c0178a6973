import type { Merchant, MerchantUser, UserSession } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { dayMs, minuteMs } from '../../../kit/duration.ts';
import { newId } from '../../../kit/id.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { newToken } from '../../../kit/token.ts';
import { requireEnabledMerchant } from '../../platform/merchant/require-enabled-merchant.ts';

const sessionDays = 14;
const userAgentLengthMax = 400;

export type SessionClient = {
  ipAddress: string;
  userAgent?: string | undefined;
  /**
   * The token of the browser's previous session, which is deleted. Because every sign-in creates a new token,
   * a token planted by an attacker never becomes a signed-in session (session fixation).
   */
  previousToken?: string | undefined;
  /** Identifies a browser in which the user has signed in before; see `createTrustedBrowserToken`. */
  trustedBrowserToken?: string | undefined;
};

export type NewUserSession = {
  user: UserWithMerchant;
  session: UserSession;
  /** The cookie's value, 256 random bits; only its hash is stored. */
  token: string;
  expiresAt: Date;
};

export async function startSession(
  tx: Tx,
  options: SessionClient & { user: UserWithMerchant; now: Date },
): Promise<NewUserSession> {
  const { user, ipAddress, userAgent, previousToken, now } = options;
  const token = newToken();
  const expiresAt = new Date(now.getTime() + sessionDays * dayMs);
  await tx.userSession.deleteMany({ where: { userId: user.id, expiresAt: { lte: now } } });
  if (previousToken !== undefined)
    await tx.userSession.deleteMany({ where: { tokenHash: sha256(previousToken) } });
  const session = await tx.userSession.create({
    data: {
      tokenHash: sha256(token),
      id: newId('userSession', now),
      userId: user.id,
      ipAddress,
      userAgent: userAgent?.replaceAll('\0', '').slice(0, userAgentLengthMax).toWellFormed() ?? null,
      lastSeenAt: now,
      createdAt: now,
      expiresAt,
    },
  });
  return { user, session, token, expiresAt };
}

/** A user with their merchant, which is null for an operator. */
export type UserWithMerchant = MerchantUser & { merchant: Merchant | null };

/** The minimum time between two updates of `lastSeenAt`, so that not every request writes. */
const lastSeenPrecisionMs = 5 * minuteMs;

/**
 * Returns the user and the session of the token in a cookie. Returns undefined if the session is unknown or expired, or
 * the user was removed. Throws the errors of `requireEnabledMerchant`.
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

/**
 * Ends a user's sessions in the caller's transaction: all, all except `keepSessionId`, or only
 * `onlySessionId`. On commit, every process checks the user's open connections again. Returns the number of
 * ended sessions.
 */
export async function endSessions(
  uow: UnitOfWork,
  options: {
    user: { id: string; merchantId: string | null };
    keepSessionId?: string | undefined;
    onlySessionId?: string;
  },
): Promise<number> {
  const { user, keepSessionId, onlySessionId } = options;
  const { count } = await uow.tx.userSession.deleteMany({
    where: {
      userId: user.id,
      ...(keepSessionId !== undefined && { id: { not: keepSessionId } }),
      ...(onlySessionId !== undefined && { id: onlySessionId }),
    },
  });
  announceUserChange(uow, user);
  return count;
}

/** Makes every process check the identity and permissions of the user's open connections again on commit. */
export function announceUserChange(
  uow: UnitOfWork,
  { id, merchantId }: { id: string; merchantId: string | null },
): void {
  announceChange(uow, { objectId: id, merchantId });
}
