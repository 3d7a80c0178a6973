import { setTimeout } from 'node:timers/promises';
import { verify } from '@node-rs/argon2';
import type { MerchantUser } from '../../../prisma/client/client.ts';
import { transact } from '../../event/unit-of-work.ts';
import { foldEmail } from '../../kit/contact.ts';
import type { Tx } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { checkText } from '../../kit/text.ts';
import { refuseDisabled } from '../merchant/refuse-disabled.ts';
import type { Service } from '../service.ts';
import { hashPassword, makePassword } from './create-user.ts';
import { holdUser } from './lock-user.ts';
import { openSignInAttempt, type SignInAttempt } from './open-sign-in-attempt.ts';
import { closeTry, openTry, tooManyTries } from './open-try.ts';
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
  if (!code) throw new DomainError('second_factor_required', 'Enter the code of your authenticator app');
  const tryId = await openTry(service, {
    kind: isAppCode(code) ? 'proof' : 'recovery',
    account: user.id,
    address,
    now,
    wayOut: 'give a recovery code; choosing another password helps too',
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
  return new DomainError('permission_denied', 'The e-mail or the password is wrong');
}
