import type { Charge } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';

/**
 * Throws `statement_undo_in_progress` if a statement that reported money of the charge is being undone. No undo
 * of such a statement can start until the end of the transaction. The caller must hold the lock of the charge.
 */
export async function requireNoUndo(tx: Tx, charge: Pick<Charge, 'id'>): Promise<void> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT transfer.statement_id AS id FROM allocation JOIN transfer ON transfer.id = allocation.transfer_id
    WHERE allocation.charge_id = ${charge.id} AND transfer.statement_id IS NOT NULL AND transfer.undone_at IS NULL`;
  await requireStatementsNotUndoing(
    tx,
    rows.map(({ id }) => id),
  );
}

/** Like `requireNoUndo`, for the statements with these IDs. */
export async function requireStatementsNotUndoing(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const statements = await tx.$queryRaw<{ id: string; status: string }[]>`
    SELECT id, status::text AS status FROM statement WHERE id = ANY(${ids}) ORDER BY id FOR SHARE`;
  const undoing = statements.find(({ status }) => status === 'undoing');
  if (!undoing) return;
  throw new DomainError(
    'statement_undo_in_progress',
    `The statement ${undoing.id}, which reported this money, is being undone; try again later`,
  );
}
