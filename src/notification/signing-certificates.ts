import type { Certificate } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';

/** The certificate that signs the merchant's callbacks: the newest not revoked. Null when there is none. */
export async function signingCertificate(tx: Tx, merchantId: string): Promise<Certificate | null> {
  return (await signingCertificates(tx, [merchantId])).get(merchantId) ?? null;
}

/** The same for several merchants in one query, by their ids. */
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
