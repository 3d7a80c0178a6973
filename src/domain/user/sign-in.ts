import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { verify } from '@node-rs/argon2';
import { foldEmail } from '../../kit/contact.ts';
import { type Db, transact } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { newId } from '../../kit/id.ts';
import { sha256 } from '../../kit/secrets.ts';
import { checkText } from '../../kit/text.ts';
import { refuseDisabled } from '../api-key/authenticate-key.ts';
import { hashPassword, makePassword } from './create-user.ts';
import type { SignedInUser } from './find-user-session.ts';
import { openSignInAttempt } from './open-sign-in-attempt.ts';

const sessionDays = 14;
const tokenBytes = 32;
const emailMax = 254;

export type NewUserSession = {
  user: SignedInUser;
  /** The cookie's value, 256 random bits; only its hash is stored. */
  token: string;
  expiresAt: Date;
};

/** Checked in place of a password where there is no such user, so that both take the same time. */
let decoyHash: Promise<string> | undefined;

/**
 * Starts a session of 14 days for a merchant's user or an operator. An unknown address, a wrong password and a user
 * switched off give the same answer after the same work. `address` is the network address the try comes from.
 * Errors: `invalid_request`, `permission_denied`, `rate_limited`, `account_disabled`.
 */
export async function signIn(
  db: Db,
  options: {
    email: string;
    password: string;
    address: string;
    now: Date;
    /** How to wait for one's turn. */
    wait?: (ms: number) => Promise<unknown>;
  },
): Promise<NewUserSession> {
  const { password, now, wait = setTimeout } = options;
  const email = foldEmail(checkText(options.email, '/email', emailMax));
  const attempt = await openSignInAttempt(db, { ...options, email });
  const waitMs = attempt.checkedAt.getTime() - now.getTime();
  if (waitMs > 0) await wait(waitMs);
  const user = await db.prisma.merchantUser.findFirst({
    where: { email, disabledAt: null },
    include: { merchant: true },
  });
  decoyHash ??= hashPassword(makePassword());
  const matches = await verify(user?.passwordHash ?? (await decoyHash), password);
  if (!user || !matches) {
    throw new DomainError('permission_denied', 'The e-mail or the password is wrong');
  }
  if (user.merchant) refuseDisabled(user.merchant);
  return startSession(db, { user, attemptId: attempt.id, now });
}

async function startSession(
  db: Db,
  options: { user: SignedInUser; attemptId: bigint; now: Date },
): Promise<NewUserSession> {
  const { user, attemptId, now } = options;
  const token = randomBytes(tokenBytes).toString('base64url');
  const expiresAt = new Date(now.getTime() + sessionDays * 24 * 3_600_000);
  await transact(db, async (tx) => {
    await tx.signInAttempt.updateMany({ where: { id: attemptId }, data: { failed: false } });
    await tx.userSession.deleteMany({ where: { userId: user.id, expiresAt: { lte: now } } });
    await tx.userSession.create({
      data: {
        tokenHash: sha256(token),
        id: newId('userSession', now),
        userId: user.id,
        lastSeenAt: now,
        createdAt: now,
        expiresAt,
      },
    });
  });
  return { user, token, expiresAt };
}
