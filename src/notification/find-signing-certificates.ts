import type { Certificate } from '../../prisma/client/client.ts';
import type { Tx } from '../kit/db.ts';
import type { MerchantScope } from '../kit/merchant-scope.ts';

/**
 * Finds the certificates that sign callbacks: for each merchant and mode, the unrevoked one that became
 * active last. Modes have separate certificates, so that a sandbox callback cannot be mistaken for a live
 * one.
 */
export async function findSigningCertificates(
  tx: Tx,
  merchantIds: readonly string[],
  now: Date,
): Promise<(scope: MerchantScope) => Certificate | undefined> {
  if (merchantIds.length === 0) return () => undefined;
  const certificates = await tx.certificate.findMany({
    where: { merchantId: { in: [...merchantIds] }, revokedAt: null, signsFrom: { lte: now } },
    orderBy: [{ signsFrom: 'asc' }, { id: 'asc' }],
  });
  const toKey = ({ merchantId, mode }: MerchantScope) => `${mode} ${merchantId}`;
  const certificatesByKey = new Map(certificates.map((certificate) => [toKey(certificate), certificate]));
  return (scope) => certificatesByKey.get(toKey(scope));
}
