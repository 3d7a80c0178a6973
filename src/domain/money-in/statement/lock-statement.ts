import type { Statement } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

/** Locks a statement until the end of the transaction and returns it. Throws `statement_not_found`. */
export async function lockStatement(tx: Tx, { merchantId, mode, id }: ScopedId): Promise<Statement> {
  await tx.$queryRaw`SELECT 1 FROM statement
    WHERE id = ${id} AND merchant_id = ${merchantId} AND mode = ${mode}::mode FOR NO KEY UPDATE`;
  const statement = await tx.statement.findFirst({ where: { id, merchantId, mode } });
  if (!statement) throw new DomainError('statement_not_found', `Statement not found: ${id}`);
  return statement;
}
