import { Prisma, type Transfer } from '../../../../../prisma/client/client.ts';
import type { Db } from '../../../../kit/db.ts';
import { sharedIdsSql } from '../../../accounts/receiving-account/bank-account.ts';
import { duplicateWindowDays } from './match-duplicates.ts';

const candidatesMax = 5;

/**
 * Returns, for each transfer with the reason `possible_duplicate`, the earlier transfers that may be the same
 * payment: of the same bank account, direction, amount and currency, at most 4 days apart, and of another
 * statement or source. Those with the same text are first, then the nearest ones. `markTransferAsDuplicate`
 * accepts each of them.
 */
export async function findDuplicateCandidates(
  { prisma }: Db,
  transfers: readonly Transfer[],
): Promise<Map<string, Transfer[]>> {
  const ids = transfers.flatMap(({ id, reason }) => (reason === 'possible_duplicate' ? id : []));
  if (ids.length === 0) return new Map();
  const pairs = await prisma.$queryRaw<{ transferId: string; candidateId: string }[]>`
    SELECT item.id AS "transferId", candidate.id AS "candidateId" FROM transfer item CROSS JOIN LATERAL (
      SELECT other.id FROM transfer other
      WHERE other.receiving_account_id = ANY (ARRAY(${sharedIdsSql(Prisma.sql`item.receiving_account_id`)})) AND other.direction = item.direction
        AND other.amount = item.amount AND other.currency = item.currency
        AND other.paid_at BETWEEN item.paid_at - make_interval(days => ${duplicateWindowDays + 1}::int)
          AND item.paid_at + make_interval(days => ${duplicateWindowDays + 1}::int)
        AND other.id < item.id AND other.status <> 'duplicate' AND other.undone_at IS NULL
        AND (other.source <> item.source OR other.statement_id IS DISTINCT FROM item.statement_id)
        AND NOT EXISTS (
          SELECT 1 FROM transfer duplicate WHERE duplicate.duplicate_of_id = other.id AND duplicate.undone_at IS NULL
            AND duplicate.source = item.source AND duplicate.file_kind IS NOT DISTINCT FROM item.file_kind
            AND (item.bank_reference NOT LIKE 'line:%' OR duplicate.statement_id = item.statement_id))
      ORDER BY other.reference <> item.reference, abs(extract(epoch FROM other.paid_at - item.paid_at)), other.id
      LIMIT ${candidatesMax}) candidate
    WHERE item.id = ANY(${ids})`;
  const rows = await prisma.transfer.findMany({
    where: { id: { in: pairs.map(({ candidateId }) => candidateId) } },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    [...Map.groupBy(pairs, ({ transferId }) => transferId)].map(([id, candidates]) => [
      id,
      candidates.flatMap(({ candidateId }) => byId.get(candidateId) ?? []),
    ]),
  );
}
