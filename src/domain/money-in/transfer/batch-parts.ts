import type { ReceivingAccount, Transfer } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { transitionTransfer } from '../../payments/allocation/transition-transfer.ts';
import type { RecordContext } from './draft-transfer.ts';

/**
 * Returns, for each transfer that is a batch booking, the ID of the first of its parts, and undefined for all
 * others. Banks book several payments as one line in one file, and list them individually in another. The
 * bank reference of the booking is the batch reference of its parts. The parts replace the booking only if
 * their amounts add up to its amount.
 */
export async function findFirstParts(
  tx: Tx,
  transfers: readonly Transfer[],
  account: ReceivingAccount,
): Promise<(string | undefined)[]> {
  const rows = await tx.$queryRaw<{ at: bigint; sum: string; first: string }[]>`
    SELECT booking.at, sum(part.amount)::text AS sum, min(part.money COLLATE "C") AS first
    FROM unnest(${transfers.map((one) => one.bankReference)}::text[], ${transfers.map((one) => one.currency)}::text[],
      ${transfers.map((one) => one.statementId)}::text[]) WITH ORDINALITY AS booking (reference, currency, statement, at)
    JOIN LATERAL (
      -- A part that several sources reported is one part.
      SELECT DISTINCT coalesce(duplicate_of_id, id) AS money, amount FROM transfer
      WHERE receiving_account_id = ${account.id} AND batch_reference = booking.reference AND direction = 'credit'
        AND currency = booking.currency AND statement_id <> booking.statement AND undone_at IS NULL
    ) AS part ON true
    GROUP BY booking.at`;
  const parts = new Map(rows.map((row) => [Number(row.at), row]));
  return transfers.map(({ amount }, i) => {
    const { sum, first } = parts.get(i + 1) ?? {};
    return sum !== undefined && BigInt(sum) === amount ? first : undefined;
  });
}

/** Marks unmatched batch bookings as duplicates once all their parts are recorded. */
export async function settleBatchBookings(
  uow: UnitOfWork,
  parts: readonly Transfer[],
  { account, actor, now }: RecordContext,
): Promise<void> {
  const { tx } = uow;
  const references = [...new Set(parts.flatMap(({ batchReference }) => batchReference ?? []))];
  if (references.length === 0) return;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM transfer WHERE receiving_account_id = ${account.id} AND source = 'statement'
      AND bank_reference = ANY(${references}) AND direction = 'credit' AND status = 'exception' AND allocated = 0
      AND undone_at IS NULL
    ORDER BY id FOR UPDATE`;
  if (rows.length === 0) return;
  const bookings = await tx.transfer.findMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
  });
  const firstParts = await findFirstParts(tx, bookings, account);
  for (const [i, booking] of bookings.entries()) {
    const duplicateOfId = firstParts[i];
    if (duplicateOfId)
      await transitionTransfer(uow, booking, { to: 'duplicate', duplicateOfId, allocations: [], actor, now });
  }
}
