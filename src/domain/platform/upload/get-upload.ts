import type { Upload } from '../../../../prisma/client/client.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

/**
 * Returns a completely stored file of the merchant. Error: `upload_not_found`, also if the file has expired.
 */
export async function getUpload(
  db: Pick<Db, 'prisma'> | { prisma: Tx },
  { id, now, ...scope }: ScopedId & { now: Date },
): Promise<Upload> {
  const upload = await db.prisma.upload.findFirst({
    where: { id, ...scope, size: { not: null }, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
  });
  if (!upload) throw new DomainError('upload_not_found', `Upload not found or expired: ${id}`);
  return upload;
}
