import { createHash, createPublicKey } from 'node:crypto';
import type { Certificate } from '../../prisma/client/client.ts';
import { getCertificateStatus } from '../../src/domain/accounts/certificate/certificate-state.ts';
import { createCertificate } from '../../src/domain/accounts/certificate/create-certificate.ts';
import { revokeCertificate } from '../../src/domain/accounts/certificate/revoke-certificate.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { getMerchantScope, toRequestContext } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { successType } from '../kit/success-type.ts';
import { Mode } from './merchant.ts';

const CertificateStatus = builder.enumType('CertificateStatus', {
  description: 'Whether a certificate signs callbacks now, later or no longer.',
  values: {
    upcoming: {
      description:
        'The certificate will sign callbacks from `signsFrom`. Install its public key before then.',
    },
    signing: { description: 'The certificate currently signs callbacks.' },
    verifying: {
      description:
        'The certificate no longer signs callbacks, but still verifies the callbacks that it has signed.',
    },
    revoked: { description: 'The certificate was revoked and must not be trusted.' },
  },
});

/** Loads all certificates of the mode once per page, because the status of a certificate depends on the others. */
const loadCertificates = createLoader<Certificate[]>(async (context) => {
  const rows = await context.service.prisma.certificate.findMany({ where: getMerchantScope(context) });
  return Map.groupBy(rows, ({ merchantId }) => merchantId);
});

const CertificateType = builder.prismaNode('Certificate', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'A key pair of one mode. The private key signs the callbacks of that mode, and you verify them with the public key.',
  fields: (t) => ({
    status: t.field({
      type: CertificateStatus,
      description: 'Whether the certificate signs callbacks now, later or no longer.',
      resolve: async (certificate, _args, context) => {
        const certificates = (await loadCertificates(context, certificate.merchantId)) ?? [];
        return getCertificateStatus(certificate, certificates, context.clock.now());
      },
    }),
    mode: t.expose('mode', { type: Mode, description: 'The mode whose callbacks the certificate signs.' }),
    publicKey: t.exposeString('publicKey', { description: 'The public key in PEM format (SPKI).' }),
    fingerprint: t.string({
      description: 'The SHA-256 fingerprint of the public key (DER), in hexadecimal.',
      resolve: ({ publicKey }) => computeFingerprint(publicKey),
    }),
    signsFrom: t.expose('signsFrom', {
      type: 'DateTime',
      description: 'The time from which the certificate signs callbacks.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the certificate was revoked. Null if it has not been revoked.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the certificate was created.',
    }),
  }),
});

const CertificateConnection = createConnectionType(CertificateType, 'Certificate');

builder.queryFields((t) => ({
  certificate: t.prismaField({
    type: CertificateType,
    nullable: true,
    description: 'Returns the certificate with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the certificate, `cert_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.certificate.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
  certificates: t.prismaConnection(
    {
      type: CertificateType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your certificates in the mode of the request, newest first.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.certificate.findMany(
          toKeysetQuery(query, 'Certificate', getMerchantScope(context)),
        ),
      totalCount: (_root, _args, context) =>
        context.service.prisma.certificate.count({ where: getMerchantScope(context) }),
    },
    CertificateConnection,
  ),
}));

const CreateCertificateInput = builder.inputType('CreateCertificateInput', {
  description: 'The properties of a new certificate.',
  fields: (t) => ({
    signsFrom: t.field({
      type: 'DateTime',
      description:
        'The time from which the certificate signs callbacks, at most 90 days from now. Until then, the current certificate signs them. The default is now.',
    }),
  }),
});

const CreateCertificateSuccess = successType('CreateCertificateSuccess', {
  description:
    'The result of creating a certificate. Earlier certificates still verify the callbacks that they have signed.',
  fields: {
    certificate: { type: CertificateType, description: 'The created certificate, with its public key.' },
  },
});

builder.mutationField('createCertificate', (t) =>
  t.field({
    type: CreateCertificateSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'manage' },
    description:
      'Creates a certificate that signs the callbacks of the mode of the request. At most 10 certificates can be created per hour and mode; after that, the mutation fails with `rate_limited`. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: CreateCertificateInput,
        required: true,
        description: 'The properties of the new certificate.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      certificate: await createCertificate(context.service, { ...toRequestContext(context), ...input }),
    }),
  }),
);

const RevokeCertificateInput = builder.inputType('RevokeCertificateInput', {
  description: 'The certificate to revoke.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the certificate, `cert_…`.' }) }),
});

const RevokeCertificateSuccess = successType('RevokeCertificateSuccess', {
  description: 'The result of revoking a certificate. The certificate no longer signs callbacks.',
  fields: { certificate: { type: CertificateType, description: 'The revoked certificate.' } },
});

builder.mutationField('revokeCertificate', (t) =>
  t.field({
    type: RevokeCertificateSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'manage' },
    description:
      'Permanently revokes a certificate. The mutation fails with `certificate_not_found`, or with `certificate_signing` if it is the only signing certificate of its mode. In that case, create another certificate and wait until it signs callbacks before you revoke this one. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: RevokeCertificateInput,
        required: true,
        description: 'The certificate to revoke.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      certificate: await revokeCertificate(context.service, { ...toRequestContext(context), ...input }),
    }),
  }),
);

function computeFingerprint(publicKey: string): string {
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex');
}
