import type { AttemptKind } from '../../../prisma/client/client.ts';
import { clientNetwork } from '../../kit/client-network.ts';
import { type Db, type Tx, transact } from '../../kit/db.ts';
import { dayMs, minuteMs } from '../../kit/duration.ts';
import { rateLimited } from '../../kit/errors.ts';
import { sha256 } from '../../kit/secrets.ts';
import { takeTurn } from '../../kit/take-turn.ts';

/** Tries are kept so long: no limit looks further back. */
export const triesKeptMs = dayMs;

/** So many in a time, by the account concerned or by the network they come from. */
type Limit = { by: 'account' | 'address'; max: number; windowMs: number };

/**
 * What is limited, in the database, so for all processes together. Codes of a second factor are three in a million at
 * any moment: 20 tries a day leave a guesser who has the password one chance in 16,000 a day.
 */
const limits: Record<Exclude<AttemptKind, 'sign_in'>, Limit[]> = {
  proof: [
    { by: 'account', max: 5, windowMs: 15 * minuteMs },
    { by: 'account', max: 20, windowMs: triesKeptMs },
    { by: 'address', max: 20, windowMs: 15 * minuteMs },
  ],
  reset: [{ by: 'address', max: 10, windowMs: 15 * minuteMs }],
  link: [{ by: 'address', max: 20, windowMs: 15 * minuteMs }],
  invitation: [
    { by: 'account', max: 50, windowMs: triesKeptMs },
    { by: 'address', max: 50, windowMs: triesKeptMs },
  ],
};

/**
 * Counts a try before it is looked at, so that tries under way count too; `closeTry` takes back one that was right.
 * `account` names whom it concerns. A refused try is not counted. Error: `rate_limited`.
 */
export async function openTry(
  db: Db,
  options: { kind: keyof typeof limits; account: string; address: string; now: Date },
): Promise<bigint> {
  const { kind, now } = options;
  const address = clientNetwork(options.address);
  const accountHash = sha256(`${kind} ${options.account}`);
  return transact(db, async (tx) => {
    // Tries that come at once are counted one after the other.
    await takeTurn(tx, ...[`${kind} ${address}`, accountHash].sort());
    for (const limit of limits[kind])
      await refuseTooMany(tx, {
        ...limit,
        where: limit.by === 'account' ? { kind, accountHash } : { kind, address },
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
export async function closeTry(db: { prisma: Tx }, id: bigint): Promise<void> {
  await db.prisma.signInAttempt.updateMany({ where: { id }, data: { failed: false } });
}

async function refuseTooMany(
  tx: Tx,
  options: {
    where: { kind: AttemptKind; address: string } | { kind: AttemptKind; accountHash: string };
    max: number;
    windowMs: number;
    now: Date;
  },
): Promise<void> {
  const { where, max, windowMs, now } = options;
  const last = await tx.signInAttempt.findFirst({
    where: { ...where, failed: true, createdAt: { gt: new Date(now.getTime() - windowMs) } },
    orderBy: { createdAt: 'desc' },
    skip: max - 1,
    select: { createdAt: true },
  });
  if (last) throw tooManyTries(last.createdAt.getTime() + windowMs - now.getTime());
}

export function tooManyTries(afterMs: number): Error {
  const minutes = Math.ceil(afterMs / minuteMs);
  const time =
    minutes > 90 ? `${Math.ceil(minutes / 60)} hours` : minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return rateLimited(`Too many tries. Try again in ${time}.`, Math.ceil(afterMs / 1_000));
}
