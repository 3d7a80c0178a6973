import { setTimeout } from 'node:timers/promises';
import { verify } from '@node-rs/argon2';
import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { clientNetwork, clientNetworks } from '../../../kit/client-network.ts';
import { foldEmail } from '../../../kit/contact.ts';
import type { Tx } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { takeTurn } from '../../../kit/take-turn.ts';
import { checkText } from '../../../kit/text.ts';
import type { Service } from '../../platform/service.ts';
import { refuseDisabled } from '../merchant/refuse-disabled.ts';
import { hashPassword, makePassword } from './create-user.ts';
import { knownBrowser } from './known-browser.ts';
import { holdUser } from './lock-user.ts';
import { closeTry, openTry, refuseTooMany, tooManyTries, triesKeptMs } from './open-try.ts';
import { type NewUserSession, type SessionStart, startSession } from './start-session.ts';
import { codeRefused, isAppCode, takeCode } from './take-code.ts';

const emailMax = 254;

/** Checked in place of a password where there is no such user, so that both take the same time. */
let decoyHash: Promise<string> | undefined;

/**
 * Starts a session of 14 days for a merchant's user or an operator. An unknown address, a wrong password and a user
 * who was removed give the same answer after the same work. Somebody with a second factor is asked for a code once the
 * password was right, and calls again with both.
 * Errors: `invalid_request`, `permission_denied`, `rate_limited`, `account_disabled`, `second_factor_required`,
 * `verification_code_invalid`.
 */
export async function signIn(
  service: Service,
  options: SessionStart & {
    email: string;
    password: string;
    /** Of the second factor: from the app, or a recovery code. */
    code?: string | null | undefined;
    now: Date;
    /** How to wait for one's turn. */
    wait?: (ms: number) => Promise<unknown>;
  },
): Promise<NewUserSession> {
  const { password, code, address, now, wait = setTimeout } = options;
  const email = foldEmail(checkText(options.email, '/email', emailMax));
  const attempt = await openSignInAttempt(service, { ...options, email });
  await waitForTurn(service, attempt, { now, wait });
  const user = await service.prisma.merchantUser.findFirst({
    where: { email, disabledAt: null },
    include: { merchant: true },
  });
  decoyHash ??= hashPassword(makePassword());
  const matches = await verify(user?.passwordHash ?? (await decoyHash), password);
  if (!user || !matches) throw refused();
  if (user.merchant) refuseDisabled(user.merchant);
  await closeTry(service, ...attempt.ids);
  if (user.totpEncrypted === null) {
    return transact(service, async ({ tx }) => {
      await requireUnchanged(tx, user);
      return startSession(tx, { ...options, user });
    });
  }
  if (!code) throw new DomainError('second_factor_required', 'Enter the code from your authenticator app');
  const tryId = await openTry(service, {
    kind: isAppCode(code) ? 'proof' : 'recovery',
    account: user.id,
    address,
    now,
    wayOut: 'use a recovery code; choosing a new password also helps',
  });
  const session = await transact(service, async (uow) => {
    await requireUnchanged(uow.tx, user);
    const isTaken = await takeCode(uow, { userId: user.id, code, address, now });
    return isTaken ? startSession(uow.tx, { ...options, user }) : undefined;
  });
  if (!session) throw codeRefused();
  await closeTry(service, tryId);
  return session;
}

/** Sign-ins of this process that wait for their turn: each holds a connection open. */
let waiting = 0;
const waitingMax = 100;

/** Error: `rate_limited` where too many wait; the try is not counted then. */
async function waitForTurn(
  service: Service,
  { ids, checkedAt }: SignInAttempt,
  { now, wait }: { now: Date; wait: (ms: number) => Promise<unknown> },
): Promise<void> {
  const waitMs = checkedAt.getTime() - now.getTime();
  if (waitMs <= 0) return;
  if (waiting >= waitingMax) {
    await closeTry(service, ...ids);
    throw tooManyTries(waitMs);
  }
  waiting++;
  try {
    await wait(waitMs);
  } finally {
    waiting--;
  }
}

/**
 * Locks the user to the end of the transaction: what ends sessions is done by then, or ends the one that begins. A
 * password that was changed since it was looked at, and one without the second factor that was turned on since, let
 * nobody in.
 */
async function requireUnchanged(tx: Tx, { id, passwordHash, totpEncrypted }: MerchantUser): Promise<void> {
  await holdUser(tx, id);
  const present = await tx.merchantUser.findFirst({ where: { id, passwordHash, disabledAt: null } });
  if (!present || (totpEncrypted === null && present.totpEncrypted !== null)) throw refused();
}

function refused(): DomainError {
  return new DomainError('permission_denied', 'The email or password is incorrect');
}

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

type SignInAttempt = {
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
