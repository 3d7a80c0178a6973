import type { Certificate } from '../../../../prisma/client/client.ts';

/**
 * `upcoming`: signs from a later time on. `signing`: signs now. `verifying`: signs no more, and still verifies what it
 * signed. `revoked`: not to be trusted.
 */
export type CertificateStatus = 'upcoming' | 'signing' | 'verifying' | 'revoked';

/** The status of a certificate among all of its merchant and mode. */
export function getCertificateStatus(
  certificate: Certificate,
  siblings: readonly Certificate[],
  now: Date,
): CertificateStatus {
  if (certificate.revokedAt) return 'revoked';
  if (certificate.signsFrom > now) return 'upcoming';
  return findSigningCertificate(siblings, now)?.id === certificate.id ? 'signing' : 'verifying';
}

/** The one that signs: of those not revoked, the one that began last. As src/notification/signing-certificates.ts. */
export function findSigningCertificate(
  certificates: readonly Certificate[],
  now: Date,
): Certificate | undefined {
  return certificates
    .filter(({ revokedAt, signsFrom }) => revokedAt === null && signsFrom <= now)
    .toSorted((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime() || (a.id < b.id ? -1 : 1))
    .at(-1);
}
