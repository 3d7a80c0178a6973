import { createHash, createPublicKey } from 'node:crypto';
import type { Certificate } from '../../prisma/client/client.ts';
import { certificateStatus } from '../../src/domain/accounts/certificate/certificate-state.ts';
import { createCertificate } from '../../src/domain/accounts/certificate/create-certificate.ts';
import { revokeCertificate } from '../../src/domain/accounts/certificate/revoke-certificate.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { acting, owned } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { Mode } from './merchant.ts';

const CertificateStatus = builder.enumType('CertificateStatus', {
  description: 'What a certificate is good for.',
  values: {
    upcoming: { description: 'It signs from a later time on: put its public key in place before.' },
    signing: { description: 'It signs callbacks now.' },
    verifying: { description: 'It signs no more; what it has signed can still be verified with it.' },
    revoked: { description: 'It is not to be trusted any more.' },
  },
});

/** Which one signs depends on all of the mode; read once for a page of them. */
const loadAll = createLoader<Certificate[]>(async (context) => {
  const rows = await context.service.prisma.certificate.findMany({ where: owned(context) });
  return Map.groupBy(rows, ({ merchantId }) => merchantId);
});

const CertificateType = builder.prismaNode('Certificate', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description:
    'A key pair of one mode: its private key signs the callbacks of that mode, and you verify them with the public key.',
  fields: (t) => ({
    status: t.field({
      type: CertificateStatus,
      description: 'What it is good for.',
      resolve: async (certificate, _args, context) => {
        const all = (await loadAll(context, certificate.merchantId)) ?? [];
        return certificateStatus(certificate, all, context.clock.now());
      },
    }),
    mode: t.expose('mode', { type: Mode, description: 'The mode whose callbacks it signs.' }),
    publicKey: t.exposeString('publicKey', { description: 'The public key, as PEM (SPKI).' }),
    fingerprint: t.string({
      description: 'SHA-256 of the public key’s bytes (DER), in hexadecimal digits.',
      resolve: ({ publicKey }) => fingerprintOf(publicKey),
    }),
    signsFrom: t.expose('signsFrom', { type: 'DateTime', description: 'From when on it signs.' }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked; null while it holds.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

const CertificateConnection = connectionOf(CertificateType, 'Certificate');

builder.queryFields((t) => ({
  certificate: t.prismaField({
    type: CertificateType,
    nullable: true,
    description: 'One certificate.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `cert_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.certificate.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  certificates: t.prismaConnection(
    {
      type: CertificateType,
      ...pagedById,
      description: 'Your certificates of the mode of your credentials, newest first.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.certificate.findMany(keyset(query, 'Certificate', owned(context))),
      totalCount: (_root, _args, context) =>
        context.service.prisma.certificate.count({ where: owned(context) }),
    },
    CertificateConnection,
  ),
}));

const CreateCertificateInput = builder.inputType('CreateCertificateInput', {
  description: 'From when on another certificate signs.',
  fields: (t) => ({
    signsFrom: t.field({
      type: 'DateTime',
      description: 'When it begins to sign, within 90 days; left out: now. Until then the present one signs.',
    }),
  }),
});

const CreateCertificateSuccess = builder
  .objectRef<{ certificate: Certificate }>('CreateCertificateSuccess')
  .implement({
    description: 'The certificate was made. The earlier ones still verify what they have signed.',
    fields: (t) => ({
      certificate: t.expose('certificate', { type: CertificateType, description: 'The certificate.' }),
    }),
  });

builder.mutationField('createCertificate', (t) =>
  t.field({
    type: CreateCertificateSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description:
      'Creates a certificate, which signs the callbacks of the mode of your credentials. Permission: `manage`.',
    args: { input: t.arg({ type: CreateCertificateInput, required: true, description: 'From when on.' }) },
    resolve: async (_root, { input }, context) => ({
      certificate: await createCertificate(context.service, { ...acting(context), ...input }),
    }),
  }),
);

const RevokeCertificateInput = builder.inputType('RevokeCertificateInput', {
  description: 'Which certificate to revoke.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the certificate, `cert_…`.' }) }),
});

const RevokeCertificateSuccess = builder
  .objectRef<{ certificate: Certificate }>('RevokeCertificateSuccess')
  .implement({
    description: 'The certificate is revoked: it signs no more.',
    fields: (t) => ({
      certificate: t.expose('certificate', { type: CertificateType, description: 'The certificate.' }),
    }),
  });

builder.mutationField('revokeCertificate', (t) =>
  t.field({
    type: RevokeCertificateSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description:
      'Revokes a certificate for good. The only one that signs in a mode cannot be revoked: create another first. Permission: `manage`.',
    args: {
      input: t.arg({ type: RevokeCertificateInput, required: true, description: 'Which certificate.' }),
    },
    resolve: async (_root, { input }, context) => ({
      certificate: await revokeCertificate(context.service, { ...acting(context), ...input }),
    }),
  }),
);

function fingerprintOf(publicKey: string): string {
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex');
}
