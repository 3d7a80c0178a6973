import { setTimeout } from 'node:timers/promises';
import { verify } from '@node-rs/argon2';
import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { getClientNetwork, listClientNetworks } from '../../../kit/client-network.ts';
import { foldEmail } from '../../../kit/contact.ts';
import type { Tx } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { checkText } from '../../../kit/text.ts';
import { requireEnabledMerchant } from '../../platform/merchant/require-enabled-merchant.ts';
import type { Service } from '../../platform/service.ts';
import { consumeCode, incorrectCodeError, isAppCode } from './consume-code.ts';
import { generatePassword, hashPassword } from './create-user.ts';
import { lockUserRow } from './lock-user.ts';
import {
  attemptRetentionMs,
  checkAttemptLimit,
  markAttemptsSuccessful,
  recordAttempt,
  tooManyAttemptsError,
} from './record-attempt.ts';
import { findTrustedBrowser } from './trusted-browser.ts';
import { type NewUserSession, type SessionClient, startSession } from './user-session.ts';

const emailLengthMax = 254;

/** A hash that is verified if no user has the email address, so that the response takes the same time. */
let decoyHash: Promise<string> | undefined;

/**
 * Starts a session of 14 days for a merchant's user or an operator. Unknown emails, wrong passwords and removed users
 * get the same response after the same work. A user with two-factor authentication gets `two_factor_code_required` once
 * the password is correct, and calls again with a code.
 */
export async function signIn(
  service: Service,
  options: SessionClient & {
    email: string;
    password: string;
    /** An authenticator code or a recovery code. */
    code?: string | null | undefined;
    now: Date;
    /** Replaces the timer in tests. */
    wait?: (ms: number) => Promise<unknown>;
  },
): Promise<NewUserSession> {
  const { password, code, ipAddress, now, wait = setTimeout } = options;
  const email = foldEmail(checkText(options.email, '/email', emailLengthMax));
  const attempt = await recordSignInAttempt(service, { ...options, email });
  await waitForCheckTime(service, attempt, { now, wait });
  const user = await service.prisma.merchantUser.findFirst({
    where: { email, removedAt: null },
    include: { merchant: true },
  });
  decoyHash ??= hashPassword(generatePassword());
  const isPasswordCorrect = await verify(user?.passwordHash ?? (await decoyHash), password);
  if (!user || !isPasswordCorrect) throw incorrectCredentialsError();
  if (user.merchant) requireEnabledMerchant(user.merchant);
  await markAttemptsSuccessful(service, ...attempt.ids);
  if (user.totpEncrypted === null) {
    return transact(service, async ({ tx }) => {
      await requireUnchangedUser(tx, user);
      return startSession(tx, { ...options, user });
    });
  }
  if (!code) throw new DomainError('two_factor_code_required', 'Enter the code from your authenticator app');
  const attemptId = await recordAttempt(service, {
    kind: isAppCode(code) ? 'reauthentication' : 'recovery',
    account: user.id,
    ipAddress,
    now,
    hint: 'use a recovery code, or reset your password',
  });
  const session = await transact(service, async (uow) => {
    await requireUnchangedUser(uow.tx, user);
    const isAccepted = await consumeCode(uow, { userId: user.id, code, ipAddress, now });
    return isAccepted ? startSession(uow.tx, { ...options, user }) : undefined;
  });
  if (!session) throw incorrectCodeError();
  await markAttemptsSuccessful(service, attemptId);
  return session;
}

/** The number of throttled sign-ins that wait in this process; each keeps a connection open. */
let waitingSignInCount = 0;
const waitingSignInsMax = 100;

/**
 * Waits until the password may be checked. Throws `rate_limited` if too many sign-ins are waiting; the
 * rejected attempt does not count.
 */
async function waitForCheckTime(
  service: Service,
  { ids, notBefore }: SignInAttempt,
  { now, wait }: { now: Date; wait: (ms: number) => Promise<unknown> },
): Promise<void> {
  const waitMs = notBefore.getTime() - now.getTime();
  if (waitMs <= 0) return;
  if (waitingSignInCount >= waitingSignInsMax) {
    await markAttemptsSuccessful(service, ...ids);
    throw tooManyAttemptsError(waitMs);
  }
  waitingSignInCount++;
  try {
    await wait(waitMs);
  } finally {
    waitingSignInCount--;
  }
}

/**
 * Locks the user until the end of the transaction, which serializes sign-ins with changes of the user. Throws if, since
 * the credentials were checked, the user was removed, the password was changed or two-factor authentication was
 * enabled.
 */
async function requireUnchangedUser(
  tx: Tx,
  { id, passwordHash, totpEncrypted }: MerchantUser,
): Promise<void> {
  await lockUserRow(tx, id);
  const current = await tx.merchantUser.findFirst({ where: { id, passwordHash, removedAt: null } });
  if (!current || (totpEncrypted === null && current.totpEncrypted !== null))
    throw incorrectCredentialsError();
}

