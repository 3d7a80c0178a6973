import type { Upload } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

/**
 * Returns the imported file of a statement. Error: `statement_not_found`, also if the file is no longer
 * stored.
 */
export async function getStatementFile(db: Db, where: ScopedId): Promise<Upload> {
  const statement = await db.prisma.statement.findFirst({ where, include: { upload: true } });
  if (!statement?.upload) {
    throw new DomainError('statement_not_found', `Statement file not found: ${where.id}`);
  }
  return statement.upload;
}
