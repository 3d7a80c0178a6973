import type { Sql } from '../../../kit/sql.ts';
import { newPaymentReference } from '../../../method/payment-reference.ts';

/**
 * The number of attempts that draw references without checking them, because few references of most accounts
 * are used.
 */
const uncheckedAttempts = 3;
const candidatesPerCharge = 300;

/**
 * Returns a payment reference for each of the account IDs. After `uncheckedAttempts`, most references of an account are
 * probably in use, so it draws many and returns a free one if there is any.
 */
export async function drawReferences(
  tx: Sql,
  accountIds: readonly string[],
  { attempt, usedSince }: { attempt: number; usedSince: Date },
): Promise<string[]> {
  const references = accountIds.map(newPaymentReference);
  if (attempt < uncheckedAttempts) return references;
  const candidates = accountIds.flatMap((accountId, at) =>
    Array.from({ length: candidatesPerCharge }, () => ({
      at,
      account: accountId,
      reference: newPaymentReference(),
    })),
  );
  const rows = await tx.$queryRawUnsafe<{ at: number; reference: string }[]>(
    findFreeSql,
    JSON.stringify(candidates),
    usedSince.toISOString(),
  );
  const freeReferences = new Map(rows.map(({ at, reference }) => [at, reference]));
  return references.map((reference, at) => freeReferences.get(at) ?? reference);
}

const findFreeSql = `
  SELECT DISTINCT ON (candidate.at) candidate.at, candidate.reference
  FROM json_to_recordset($1::json) AS candidate (at int, account text, reference text)
  WHERE (
    SELECT 1 FROM charge used
    WHERE used.receiving_account_id = candidate.account AND used.payment_reference = candidate.reference
      AND (used.created_at > $2::timestamptz OR used.status = 'pending') LIMIT 1) IS NULL
  ORDER BY candidate.at`;
