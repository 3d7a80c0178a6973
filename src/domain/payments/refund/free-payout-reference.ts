import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Owner } from '../../../kit/owner.ts';
import { newNonce } from '../../../method/nonce.ts';

const triesMax = 20;

/** A word that no refund of the merchant carries or has carried. The database refuses two that take one at once. */
export async function freePayoutReference(tx: Tx, { merchantId, mode }: Owner): Promise<string> {
  for (let tries = 0; tries < triesMax; tries++) {
    const word = newNonce();
    const [taken] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM refund WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND payout_reference = ${word}
      UNION ALL SELECT id FROM refund WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode
        AND past_references && ARRAY[${word}] AND past_references <> '{}' LIMIT 1`;
    if (!taken) return word;
  }
  throw noFreeReference();
}

export function noFreeReference(): DomainError {
  return new DomainError('unavailable', 'No payment reference is available for the refund; try again');
}