function incorrectCredentialsError(): DomainError {
  return new DomainError('permission_denied', 'The email or password is incorrect');
}

/**
 * The maximum number of failed attempts in 15 minutes: from a network or trusted browser, from the /56 around
 * the network, and from the /48 around it.
 */
const attemptsMax = [10, 20, 50];
const attemptsWindowMs = 15 * minuteMs;

/**
 * After this many failures of an account, from any network, its attempts are checked one at a time, at
 * intervals.
 */
const failuresBeforeThrottling = 20;
const failuresWindowMs = attemptRetentionMs;
const checkIntervalMs = 3_000;
/**
 * After this many failures, the interval is ten times as long. This limits distributed guessing to about
 * 3,000 attempts a day.
 */
const failuresBeforeLongInterval = 100;
const longCheckIntervalMs = 30_000;
/** The longest wait of an attempt; attempts that would wait longer are rejected. */
const waitMsMax = 30_000;

/** At most this many sessions of a user are compared with the network of an attempt. */
const sessionsMax = 200;

type SignInAttempt = {
  /** The IDs of the recorded attempts, one for each counted network. */
  ids: bigint[];
  /** The earliest time at which the password may be checked. */
  notBefore: Date;
};

/**
 * Records a sign-in attempt for a folded email address as failed before the password is checked, so that
 * concurrent attempts count.
 *
 * The attempts of an account under attack from many networks are checked at intervals, and rejected if they
 * would wait too long. Attempts from trusted browsers, and from networks where the user is signed in, are
 * checked immediately, so that attacks from elsewhere do not delay them.
 *
 * Throws `rate_limited`; rejected attempts are not recorded.
 */
export async function recordSignInAttempt(
  service: Service,
  options: { email: string; ipAddress: string; trustedBrowserToken?: string | undefined; now: Date },
): Promise<SignInAttempt> {
  const { email, ipAddress, trustedBrowserToken: token, now } = options;
  const browser = findTrustedBrowser(service.secrets, { email, token });
  const sources = browser === undefined ? listClientNetworks(ipAddress) : [browser];
  const accountHash = sha256(email);
  return transact(service, async ({ tx }) => {
    // Serializes concurrent attempts, so that none passes the limit.
    await lockByName(tx, ...sources.toReversed(), accountHash);
    for (const [i, network] of sources.entries()) {
      const limit = { max: attemptsMax[i] ?? 0, windowMs: attemptsWindowMs };
      await checkAttemptLimit(tx, { ...limit, where: { kind: 'sign_in', network }, now });
    }
    const isTrusted = browser !== undefined;
    const notBefore = isTrusted ? now : await findCheckTime(tx, { email, accountHash, ipAddress, now });
    const attempts = await tx.authenticationAttempt.createManyAndReturn({
      data: sources.map((source, i) => ({
        network: source,
        // Only one of the rows counts against the account.
        accountHash: i === 0 ? accountHash : sha256(source),
        notBefore,
        createdAt: now,
      })),
      select: { id: true },
    });
    return { ids: attempts.map(({ id }) => id), notBefore };
  });
}

async function findCheckTime(
  tx: Tx,
  options: { email: string; accountHash: string; ipAddress: string; now: Date },
): Promise<Date> {
  const { accountHash, now } = options;
  const since = new Date(now.getTime() - failuresWindowMs);
  const { _count: failures, _max: last } = await tx.authenticationAttempt.aggregate({
    where: { kind: 'sign_in', accountHash, failed: true, createdAt: { gt: since } },
    _count: true,
    _max: { notBefore: true },
  });
  if (failures < failuresBeforeThrottling || !last.notBefore || (await isSignedInFromNetwork(tx, options)))
    return now;
  const intervalMs = failures < failuresBeforeLongInterval ? checkIntervalMs : longCheckIntervalMs;
  const waitMs = last.notBefore.getTime() + intervalMs - now.getTime();
  if (waitMs > waitMsMax) throw tooManyAttemptsError(waitMs - waitMsMax);
  return new Date(now.getTime() + Math.max(waitMs, checkIntervalMs));
}

/**
 * Returns whether the user has a session from the network of the address. Such a session required the
 * password, and a code if two-factor authentication was enabled.
 */
async function isSignedInFromNetwork(
  tx: Tx,
  { email, ipAddress, now }: { email: string; ipAddress: string; now: Date },
): Promise<boolean> {
  const sessions = await tx.userSession.findMany({
    where: { user: { email, removedAt: null }, expiresAt: { gt: now } },
    orderBy: { createdAt: 'desc' },
    take: sessionsMax,
    select: { ipAddress: true },
  });
  const network = getClientNetwork(ipAddress);
  return sessions.some(
    (session) => session.ipAddress !== null && getClientNetwork(session.ipAddress) === network,
  );
}
