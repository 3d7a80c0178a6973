import type { Certificate } from '../../prisma/client/client.ts';
import type { Tx } from '../kit/db.ts';
import type { Owner } from '../kit/owner.ts';

/**
 * Finds the certificates that sign the callbacks of these merchants: of each merchant and mode the one that began to
 * sign last and is not revoked. None signs for the other mode, so a sandbox callback cannot pass for a live one.
 */
export async function signingCertificates(
  tx: Tx,
  merchantIds: readonly string[],
  now: Date,
): Promise<(owner: Owner) => Certificate | undefined> {
  if (merchantIds.length === 0) return () => undefined;
  const certificates = await tx.certificate.findMany({
    where: { merchantId: { in: [...merchantIds] }, revokedAt: null, signsFrom: { lte: now } },
    orderBy: [{ signsFrom: 'asc' }, { id: 'asc' }],
  });
  const keyOf = ({ merchantId, mode }: Owner) => `${mode} ${merchantId}`;
  const signing = new Map(certificates.map((certificate) => [keyOf(certificate), certificate]));
  return (owner) => signing.get(keyOf(owner));
}
