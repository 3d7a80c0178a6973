import type { Export } from '../../../prisma/client/client.ts';
import { type Db, transact } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Secrets } from '../../kit/secrets.ts';
import { type Acting, requirePermission } from '../api-key/permissions.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { permissionFor } from './export-request.ts';
import { unpackChunk } from './pack-chunk.ts';

/**
 * A finished file and its bytes, read chunk by chunk. That somebody took bank details stands in the audit trail. Errors:
 * `export_not_found` also while it is being made and once it has expired, `permission_denied`.
 */
export async function openExport(
  service: Db & { secrets: Secrets },
  options: Acting & { id: string },
): Promise<{ row: Export; bytes: AsyncGenerator<Buffer> }> {
  const { caller, address, id, now } = options;
  requirePermission(caller, 'read');
  const owner = { merchantId: caller.merchant.id, mode: caller.mode };
  const row = await service.prisma.export.findFirst({
    where: { id, ...owner, status: 'done', expiresAt: { gt: now } },
  });
  if (!row) throw new DomainError('export_not_found', `There is no file of an export ${id}`);
  requirePermission(caller, permissionFor(row.kind));
  if (row.kind === 'payouts') {
    const entry = { ...owner, actor: caller.actor, address, objectId: id, now };
    await transact(service, (tx) => recordAudit(tx, { ...entry, action: 'export.downloaded' }));
  }
  return { row, bytes: readChunks(service, row) };
}

async function* readChunks(
  { prisma, secrets }: Db & { secrets: Secrets },
  row: Export,
): AsyncGenerator<Buffer> {
  for (let position = 0; position < row.chunkCount; position++) {
    const { bytesSealed } = await prisma.exportChunk.findUniqueOrThrow({
      where: { exportId_position: { exportId: row.id, position } },
    });
    yield unpackChunk(secrets, bytesSealed);
  }
}
