import { verify } from '@node-rs/argon2';
import type { MerchantUser, UserSession } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { DomainError } from '../../../kit/errors.ts';
import { sameText } from '../../../kit/secrets.ts';
import type { Service } from '../../platform/service.ts';
import { lockSelf } from './lock-self.ts';
import { closeTry, openTry } from './open-try.ts';
import { codeRefused, takeCode } from './take-code.ts';

/** A signed-in user who does something to their own account, from one of their sessions. */
export type Self = { user: MerchantUser; session: UserSession; address: string; now: Date };

/** What somebody gives again to do something that a stolen session alone must not do. */
export type Proof = { password?: string; code?: string | null | undefined };

/**
 * Does `work` once a signed-in user has given what `proof` holds: the password, and the second factor's code where it
 * is on. The try is counted before it is looked at; the code is taken in the transaction of the work, which is given the
 * user as they are by then, locked: a password or session that ended meanwhile proves nothing any more.
 * Errors: `rate_limited`, `permission_denied` for a wrong password, `second_factor_required`,
 * `verification_code_invalid`, `unauthenticated`.
 */
export async function withProof<T>(
  service: Service,
  options: Self & { proof: Proof },
  work: (uow: UnitOfWork<Service>, user: MerchantUser) => Promise<T>,
): Promise<T> {
  const { user, session, proof, address, now } = options;
  const { code, password } = proof;
  if (!code) refuseWithoutCode(user);
  const tryId = await openTry(service, { kind: 'proof', account: session.id, address, now });
  if (password !== undefined && !(await verify(user.passwordHash, password))) throw passwordRefused();
  const result = await transact(service, async (uow) => {
    const present = await lockSelf(uow.tx, options);
    if (password !== undefined && !sameText(present.passwordHash, user.passwordHash)) throw passwordRefused();
    if (!code) refuseWithoutCode(present);
    const isProved =
      present.totpEncrypted === null ||
      (await takeCode(uow, { userId: user.id, code: code ?? '', address, now }));
    if (!isProved) throw codeRefused();
    return work(uow, present);
  });
  await closeTry(service, tryId);
  return result;
}

function refuseWithoutCode({ totpEncrypted }: MerchantUser): void {
  if (totpEncrypted !== null)
    throw new DomainError('second_factor_required', 'Enter the code from your authenticator app');
}

export function secondFactorOff(): DomainError {
  return new DomainError('second_factor_off', 'Two-factor authentication is not enabled');
}

function passwordRefused(): DomainError {
  return new DomainError('permission_denied', 'The password is incorrect');
}
