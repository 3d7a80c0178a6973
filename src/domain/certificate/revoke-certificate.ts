import type { Certificate } from '../../../prisma/client/client.ts';
import { type Db, transact } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Acting } from '../api-key/permissions.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { requireMerchantWide } from '../merchant/require-merchant-wide.ts';
import { signsAt } from './certificate-state.ts';

/**
 * Revokes a certificate for good: it signs no more, and the one before it signs again. The last that signs stays until
 * there is another, else callbacks could not be sent. It signs in both modes (`requireMerchantWide`). Errors:
 * `permission_denied`, `certificate_not_found`, `certificate_signing`.
 */
export async function revokeCertificate(db: Db, options: Acting & { id: string }): Promise<Certificate> {
  const { caller, id, address, now } = options;
  requireMerchantWide(caller, 'certificates');
  const { actor } = caller;
  const merchantId = caller.merchant.id;
  return transact(db, async (tx) => {
    // Two that are revoked at once must not leave none.
    await tx.$queryRaw`SELECT 1 FROM certificate WHERE merchant_id = ${merchantId} ORDER BY id FOR UPDATE`;
    const certificates = await tx.certificate.findMany({ where: { merchantId } });
    const certificate = certificates.find((one) => one.id === id);
    if (!certificate) throw new DomainError('certificate_not_found', `There is no certificate ${id}`);
    if (certificate.revokedAt) return certificate;
    const others = certificates.filter((one) => one.id !== id);
    const isLast = signsAt(certificates, now)?.id === id && !signsAt(others, now);
    if (isLast) throw new DomainError('certificate_signing', 'Make another that signs from now on first');
    const entry = { merchantId, actor, address, objectId: id, now };
    await recordAudit(tx, { ...entry, action: 'certificate.revoked' });
    return tx.certificate.update({ where: { id }, data: { revokedAt: now } });
  });
}
