import { verify } from '@node-rs/argon2';
import type { MerchantUser, UserSession } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { isSameText } from '../../../kit/secrets.ts';
import type { Service } from '../../platform/service.ts';
import { consumeCode, incorrectCodeError } from './consume-code.ts';
import { lockSessionUser } from './lock-user.ts';
import { markAttemptsSuccessful, recordAttempt } from './record-attempt.ts';

/**
 * Re-authenticates a signed-in user, for this session only: by a code if two-factor authentication is
 * enabled, otherwise by the password.
 * Errors: `invalid_request` if the password is missing; see also `withReauthentication`.
 */
export async function reauthenticate(
  service: Service,
  options: SessionContext & { credentials: UserCredentials },
): Promise<UserSession> {
  const { user, session, credentials, now } = options;
  const requirePassword = (totpEncrypted: string | null) => {
    if (totpEncrypted === null && credentials.password === undefined)
      throw invalidInputError('/password', 'is required while two-factor authentication is disabled');
  };
  requirePassword(user.totpEncrypted);
  return withReauthentication(service, options, ({ tx }, current) => {
    requirePassword(current.totpEncrypted);
    return tx.userSession.update({ where: { id: session.id }, data: { reauthenticatedAt: now } });
  });
}

/** A signed-in user who changes their own account, and the session of the request. */
export type SessionContext = { user: MerchantUser; session: UserSession; ipAddress: string; now: Date };

/** The password and the code that confirm an operation for which a stolen session must not suffice. */
export type UserCredentials = { password?: string; code?: string | null | undefined };

/**
 * Runs `work` after verifying `credentials`: the password if given, and a code if two-factor authentication
 * is enabled. The attempt is recorded before the check. The code is consumed in the transaction of `work`,
 * which receives the locked current row of the user. Credentials are rejected if the password was changed or
 * the session ended after the request was authenticated.
 * Errors: `rate_limited`, `permission_denied` for a wrong password, `two_factor_code_required`,
 * `verification_code_invalid`, `unauthenticated`.
 */
export async function withReauthentication<T>(
  service: Service,
  options: SessionContext & { credentials: UserCredentials },
  work: (uow: UnitOfWork<Service>, user: MerchantUser) => Promise<T>,
): Promise<T> {
  const { user, session, credentials, ipAddress, now } = options;
  const { code, password } = credentials;
  if (!code) requireCode(user);
  const attemptId = await recordAttempt(service, {
    kind: 'reauthentication',
    account: session.id,
    ipAddress,
    now,
  });
  if (password !== undefined && !(await verify(user.passwordHash, password))) throw incorrectPasswordError();
  const result = await transact(service, async (uow) => {
    const current = await lockSessionUser(uow.tx, options);
    if (password !== undefined && !isSameText(current.passwordHash, user.passwordHash))
      throw incorrectPasswordError();
    if (!code) requireCode(current);
    const isVerified =
      current.totpEncrypted === null ||
      (await consumeCode(uow, { userId: user.id, code: code ?? '', ipAddress, now }));
    if (!isVerified) throw incorrectCodeError();
    return work(uow, current);
  });
  await markAttemptsSuccessful(service, attemptId);
  return result;
}

function requireCode({ totpEncrypted }: MerchantUser): void {
  if (totpEncrypted !== null)
    throw new DomainError('two_factor_code_required', 'Enter the code from your authenticator app');
}

export function twoFactorDisabledError(): DomainError {
  return new DomainError('two_factor_not_enabled', 'Two-factor authentication is not enabled');
}

function incorrectPasswordError(): DomainError {
  return new DomainError('permission_denied', 'The password is incorrect');
}
