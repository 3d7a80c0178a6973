import type { Certificate } from '../../prisma/client/client.ts';
import type { Tx } from '../kit/db.ts';
import type { MerchantScope } from '../kit/merchant-scope.ts';

/**
 * Finds the certificates that sign the callbacks of these merchants: of each merchant and mode the one that began to
 * sign last and is not revoked. None signs for the other mode, so a sandbox callback cannot pass for a live one.
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
