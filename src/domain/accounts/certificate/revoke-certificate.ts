import type { Certificate } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { type RequestContext, requirePermission } from '../api-key/permissions.ts';
import { findSigningCertificate } from './certificate-state.ts';

/**
 * Revokes a certificate of the caller's mode permanently. If it was signing callbacks, the previous
 * certificate signs them again. The only signing certificate of a mode cannot be revoked, because callbacks
 * could not be sent without one.
 * Errors: `permission_denied`, `certificate_not_found`, `certificate_signing`.
 */
export async function revokeCertificate(
  db: Db,
  options: RequestContext & { id: string },
): Promise<Certificate> {
  const { caller, id, ipAddress, now } = options;
  requirePermission(caller, 'manage');
  const { actor, mode } = caller;
  const scope = { merchantId: caller.merchant.id, mode };
  return transact(db, async (uow) => {
    const { tx } = uow;
    // Serializes concurrent revocations, which could otherwise leave no signing certificate.
    await tx.$queryRaw`SELECT 1 FROM certificate
      WHERE merchant_id = ${scope.merchantId} AND mode = ${mode}::mode ORDER BY id FOR UPDATE`;
    const certificates = await tx.certificate.findMany({ where: scope });
    const certificate = certificates.find((candidate) => candidate.id === id);
    if (!certificate) throw new DomainError('certificate_not_found', `Certificate not found: ${id}`);
    if (certificate.revokedAt) return certificate;
    const others = certificates.filter((candidate) => candidate.id !== id);
    const isOnlySigner =
      findSigningCertificate(certificates, now)?.id === id && !findSigningCertificate(others, now);
    if (isOnlySigner)
      throw new DomainError(
        'certificate_signing',
        'Create another certificate and wait until it is active before you revoke this one',
      );
    const entry = { ...scope, actor, ipAddress, objectId: id, now };
    await recordAudit(uow, { ...entry, action: 'certificate.revoked' });
    return tx.certificate.update({ where: { id }, data: { revokedAt: now } });
  });
}
