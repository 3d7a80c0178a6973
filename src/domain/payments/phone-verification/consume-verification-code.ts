import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { sha256 } from '../../../kit/secrets.ts';
import type { Sql } from '../../../kit/sql.ts';
import { transitionPhoneVerification } from './transition-phone-verification.ts';

/** The phone verification to which a `verificationCode` belongs. */
export type VerifiedPhone = { id: bigint; phone: string };

/**
 * Finds the verification of a `verificationCode`. Does not check whether the code can still be used, because
 * an idempotent retry must reach the charge's transaction, which consumes the code. Throws
 * `verification_code_invalid`.
 */
export async function getVerifiedPhone(
  db: Db,
  options: MerchantScope & { verificationCode: string },
): Promise<VerifiedPhone> {
  const { merchantId, mode, verificationCode } = options;
  const tokenHash = sha256(verificationCode);
  const verification = await db.prisma.phoneVerification.findFirst({
    where: { tokenHash, merchantId, mode },
    select: { id: true, phone: true },
  });
  if (!verification) throw invalidCodeError();
  return verification;
}

/**
 * Consumes a `verificationCode` in the charge's transaction: only one of two concurrent charges succeeds, and
 * a rollback leaves the code unused. Throws `verification_code_invalid`.
 */
export async function consumeVerificationCode(
  tx: Sql,
  options: { id: bigint; chargeId: string; now: Date },
): Promise<void> {
  const { id, chargeId, now } = options;
  const transition = { id, from: 'verified', to: 'used', columns: { chargeId }, now } as const;
  if (!(await transitionPhoneVerification(tx, transition))) throw invalidCodeError();
}

function invalidCodeError(): DomainError {
  return new DomainError(
    'verification_code_invalid',
    'The verificationCode is invalid, already used or expired',
  );
}
