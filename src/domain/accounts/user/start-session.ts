import type { UserSession } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { newId } from '../../../kit/id.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { newToken } from '../../../kit/token.ts';
import type { UserWithMerchant } from './find-user-session.ts';

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
