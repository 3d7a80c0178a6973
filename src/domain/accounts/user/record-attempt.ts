import type { AttemptKind } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { clientNetwork } from '../../../kit/client-network.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { dayMs, minuteMs } from '../../../kit/duration.ts';
import { rateLimited } from '../../../kit/errors.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import { sha256 } from '../../../kit/secrets.ts';

/** Tries are kept so long: no limit looks further back. */
export const attemptRetentionMs = dayMs;

/** So many in a time, by the account concerned or by the network they come from. */
type AttemptLimit = { by: 'account' | 'address'; max: number; windowMs: number };

/** A recovery code is a proof of which nobody guesses one: it has no limit by the account. */
export type LimitedAttemptKind = Exclude<AttemptKind, 'sign_in'> | 'recovery';

/**
 * What is limited, in the database, so for all processes together. Codes of a second factor are three in a million at
 * any moment: 20 tries a day leave a guesser who has the password one chance in 16,000 a day. Tries to sign in count for
 * the user, those of somebody signed in for the session: whoever has the password alone is not in the way of these.
 */
const limits: Record<LimitedAttemptKind, AttemptLimit[]> = {
  proof: [
    { by: 'account', max: 5, windowMs: 15 * minuteMs },
    { by: 'account', max: 20, windowMs: attemptRetentionMs },
    { by: 'address', max: 20, windowMs: 15 * minuteMs },
  ],
  recovery: [{ by: 'address', max: 20, windowMs: 15 * minuteMs }],
  reset: [{ by: 'address', max: 10, windowMs: 15 * minuteMs }],
  link: [{ by: 'address', max: 20, windowMs: 15 * minuteMs }],
  invitation: [
    { by: 'account', max: 50, windowMs: attemptRetentionMs },
    { by: 'address', max: 50, windowMs: attemptRetentionMs },
  ],
};

/**
 * Counts a try before it is looked at, so that tries under way count too; `closeTry` takes back one that was right.
 * `account` names whom it concerns; `wayOut` is told to whom the limit of the account stops. A refused try is not
 * counted. Error: `rate_limited`.
 */
export async function recordAttempt(
  db: Db,
  options: { kind: LimitedAttemptKind; account: string; address: string; now: Date; hint?: string },
): Promise<bigint> {
  const { now, hint } = options;
  const kind = options.kind === 'recovery' ? 'proof' : options.kind;
  const address = clientNetwork(options.address);
  const accountHash = hashAccount(options.kind, options.account);
  return transact(db, async ({ tx }) => {
    // Tries that come at once are counted one after the other.
    await lockByName(tx, ...[`${kind} ${address}`, accountHash].sort());
    for (const limit of limits[options.kind])
      await checkAttemptLimit(tx, {
        ...limit,
        ...(limit.by === 'account' ? { where: { kind, accountHash }, hint } : { where: { kind, address } }),
        now,
      });
    const { id } = await tx.signInAttempt.create({
      data: { kind, address, accountHash, checkedAt: now, createdAt: now },
      select: { id: true },
    });
    return id;
  });
}

/** What was tried was right: it counts for nothing. */
export async function clearAttempts(db: { prisma: Tx }, ...ids: bigint[]): Promise<void> {
  await db.prisma.signInAttempt.updateMany({ where: { id: { in: ids } }, data: { failed: false } });
}

/** Refuses a try after so many failures in the time. Error: `rate_limited`. */
export async function checkAttemptLimit(
  tx: Tx,
  options: {
    where: { kind: AttemptKind; address: string } | { kind: AttemptKind; accountHash: string };
    max: number;
    windowMs: number;
    now: Date;
    hint?: string | undefined;
  },
): Promise<void> {
  const { where, max, windowMs, now, hint } = options;
  const oldest = await tx.signInAttempt.findFirst({
    where: { ...where, failed: true, createdAt: { gt: new Date(now.getTime() - windowMs) } },
    orderBy: { createdAt: 'desc' },
    skip: max - 1,
    select: { createdAt: true },
  });
  if (oldest) throw tooManyAttempts(oldest.createdAt.getTime() + windowMs - now.getTime(), hint);
}

/** The account's name among the tries. */
export function hashAccount(kind: LimitedAttemptKind | 'forgotten', account: string): string {
  return sha256(`${kind} ${account}`);
}

export function tooManyAttempts(afterMs: number, hint?: string): Error {
  const minutes = Math.ceil(afterMs / minuteMs);
  const time =
    minutes > 90 ? `${Math.ceil(minutes / 60)} hours` : minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const message = `Too many attempts. Try again in ${time}${hint === undefined ? '' : `, or ${hint}`}.`;
  return rateLimited(message, Math.ceil(afterMs / 1_000));
}
