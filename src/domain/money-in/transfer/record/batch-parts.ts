import type { Transfer } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { Tx } from '../../../../kit/db.ts';
import type { BankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import { transitionTransfer } from '../../../payments/allocation/transition-transfer.ts';
import { inferBankFee } from '../bank-fee.ts';
import type { LockedContext } from './draft-transfer.ts';

/** The first part of a batch booking, and the fee that was deducted from its parts. */
type FirstPart = { id: string; fee: bigint };

/** A transfer that may book several payments. `isBatch` means that its file says so. */
type BatchBooking = { transfer: Transfer; isBatch: boolean };

/**
 * Returns the first part of each transfer that is a batch booking, and the fee that was deducted from the parts.
 * Banks book several payments as one line in one file, and list them individually in another. The bank reference of
 * the booking is the batch reference of its parts. The parts replace the booking only if their amounts add up to
 * its amount, or if the rule of the account explains the difference as the fee of the acquirer, who books the batch
 * net. In one file, only a batch that is booked net lists its parts beside the booking.
 */
export async function findFirstParts(
  tx: Tx,
  bookings: readonly BatchBooking[],
  account: BankAccount,
): Promise<ReadonlyMap<Transfer, FirstPart>> {
  const transfers = bookings.map(({ transfer }) => transfer);
  const rows = await tx.$queryRaw<{ at: bigint; sum: string; first: string; isOneFile: boolean }[]>`
    SELECT booking.at, sum(part.amount)::text AS sum, min(part.payment_id COLLATE "C") AS first,
      bool_or(part.is_in_same_file) AS "isOneFile"
    FROM unnest(${transfers.map(({ bankReference }) => bankReference)}::text[], ${transfers.map(({ currency }) => currency)}::text[],
      ${transfers.map(({ statementId }) => statementId)}::text[], ${transfers.map(({ fileKind }) => fileKind)}::text[],
      ${bookings.map(({ isBatch }) => isBatch)}::boolean[])
      WITH ORDINALITY AS booking (reference, currency, statement, kind, is_batch, at)
    JOIN LATERAL (
      -- A part that several sources reported is one part.
      SELECT coalesce(duplicate_of_id, id) AS payment_id, amount,
        bool_or(statement_id = booking.statement AND file_kind = booking.kind) AS is_in_same_file FROM transfer
      WHERE receiving_account_id = ANY(${account.sharedIds}) AND batch_reference = booking.reference AND direction = 'credit'
        AND currency = booking.currency AND undone_at IS NULL
        -- In an archive, a notification may list the parts of a booking in the statement.
        AND (booking.is_batch OR statement_id <> booking.statement OR file_kind <> booking.kind)
      GROUP BY 1, 2
    ) AS part ON true
    GROUP BY booking.at ORDER BY booking.at`;
  return new Map(
    rows.flatMap(({ at, sum, first, isOneFile }): [Transfer, FirstPart][] => {
      const transfer = transfers[Number(at) - 1]!;
      const fee = inferBankFee(account, { requested: BigInt(sum), received: transfer.amount });
      const isSum = transfer.amount + fee === BigInt(sum) && !(isOneFile && fee === 0n);
      return isSum ? [[transfer, { id: first, fee }]] : [];
    }),
  );
}

/**
 * Returns the IDs of the bookings that the parts may replace: unmatched ones, and duplicates of any of their parts. The
 * amount of a batch booking differs from those of its parts.
 */
export function findBatchBookings(
  tx: Tx,
  parts: readonly Transfer[],
  { sharedIds }: Pick<BankAccount, 'sharedIds'>,
): Promise<{ id: string }[]> {
  const references = collectBatchReferences(parts);
  return tx.$queryRaw`
    SELECT booking.id FROM transfer booking LEFT JOIN transfer original ON original.id = booking.duplicate_of_id
    WHERE booking.receiving_account_id = ANY(${sharedIds}) AND booking.source = 'statement'
      AND booking.bank_reference = ANY(${references}) AND booking.direction = 'credit' AND booking.undone_at IS NULL
      AND booking.allocated = 0
      AND (booking.status = 'exception' OR (booking.status = 'duplicate' AND booking.amount <> original.amount))`;
}

/** Returns the bank references of the bookings that the transfers are parts of. */
export function collectBatchReferences(parts: readonly Transfer[]): string[] {
  return [...new Set(parts.flatMap(({ batchReference }) => batchReference ?? []))];
}

/**
 * Marks unmatched batch bookings as duplicates once all their parts are recorded, and updates the fee of a
 * booking when more of its parts are reported, or some are undone.
 */
export async function settleBatchBookings(
  uow: UnitOfWork,
  parts: readonly Transfer[],
  { account, actor, now }: Pick<LockedContext, 'account' | 'actor' | 'now'>,
): Promise<void> {
  const { tx } = uow;
  const references = collectBatchReferences(parts);
  if (references.length === 0) return;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM transfer WHERE receiving_account_id = ANY(${account.sharedIds}) AND source = 'statement'
      AND bank_reference = ANY(${references}) AND direction = 'credit' AND allocated = 0 AND undone_at IS NULL
      AND (status = 'exception' OR (status = 'duplicate' AND fee_amount > 0))
    ORDER BY id FOR UPDATE`;
  if (rows.length === 0) return;
  const bookings = await tx.transfer.findMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
  });
  const firstParts = await findFirstParts(
    tx,
    bookings.map((transfer) => ({
      transfer,
      isBatch: transfer.reason === 'batch' || transfer.feeAmount > 0n,
    })),
    account,
  );
  for (const [booking, part] of firstParts) {
    if (booking.status === 'duplicate' && booking.feeAmount === part.fee) continue;
    const change = { to: 'duplicate', duplicateOfId: part.id, feeAmount: part.fee } as const;
    await transitionTransfer(uow, booking, { ...change, allocations: [], actor, now });
  }
}
