import { transact } from '../../event/unit-of-work.ts';
import { clientNetwork, clientNetworks } from '../../kit/client-network.ts';
import type { Tx } from '../../kit/db.ts';
import { minuteMs } from '../../kit/duration.ts';
import { sha256 } from '../../kit/secrets.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import type { Service } from '../service.ts';
import { knownBrowser } from './known-browser.ts';
import { refuseTooMany, tooManyTries, triesKeptMs } from './open-try.ts';

/** Tries in a quarter of an hour from a network or known browser, and from the /56 and /48 around one. Only failures count. */
const triesMax = [10, 20, 50];
const triesWindowMs = 15 * minuteMs;

/** From so many failures of an account on, wherever they came from, its tries are looked at one by one. */
const failuresBeforeWaiting = 20;
const failuresWindowMs = triesKeptMs;
const spacingMs = 3_000;
/** From so many on they come ten times as far apart, so that guessing from many networks has 3,000 tries a day. */
const failuresBeforeLongWaits = 100;
const longSpacingMs = 30_000;
/** The longest a try waits for its turn; further ones are refused. */
const waitMsMax = 30_000;

/** Of a user's sessions so many are looked at for where they began. */
const sessionsMax = 200;

export type SignInAttempt = {
  /** Of its rows: it counts for each network it came from. */
  ids: bigint[];
  /** When its password may be looked at. */
  checkedAt: Date;
};

/**
 * Counts a try to sign in with a folded e-mail, as a failure until it proves right, so that tries under way count too.
 * The limit for an account and address lies within that for the address: a user who mistypes meets the same wall as one
 * who guesses. An account under attack from many addresses is slowed, not locked. Its turns are those of strangers alone:
 * a browser that is known for it, and a network where it is signed in, wait for none of them, so that whoever takes all
 * turns shuts out nobody who was there before. Error: `rate_limited`; a refused try is not counted.
 */
export async function openSignInAttempt(
  service: Service,
  options: { email: string; address: string; browserToken?: string | undefined; now: Date },
): Promise<SignInAttempt> {
  const { email, address, browserToken: token, now } = options;
  const browser = knownBrowser(service.secrets, { email, token });
  const places = browser === undefined ? clientNetworks(address) : [browser];
  const accountHash = sha256(email);
  return transact(service, async ({ tx }) => {
    // Tries that come at once are counted one after the other.
    await takeTurn(tx, ...places.toReversed(), accountHash);
    for (const [i, address] of places.entries()) {
      const limit = { max: triesMax[i] ?? 0, windowMs: triesWindowMs };
      await refuseTooMany(tx, { ...limit, where: { kind: 'sign_in', address }, now });
    }
    const isKnown = browser !== undefined;
    const checkedAt = isKnown ? now : await nextTurn(tx, { email, accountHash, address, now });
    const made = await tx.signInAttempt.createManyAndReturn({
      data: places.map((place, i) => ({
        address: place,
        // One of them counts for the account.
        accountHash: i === 0 ? accountHash : sha256(place),
        checkedAt,
        createdAt: now,
      })),
      select: { id: true },
    });
    return { ids: made.map(({ id }) => id), checkedAt };
  });
}

async function nextTurn(
  tx: Tx,
  options: { email: string; accountHash: string; address: string; now: Date },
): Promise<Date> {
  const { accountHash, now } = options;
  const since = new Date(now.getTime() - failuresWindowMs);
  const { _count: failures, _max: last } = await tx.signInAttempt.aggregate({
    where: { kind: 'sign_in', accountHash, failed: true, createdAt: { gt: since } },
    _count: true,
    _max: { checkedAt: true },
  });
  if (failures < failuresBeforeWaiting || !last.checkedAt || (await isSignedInThere(tx, options))) return now;
  const apartMs = failures < failuresBeforeLongWaits ? spacingMs : longSpacingMs;
  const waitMs = last.checkedAt.getTime() + apartMs - now.getTime();
  if (waitMs > waitMsMax) throw tooManyTries(waitMs - waitMsMax);
  return new Date(now.getTime() + Math.max(waitMs, spacingMs));
}

/** Whether a session of the user began in this network: it took the password, and the second factor where it is on. */
async function isSignedInThere(
  tx: Tx,
  { email, address, now }: { email: string; address: string; now: Date },
): Promise<boolean> {
  const sessions = await tx.userSession.findMany({
    where: { user: { email, disabledAt: null }, expiresAt: { gt: now } },
    orderBy: { createdAt: 'desc' },
    take: sessionsMax,
    select: { address: true },
  });
  const network = clientNetwork(address);
  return sessions.some((session) => session.address !== null && clientNetwork(session.address) === network);
}
