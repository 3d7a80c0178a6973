import type { PhoneVerificationStatus } from '../../../../prisma/client/client.ts';
import type { Sql } from '../../../kit/sql.ts';
import { phoneVerificationTransitions } from './phone-verification-state.ts';

type PhoneVerificationTransition = {
  id: bigint;
  from: PhoneVerificationStatus;
  to: PhoneVerificationStatus;
  set?: { tokenHash?: string; chargeId?: string; expiresAt?: Date };
};

/**
 * Changes the status of a phone verification. No other code writes the status. Compares and sets on the
 * status that the caller read. Returns false if the status has changed or the verification has expired.
 */
export async function transitionPhoneVerification(
  tx: Sql,
  { id, from, to, set = {}, now }: PhoneVerificationTransition & { now: Date },
): Promise<boolean> {
  if (!phoneVerificationTransitions[from].includes(to))
    throw new Error(`invalid phone verification transition: ${from} → ${to}`);
  const count = await tx.$executeRawUnsafe(
    `UPDATE phone_verification SET status = $3::phone_verification_status, token_hash = coalesce($5, token_hash),
        charge_id = coalesce($6, charge_id), expires_at = coalesce($7::timestamptz, expires_at)
      WHERE id = $1::bigint AND status = $2::phone_verification_status
        AND ($3::phone_verification_status = 'voided' OR expires_at > $4::timestamptz)`,
    ...[String(id), from, to, now.toISOString()],
    ...[set.tokenHash ?? null, set.chargeId ?? null, set.expiresAt?.toISOString() ?? null],
  );
  return count === 1;
}
