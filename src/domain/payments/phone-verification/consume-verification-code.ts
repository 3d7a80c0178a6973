import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { sha256 } from '../../../kit/secrets.ts';
import type { Sql } from '../../../kit/sql.ts';
import { transitionPhoneVerification } from './transition-phone-verification.ts';

/** A verificationCode as its charge is made with it: which verification it stands for, and whose phone was verified. */
export type VerifiedPhone = { id: bigint; phone: string };

/**
 * The phone that a verificationCode stands for. Whether it can still be used is found out by using it, in the
 * transaction of the charge: a repeat under an idempotency key must get that far. Error: `verification_code_invalid`.
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
  if (!verification) throw invalidCode();
  return verification;
}

/**
 * Uses a verificationCode up for a charge, in the charge's transaction: of two charges at once one gets it, and a charge
 * that is refused leaves it as it is. Error: `verification_code_invalid`.
 */
export async function consumeVerificationCode(
  tx: Sql,
  options: { id: bigint; chargeId: string; now: Date },
): Promise<void> {
  const { id, chargeId, now } = options;
  const transition = { id, from: 'verified', to: 'used', set: { chargeId }, now } as const;
  if (!(await transitionPhoneVerification(tx, transition))) throw invalidCode();
}

function invalidCode(): DomainError {
  return new DomainError(
    'verification_code_invalid',
    'The verificationCode is invalid, already used or expired',
  );
}
