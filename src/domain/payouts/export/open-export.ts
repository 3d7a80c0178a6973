import type { Export } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { type RequestContext, requirePermission } from '../../accounts/api-key/permissions.ts';
import { requireRecentTwoFactor } from '../../accounts/user/require-recent-two-factor.ts';
import { type AuditInput, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { getExportPermission } from './export-request.ts';
import { unpackChunk } from './pack-chunk.ts';

/**
 * Returns a finished export, and its bytes, which are read chunk by chunk. Downloads of bank details are
 * recorded in the audit trail. Throws `export_not_found` (also if the export is not finished or has
 * expired), `permission_denied` or `two_factor_code_required`.
 */
export async function openExport(
  service: Db & { secrets: Secrets },
  options: RequestContext & { id: string },
): Promise<{ row: Export; bytes: AsyncGenerator<Buffer> }> {
  const { caller, ipAddress, id, now } = options;
  requirePermission(caller, 'read');
  const scope = { merchantId: caller.merchant.id, mode: caller.mode };
  const row = await service.prisma.export.findFirst({
    where: { id, ...scope, status: 'completed', expiresAt: { gt: now } },
  });
  if (!row) throw exportNotFoundError(id);
  requirePermission(caller, getExportPermission(row.kind));
  if (row.kind === 'payouts') requireRecentTwoFactor(caller, { rule: 'live', now });
  if (row.kind === 'payouts') {
    const entry = { ...scope, actor: caller.actor, ipAddress, objectId: id, now };
    await transact(service, (uow) => recordDownload(uow, { ...entry, action: 'export.downloaded' }));
  }
  return { row, bytes: readChunks(service, row) };
}

/**
 * Records the download before the first byte is sent. Throws `export_not_found` if the file is being deleted,
 * because the audit entry must keep the refunds of the file marked as exported.
 */
async function recordDownload(uow: UnitOfWork, entry: AuditInput & { objectId: string }): Promise<void> {
  const { objectId: id } = entry;
  const lockedRows = await uow.tx.$queryRaw<unknown[]>`SELECT 1 FROM export WHERE id = ${id} FOR SHARE`;
  if (lockedRows.length === 0) throw exportNotFoundError(id);
  await recordAudit(uow, entry);
}

function exportNotFoundError(id: string): DomainError {
  return new DomainError('export_not_found', `Export file not found: ${id}`);
}

async function* readChunks(
  { prisma, secrets }: Db & { secrets: Secrets },
  row: Export,
): AsyncGenerator<Buffer> {
  for (let position = 0; position < row.chunkCount; position++) {
    const chunk = await prisma.exportChunk.findUniqueOrThrow({
      where: { exportId_position: { exportId: row.id, position } },
    });
    yield await unpackChunk(secrets, chunk);
  }
}

/**
 * Returns the URL of a finished file, which requires credentials. Returns null if the file is not finished or
 * has expired.
 */
export function getExportUrl(
  { settings }: { settings: Pick<Service['settings'], 'publicUrl'> },
  row: Pick<Export, 'id' | 'mode' | 'status' | 'expiresAt'>,
  now: Date,
): string | null {
  if (row.status !== 'completed' || row.expiresAt <= now) return null;
  // The dashboard's browser session determines the mode from the URL.
  return `${settings.publicUrl}/exports/${row.id}/file${row.mode === 'sandbox' ? '?mode=sandbox' : ''}`;
}
