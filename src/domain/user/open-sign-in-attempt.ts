import { clientNetwork } from '../../kit/client-network.ts';
import { type Db, type Tx, transact } from '../../kit/db.ts';
import { minuteMs } from '../../kit/duration.ts';
import { sha256 } from '../../kit/secrets.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import { tooManyTries, triesKeptMs } from './open-try.ts';

/** Tries from one address, and for one account from one address, in a quarter of an hour. Only failures count. */
const triesMax = 10;
const triesWindowMs = 15 * minuteMs;

/** From so many failures of an account on, wherever they came from, its tries are looked at one by one. */
const failuresBeforeWaiting = 20;
const failuresWindowMs = triesKeptMs;
const spacingMs = 3_000;
/** The longest a try waits for its turn; further ones are refused. */
const waitMsMax = 30_000;

export type SignInAttempt = {
  id: bigint;
  /** When its password may be looked at. */
  checkedAt: Date;
};

/**
 * Counts a try to sign in with a folded e-mail, as a failure until it proves right, so that tries under way count too.
 * The limit for an account and address lies within that for the address: a user who mistypes meets the same wall as one
 * who guesses. An account under attack from many addresses is slowed, not locked, so that nobody can shut its owner
 * out. Error: `rate_limited`; a refused try is not counted.
 */
export async function openSignInAttempt(
  db: Db,
  options: { email: string; address: string; now: Date },
): Promise<SignInAttempt> {
  const { now } = options;
  const address = clientNetwork(options.address);
  const accountHash = sha256(options.email);
  return transact(db, async (tx) => {
    // Tries that come at once are counted one after the other.
    await takeTurn(tx, address, accountHash);
    await refuseTooMany(tx, { address, now });
    const checkedAt = await nextTurn(tx, { accountHash, now });
    return tx.signInAttempt.create({
      data: { address, accountHash, checkedAt, createdAt: now },
      select: { id: true, checkedAt: true },
    });
  });
}

async function refuseTooMany(tx: Tx, options: { address: string; now: Date }): Promise<void> {
  const { address, now } = options;
  const tries = await tx.signInAttempt.findMany({
    where: { kind: 'sign_in', address, failed: true, createdAt: { gt: before(now, triesWindowMs) } },
    orderBy: { createdAt: 'asc' },
    select: { createdAt: true },
  });
  const first = tries.at(-triesMax);
  if (first) throw tooManyTries(first.createdAt.getTime() + triesWindowMs - now.getTime());
}

async function nextTurn(tx: Tx, options: { accountHash: string; now: Date }): Promise<Date> {
  const { accountHash, now } = options;
  const { _count: failures, _max: last } = await tx.signInAttempt.aggregate({
    where: { kind: 'sign_in', accountHash, failed: true, createdAt: { gt: before(now, failuresWindowMs) } },
    _count: true,
    _max: { checkedAt: true },
  });
  if (failures < failuresBeforeWaiting || !last.checkedAt) return now;
  const waitMs = last.checkedAt.getTime() + spacingMs - now.getTime();
  if (waitMs > waitMsMax) throw tooManyTries(waitMs - waitMsMax);
  return new Date(now.getTime() + Math.max(waitMs, spacingMs));
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
