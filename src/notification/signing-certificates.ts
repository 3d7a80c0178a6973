import type { Certificate } from '../../prisma/client/client.ts';
import type { Tx } from '../kit/db.ts';

/**
 * The certificates that sign the callbacks of these merchants, by merchant: of each the one that began to sign last and
 * is not revoked.
 */
export async function signingCertificates(
  tx: Tx,
  merchantIds: readonly string[],
  now: Date,
): Promise<Map<string, Certificate>> {
  const certificates = await tx.certificate.findMany({
    where: { merchantId: { in: [...merchantIds] }, revokedAt: null, signsFrom: { lte: now } },
    orderBy: [{ signsFrom: 'asc' }, { id: 'asc' }],
  });
  return new Map(certificates.map((certificate) => [certificate.merchantId, certificate]));
}
