import { setTimeout } from 'node:timers/promises';
import { verify } from '@node-rs/argon2';
import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { clientNetwork, clientNetworks } from '../../../kit/client-network.ts';
import { foldEmail } from '../../../kit/contact.ts';
import type { Tx } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { checkText } from '../../../kit/text.ts';
import type { Service } from '../../platform/service.ts';
import { requireEnabledMerchant } from '../merchant/require-enabled-merchant.ts';
import { consumeCode, incorrectCode, isAppCode } from './consume-code.ts';
import { generatePassword, hashPassword } from './create-user.ts';
import { lockUserRow } from './lock-user.ts';
import {
  attemptRetentionMs,
  checkAttemptLimit,
  clearAttempts,
  recordAttempt,
  tooManyAttempts,
} from './record-attempt.ts';
import { type NewUserSession, type SessionStart, startSession } from './start-session.ts';
import { findTrustedBrowser } from './trusted-browser.ts';

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
  const attempt = await recordSignInAttempt(service, { ...options, email });
  await waitForCheckTime(service, attempt, { now, wait });
  const user = await service.prisma.merchantUser.findFirst({
    where: { email, disabledAt: null },
    include: { merchant: true },
  });
  decoyHash ??= hashPassword(generatePassword());
  const matches = await verify(user?.passwordHash ?? (await decoyHash), password);
  if (!user || !matches) throw incorrectCredentials();
  if (user.merchant) requireEnabledMerchant(user.merchant);
  await clearAttempts(service, ...attempt.ids);
  if (user.totpEncrypted === null) {
    return transact(service, async ({ tx }) => {
      await requireUnchangedUser(tx, user);
      return startSession(tx, { ...options, user });
    });
  }
  if (!code) throw new DomainError('second_factor_required', 'Enter the code from your authenticator app');
  const attemptId = await recordAttempt(service, {
    kind: isAppCode(code) ? 'proof' : 'recovery',
    account: user.id,
    address,
    now,
    hint: 'use a recovery code; choosing a new password also helps',
  });
  const session = await transact(service, async (uow) => {
    await requireUnchangedUser(uow.tx, user);
    const isAccepted = await consumeCode(uow, { userId: user.id, code, address, now });
    return isAccepted ? startSession(uow.tx, { ...options, user }) : undefined;
  });
  if (!session) throw incorrectCode();
  await clearAttempts(service, attemptId);
  return session;
}

/** Sign-ins of this process that wait for their turn: each holds a connection open. */
let waitingCount = 0;
const waitingMax = 100;

/** Error: `rate_limited` where too many wait; the try is not counted then. */
async function waitForCheckTime(
  service: Service,
  { ids, checkedAt }: SignInAttempt,
  { now, wait }: { now: Date; wait: (ms: number) => Promise<unknown> },
): Promise<void> {
  const waitMs = checkedAt.getTime() - now.getTime();
  if (waitMs <= 0) return;
  if (waitingCount >= waitingMax) {
    await clearAttempts(service, ...ids);
    throw tooManyAttempts(waitMs);
  }
  waitingCount++;
  try {
    await wait(waitMs);
  } finally {
    waitingCount--;
  }
}

/**
 * Locks the user to the end of the transaction: what ends sessions is done by then, or ends the one that begins. A
 * password that was changed since it was looked at, and one without the second factor that was turned on since, let
 * nobody in.
 */
async function requireUnchangedUser(
  tx: Tx,
  { id, passwordHash, totpEncrypted }: MerchantUser,
): Promise<void> {
  await lockUserRow(tx, id);
  const current = await tx.merchantUser.findFirst({ where: { id, passwordHash, disabledAt: null } });
  if (!current || (totpEncrypted === null && current.totpEncrypted !== null)) throw incorrectCredentials();
}

function incorrectCredentials(): DomainError {
  return new DomainError('permission_denied', 'The email or password is incorrect');
}

/** Tries in a quarter of an hour from a network or known browser, and from the /56 and /48 around one. Only failures count. */
const attemptsMax = [10, 20, 50];
const attemptsWindowMs = 15 * minuteMs;

/** From so many failures of an account on, wherever they came from, its tries are looked at one by one. */
const failuresBeforeThrottling = 20;
const failuresWindowMs = attemptRetentionMs;
const spacingMs = 3_000;
/** From so many on they come ten times as far apart, so that guessing from many networks has 3,000 tries a day. */
const failuresBeforeLongSpacing = 100;
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
export async function recordSignInAttempt(
  service: Service,
  options: { email: string; address: string; browserToken?: string | undefined; now: Date },
): Promise<SignInAttempt> {
  const { email, address, browserToken: token, now } = options;
  const browser = findTrustedBrowser(service.secrets, { email, token });
  const origins = browser === undefined ? clientNetworks(address) : [browser];
  const accountHash = sha256(email);
  return transact(service, async ({ tx }) => {
    // Tries that come at once are counted one after the other.
    await lockByName(tx, ...origins.toReversed(), accountHash);
    for (const [i, address] of origins.entries()) {
      const limit = { max: attemptsMax[i] ?? 0, windowMs: attemptsWindowMs };
      await checkAttemptLimit(tx, { ...limit, where: { kind: 'sign_in', address }, now });
    }
    const isTrusted = browser !== undefined;
    const checkedAt = isTrusted ? now : await findCheckTime(tx, { email, accountHash, address, now });
    const attempts = await tx.signInAttempt.createManyAndReturn({
      data: origins.map((origin, i) => ({
        address: origin,
        // One of them counts for the account.
        accountHash: i === 0 ? accountHash : sha256(origin),
        checkedAt,
        createdAt: now,
      })),
      select: { id: true },
    });
    return { ids: attempts.map(({ id }) => id), checkedAt };
  });
}

async function findCheckTime(
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
  if (failures < failuresBeforeThrottling || !last.checkedAt || (await isSignedInFromNetwork(tx, options)))
    return now;
  const intervalMs = failures < failuresBeforeLongSpacing ? spacingMs : longSpacingMs;
  const waitMs = last.checkedAt.getTime() + intervalMs - now.getTime();
  if (waitMs > waitMsMax) throw tooManyAttempts(waitMs - waitMsMax);
  return new Date(now.getTime() + Math.max(waitMs, spacingMs));
}

/** Whether a session of the user began in this network: it took the password, and the second factor where it is on. */
async function isSignedInFromNetwork(
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
