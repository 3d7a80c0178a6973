import type { Certificate } from '../../prisma/client/client.ts';
import type { Tx } from '../kit/db.ts';

/** The certificates that sign the callbacks of these merchants, by merchant: the newest of each that is not revoked. */
export async function signingCertificates(
  tx: Tx,
  merchantIds: readonly string[],
): Promise<Map<string, Certificate>> {
  const certificates = await tx.certificate.findMany({
    where: { merchantId: { in: [...merchantIds] }, revokedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return new Map(certificates.map((certificate) => [certificate.merchantId, certificate]));
}
