import {
  exportFormats,
  type ExportFormat as Format,
  permissionFor,
  progressOf,
} from '../../src/domain/payouts/export/export-request.ts';
import { exportUrl } from '../../src/domain/payouts/export/export-url.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { merchantCaller, owned } from '../kit/graphql-context.ts';

export const ExportKind = builder.enumType('ExportKind', {
  description: 'What a file holds.',
  values: {
    charges: { description: 'Charges, by the filter of their list.' },
    refunds: { description: 'Refunds, by the filter of their list; without where the money goes.' },
    transfers: { description: 'Transfers, by the filter of their list.' },
    reconciliation: { description: 'The books of your accounts over some days.' },
    payouts: { description: 'Refunds to be paid, with the bank details of customers.' },
  },
});

const ExportStatus = builder.enumType('ExportStatus', {
  description: 'How far the making of a file has come.',
  values: {
    queued: { description: 'It has not begun.' },
    running: { description: 'It is being made.' },
    done: { description: 'The file is there.' },
    failed: { description: 'There is no file; `errorReason` says why.' },
  },
});

/** GraphQL's names take no dots. */
const nameOf = (format: string) => format.replaceAll('.', '_');
const formats: Record<Format, string> = {
  csv: 'CSV after RFC 4180 in UTF-8.',
  'pain.001.001.03': 'ISO 20022 credit transfer initiation, version 3.',
  'pain.001.001.09': 'ISO 20022 credit transfer initiation, version 9.',
};

export const ExportFormat = builder.enumType('ExportFormat', {
  description: 'The form of a file. The payment files of ISO 20022 are for payouts.',
  values: Object.fromEntries(
    exportFormats.map((format) => [nameOf(format), { value: format, description: formats[format] }]),
  ) as Record<string, { value: Format; description: string }>,
});

export const ExportType = builder.prismaNode('Export', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'A file for you, made by a job and kept for a day.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ExportKind, description: 'What it holds.' }),
    format: t.field({
      type: ExportFormat,
      description: 'Its form.',
      resolve: ({ format }) => format as Format,
    }),
    status: t.expose('status', { type: ExportStatus, description: 'How far it has come.' }),
    progress: t.float({ description: 'How much of it is made, from 0 to 1.', resolve: progressOf }),
    rows: t.exposeInt('rows', { description: 'Rows written so far.' }),
    total: t.exposeInt('total', {
      nullable: true,
      description: 'Rows it will have; null until they were counted.',
    }),
    fileName: t.exposeString('fileName', { description: 'A name for it.' }),
    size: t.float({ description: 'Bytes so far.', resolve: ({ size }) => Number(size) }),
    downloadUrl: t.string({
      nullable: true,
      description:
        'Where to get it, with the same credentials, once it is `done` and until `expiresAt`; null for who may not.',
      resolve: (row, _args, context) =>
        merchantCaller(context).permissions.has(permissionFor(row.kind))
          ? exportUrl(context.service, row, context.clock.now())
          : null,
    }),
    errorReason: t.exposeString('errorReason', {
      nullable: true,
      description: 'Why there is no file; null otherwise.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked for.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was done, or failed.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it is deleted.' }),
  }),
});

const ExportConnection = connectionOf(ExportType, 'Export');

builder.queryFields((t) => ({
  export: t.prismaField({
    type: ExportType,
    nullable: true,
    description: 'One export.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `exp_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.export.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  exports: t.prismaConnection(
    {
      type: ExportType,
      ...pagedById,
      description: 'Your exports that are kept still, newest first.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.export.findMany(keyset(query, 'Export', owned(context))),
      totalCount: (_root, _args, context) => context.service.prisma.export.count({ where: owned(context) }),
    },
    ExportConnection,
  ),
}));
