import type { AttemptKind } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { getClientNetwork } from '../../../kit/client-network.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { dayMs, minuteMs } from '../../../kit/duration.ts';
import { rateLimitedError } from '../../../kit/errors.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import { sha256 } from '../../../kit/secrets.ts';

/** How long attempts are stored, which is the longest window of a limit. */
export const attemptRetentionMs = dayMs;

/** Allows at most `max` failed attempts within the window, by account or by client network. */
type AttemptLimit = { by: 'account' | 'network'; max: number; windowMs: number };

/**
 * `recovery` is stored as `reauthentication`, but limited only by network, because recovery codes cannot be guessed.
 * Attempts to sign in have limits of their own (`sign-in.ts`).
 */
type LimitedAttemptKind = Exclude<AttemptKind, 'sign_in'> | 'recovery';

/**
 * Attempts are counted in the database, so all processes share the limits.
 *
 * Three of a million authenticator codes are valid at any moment. With 20 attempts a day, an attacker with
 * the password succeeds with a probability of 1 in 16,000 per day. Attempts during sign-in count against the
 * user, attempts of a signed-in user against the session. An attacker with only the password therefore cannot
 * exhaust the limit of a session.
 */
const limits: Record<LimitedAttemptKind, AttemptLimit[]> = {
  reauthentication: [
    { by: 'account', max: 5, windowMs: 15 * minuteMs },
    { by: 'account', max: 20, windowMs: attemptRetentionMs },
    { by: 'network', max: 20, windowMs: 15 * minuteMs },
  ],
  recovery: [{ by: 'network', max: 20, windowMs: 15 * minuteMs }],
  password_reset: [{ by: 'network', max: 10, windowMs: 15 * minuteMs }],
  link: [{ by: 'network', max: 20, windowMs: 15 * minuteMs }],
  invitation: [
    { by: 'account', max: 50, windowMs: attemptRetentionMs },
    { by: 'network', max: 50, windowMs: attemptRetentionMs },
  ],
};

/**
 * Records an attempt as failed before it is checked, so that concurrent attempts count, and returns its ID;
 * callers mark a successful attempt with `markAttemptsSuccessful`. `account` identifies the affected account. `hint`
 * is added to the error message if the limit of the account is reached. Rejected attempts are not recorded.
 * Throws `rate_limited`.
 */
export async function recordAttempt(
  db: Db,
  options: { kind: LimitedAttemptKind; account: string; ipAddress: string; now: Date; hint?: string },
): Promise<bigint> {
  const { now, hint } = options;
  const kind = options.kind === 'recovery' ? 'reauthentication' : options.kind;
  const network = getClientNetwork(options.ipAddress);
  const accountHash = hashAccount(options.kind, options.account);
  return transact(db, async ({ tx }) => {
    // Serializes concurrent attempts, so that none passes the limit.
    await lockByName(tx, ...[`${kind} ${network}`, accountHash].sort());
    for (const limit of limits[options.kind])
      await checkAttemptLimit(tx, {
        ...limit,
        ...(limit.by === 'account' ? { where: { kind, accountHash }, hint } : { where: { kind, network } }),
        now,
      });
    const { id } = await tx.authenticationAttempt.create({
      data: { kind, network, accountHash, notBefore: now, createdAt: now },
      select: { id: true },
    });
    return id;
  });
}

/** Marks attempts as successful, so that limits ignore them. */
export async function markAttemptsSuccessful(db: { prisma: Tx }, ...ids: bigint[]): Promise<void> {
  await db.prisma.authenticationAttempt.updateMany({ where: { id: { in: ids } }, data: { failed: false } });
}

export async function checkAttemptLimit(
  tx: Tx,
  options: {
    where: { kind: AttemptKind; network: string } | { kind: AttemptKind; accountHash: string };
    max: number;
    windowMs: number;
    now: Date;
    hint?: string | undefined;
  },
): Promise<void> {
  const { where, max, windowMs, now, hint } = options;
  const oldest = await tx.authenticationAttempt.findFirst({
    where: { ...where, failed: true, createdAt: { gt: new Date(now.getTime() - windowMs) } },
    orderBy: { createdAt: 'desc' },
    skip: max - 1,
    select: { createdAt: true },
  });
  if (oldest) throw tooManyAttemptsError(oldest.createdAt.getTime() + windowMs - now.getTime(), hint);
}

/**
 * Returns the hash under which attempts on an account are stored. It includes the kind, so each kind has its
 * own limit.
 */
function hashAccount(kind: LimitedAttemptKind | 'cleared_attempts', account: string): string {
  return sha256(`${kind} ${account}`);
}

export function tooManyAttemptsError(retryAfterMs: number, hint?: string): Error {
  const minutes = Math.ceil(retryAfterMs / minuteMs);
  const waitText =
    minutes > 90 ? `${Math.ceil(minutes / 60)} hours` : minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const message = `Too many attempts. Try again in ${waitText}${hint === undefined ? '' : `, ${hint}`}.`;
  return rateLimitedError(message, Math.ceil(retryAfterMs / 1_000));
}

/**
 * Removes a user's failed codes from the limit of the user. Called after a credential change, which locks out the
 * attacker who tried the codes. The attempts still count against the networks they came from.
 *
 * Has an effect only once a day, unless an operator sets `isForced`. Otherwise an attacker who can read the user's
 * email could reset the password after each series of guesses and continue without limit.
 */
export async function resetCodeLimit(
  tx: Tx,
  { userId, now, isForced = false }: { userId: string; now: Date; isForced?: boolean },
): Promise<void> {
  const clearedHash = hashAccount('cleared_attempts', userId);
  const createdAt = { gt: new Date(now.getTime() - attemptRetentionMs) };
  const failedAttempts = { kind: 'reauthentication', failed: true, createdAt } as const;
  const previousClear = await tx.authenticationAttempt.findFirst({
    where: { ...failedAttempts, accountHash: clearedHash },
  });
  if (previousClear && !isForced) return;
  await tx.authenticationAttempt.updateMany({
    where: { ...failedAttempts, accountHash: hashAccount('reauthentication', userId) },
    data: { accountHash: clearedHash },
  });
}
