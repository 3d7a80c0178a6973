import type { Certificate } from '../../../../prisma/client/client.ts';

/**
 * - `upcoming`: will sign from a later time.
 * - `signing`: signs now.
 * - `verifying`: no longer signs, but still verifies earlier signatures.
 * - `revoked`: must not be trusted.
 */
type CertificateStatus = 'upcoming' | 'signing' | 'verifying' | 'revoked';

/** Returns the status of a certificate; `siblings` are all certificates of its merchant and mode. */
export function getCertificateStatus(
  certificate: Certificate,
  siblings: readonly Certificate[],
  now: Date,
): CertificateStatus {
  if (certificate.revokedAt) return 'revoked';
  if (certificate.signsFrom > now) return 'upcoming';
  return findSigningCertificate(siblings, now)?.id === certificate.id ? 'signing' : 'verifying';
}

/**
 * Returns the signing certificate: the unrevoked one with the latest start that is not in the future. Must
 * choose the same certificate as `findSigningCertificates`, whose result signs callbacks.
 */
export function findSigningCertificate(
  certificates: readonly Certificate[],
  now: Date,
): Certificate | undefined {
  return certificates
    .filter(({ revokedAt, signsFrom }) => revokedAt === null && signsFrom <= now)
    .toSorted((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime() || (a.id < b.id ? -1 : 1))
    .at(-1);
}
