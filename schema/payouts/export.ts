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
  description: 'The kind of data in an export.',
  values: {
    charges: { description: 'Charges, with the filters of the list of charges.' },
    refunds: { description: 'Refunds, with the filters of the list of refunds and without bank details.' },
    transfers: { description: 'Transfers, with the filters of the list of transfers.' },
    reconciliation: { description: 'The reconciliation of your accounts over a range of days.' },
    payouts: { description: 'Refund payouts, with the bank details of customers.' },
  },
});

const ExportStatus = builder.enumType('ExportStatus', {
  description: 'The status of an export.',
  values: {
    queued: { description: 'The export has not started.' },
    running: { description: 'The file is being created.' },
    done: { description: 'The file is ready.' },
    failed: { description: 'The export failed and has no file. `errorReason` gives the reason.' },
  },
});

/** GraphQL's names take no dots. */
const nameOf = (format: string) => format.replaceAll('.', '_');
const formats: Record<Format, string> = {
  csv: 'CSV according to RFC 4180, in UTF-8.',
  'pain.001.001.03': 'ISO 20022 credit transfer initiation, version 3.',
  'pain.001.001.09': 'ISO 20022 credit transfer initiation, version 9.',
};

export const ExportFormat = builder.enumType('ExportFormat', {
  description: 'The file format of an export. The ISO 20022 formats are for payouts only.',
  values: Object.fromEntries(
    exportFormats.map((format) => [nameOf(format), { value: format, description: formats[format] }]),
  ) as Record<string, { value: Format; description: string }>,
});

export const ExportType = builder.prismaNode('Export', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'A file that a background job creates for you and that is kept for one day.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ExportKind, description: 'The kind of data in the export.' }),
    format: t.field({
      type: ExportFormat,
      description: 'The file format.',
      resolve: ({ format }) => format as Format,
    }),
    status: t.expose('status', { type: ExportStatus, description: 'The status of the export.' }),
    progress: t.float({ description: 'The progress of the export, from 0 to 1.', resolve: progressOf }),
    rows: t.exposeInt('rows', { description: 'The number of rows written so far.' }),
    total: t.exposeInt('total', {
      nullable: true,
      description: 'The total number of rows. Null until they have been counted.',
    }),
    fileName: t.exposeString('fileName', { description: 'The suggested file name.' }),
    size: t.float({
      description: 'The number of bytes written so far.',
      resolve: ({ size }) => Number(size),
    }),
    downloadUrl: t.string({
      nullable: true,
      description:
        'The URL to download the file from with the same credentials, while the export is `done` and before `expiresAt`. Null without the required permission.',
      resolve: (row, _args, context) =>
        merchantCaller(context).permissions.has(permissionFor(row.kind))
          ? exportUrl(context.service, row, context.clock.now())
          : null,
    }),
    errorReason: t.exposeString('errorReason', {
      nullable: true,
      description: 'The reason why the export failed. Null if it did not fail.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the export was requested.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the export finished or failed.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'The time at which the export is deleted.',
    }),
  }),
});

const ExportConnection = connectionOf(ExportType, 'Export');

builder.queryFields((t) => ({
  export: t.prismaField({
    type: ExportType,
    nullable: true,
    description: 'A single export.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the export, `exp_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.export.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  exports: t.prismaConnection(
    {
      type: ExportType,
      ...pagedById,
      description: 'Your exports that have not been deleted yet, newest first.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.export.findMany(keyset(query, 'Export', owned(context))),
      totalCount: (_root, _args, context) => context.service.prisma.export.count({ where: owned(context) }),
    },
    ExportConnection,
  ),
}));
