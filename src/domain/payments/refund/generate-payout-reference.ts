import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { newPaymentReference } from '../../../method/payment-reference.ts';

const referenceAttemptsMax = 20;

/**
 * Returns a payout reference that no refund of the merchant and mode has or has had. If a concurrent
 * transaction uses the reference, a unique index rejects the refund. Throws `unavailable` if it finds none.
 */
export async function generatePayoutReference(tx: Tx, { merchantId, mode }: MerchantScope): Promise<string> {
  for (let attempt = 0; attempt < referenceAttemptsMax; attempt++) {
    const reference = newPaymentReference();
    const [existing] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM refund WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND payout_reference = ${reference}
      UNION ALL SELECT id FROM refund WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode
        AND previous_payout_references && ARRAY[${reference}] AND previous_payout_references <> '{}' LIMIT 1`;
    if (!existing) return reference;
  }
  throw noAvailableReferenceError();
}

export function noAvailableReferenceError(): DomainError {
  return new DomainError('unavailable', 'No payment reference is available for the refund; try again');
}
