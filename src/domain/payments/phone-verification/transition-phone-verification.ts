import type { PhoneVerificationStatus } from '../../../../prisma/client/client.ts';
import type { Sql } from '../../../kit/sql.ts';
import { phoneVerificationTransitions } from './phone-verification-state.ts';

type PhoneVerificationTransition = {
  id: bigint;
  from: PhoneVerificationStatus;
  to: PhoneVerificationStatus;
  columns?: { tokenHash?: string; chargeId?: string; expiresAt?: Date };
};

/**
 * Changes the status of a phone verification; no other code writes it. Returns false if the status has
 * changed since the caller read it, or the verification has expired, which only matters for `verified` and
 * `used`.
 */
export async function transitionPhoneVerification(
  tx: Sql,
  { id, from, to, columns = {}, now }: PhoneVerificationTransition & { now: Date },
): Promise<boolean> {
  if (!phoneVerificationTransitions[from].includes(to))
    throw new Error(`invalid phone verification transition: ${from} → ${to}`);
  const count = await tx.$executeRawUnsafe(
    `UPDATE phone_verification SET status = $3::phone_verification_status, token_hash = coalesce($5, token_hash),
        charge_id = coalesce($6, charge_id), expires_at = coalesce($7::timestamptz, expires_at)
      WHERE id = $1::bigint AND status = $2::phone_verification_status
        AND ($3::phone_verification_status = 'voided' OR expires_at > $4::timestamptz)`,
    ...[String(id), from, to, now.toISOString()],
    ...[columns.tokenHash ?? null, columns.chargeId ?? null, columns.expiresAt?.toISOString() ?? null],
  );
  return count === 1;
}
