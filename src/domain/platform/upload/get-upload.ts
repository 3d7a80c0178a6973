import type { Upload } from '../../../../prisma/client/client.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

/** A whole file of the merchant's that waits or is kept. Error: `upload_not_found`, also for one that has expired. */
export async function getUpload(
  db: Pick<Db, 'prisma'> | { prisma: Tx },
  { id, at, ...owner }: ScopedId & { at: Date },
): Promise<Upload> {
  const upload = await db.prisma.upload.findFirst({
    where: { id, ...owner, size: { not: null }, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] },
  });
  if (!upload) throw new DomainError('upload_not_found', `Upload not found or expired: ${id}`);
  return upload;
}
