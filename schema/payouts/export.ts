import { getExportPermission, getExportProgress } from '../../src/domain/payouts/export/export-request.ts';
import { getExportUrl } from '../../src/domain/payouts/export/open-export.ts';
import { exportFormats, type ExportFormat as Format } from '../../src/domain/payouts/payout/write-payouts.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { getMerchantScope, requireMerchantCaller } from '../kit/graphql-context.ts';

export const ExportKind = builder.enumType('ExportKind', {
  description: 'The kind of data that an export contains.',
  values: {
    charges: { description: 'The file contains the charges that match `chargeFilter`.' },
    refunds: {
      description: 'The file contains the refunds that match `refundFilter`, without bank details.',
    },
    transfers: { description: 'The file contains the transfers that match `transferFilter`.' },
    customers: { description: 'The file contains the customers that match `customerFilter`.' },
    reconciliation: {
      description: 'The file contains the reconciliation of your accounts over a range of days.',
    },
    journal: {
      description:
        'The file contains the journal of your books over a range of days: balanced debits and credits, or daily manual journals for Xero.',
    },
    payouts: {
      description:
        'The file contains the refunds that are ready to be paid, with the bank details of the customers.',
    },
  },
});

const ExportStatus = builder.enumType('ExportStatus', {
  description: 'Whether an export is waiting, running, completed or failed.',
  values: {
    queued: { description: 'The export has not started.' },
    running: { description: 'The file is being created.' },
    completed: { description: 'The file is ready.' },
    failed: { description: 'The export failed and has no file. `error` gives the reason.' },
  },
});

/** GraphQL names cannot contain dots. */
const toEnumName = (format: string) => format.replaceAll('.', '_');
const formatDescriptions: Record<Format, string> = {
  csv: 'The file is a CSV file according to RFC 4180, in UTF-8.',
  'pain.001.001.03': 'The file is an ISO 20022 credit transfer initiation, version 3.',
  'pain.001.001.09': 'The file is an ISO 20022 credit transfer initiation, version 9.',
};

export const ExportFormat = builder.enumType('ExportFormat', {
  description:
    'The file format of an export. The ISO 20022 formats are available only for exports of `payouts`.',
  values: Object.fromEntries(
    exportFormats.map((format) => [
      toEnumName(format),
      { value: format, description: formatDescriptions[format] },
    ]),
  ) as Record<string, { value: Format; description: string }>,
});

export const ExportType = builder.prismaNode('Export', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'A file with your data, which a background job creates. The file is kept for one day.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ExportKind, description: 'The kind of data that the file contains.' }),
    format: t.field({
      type: ExportFormat,
      description: 'The format of the file, which is CSV except for some exports of `payouts`.',
      resolve: ({ format }) => format as Format,
    }),
    status: t.expose('status', {
      type: ExportStatus,
      description: 'Whether the export is waiting, running, completed or failed.',
    }),
    progress: t.float({
      description: 'The progress of the export, from 0 to 1.',
      resolve: getExportProgress,
    }),
    writtenRowCount: t.exposeInt('rows', { description: 'The number of rows written so far.' }),
    totalRowCount: t.exposeInt('total', {
      nullable: true,
      description: 'The total number of rows. Null until they have been counted.',
    }),
    fileName: t.exposeString('fileName', {
      description: 'The file name suggested for the download, such as `charges-2026-11-20.csv`.',
    }),
    sizeBytes: t.float({
      description: 'The number of bytes written so far.',
      resolve: ({ size }) => Number(size),
    }),
    downloadUrl: t.string({
      nullable: true,
      description:
        'The URL from which you download the file with the same credentials. Null if the status is not `completed`, if the export has expired, and for callers without the permission that the export requires.',
      resolve: (row, _args, context) =>
        requireMerchantCaller(context).permissions.has(getExportPermission(row.kind))
          ? getExportUrl(context.service, row, context.clock.now())
          : null,
    }),
    error: t.exposeString('failureReason', {
      nullable: true,
      description: 'The reason why the export failed. Null if it did not fail.',
    }),
    dataAsOf: t.expose('dataAsOf', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time until which the file includes all changes, if a standby of the database provided the data. Null if it did not. It is never before `createdAt`.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the export was requested.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the export was completed or failed. Null until then.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'The time at which the export and its file are deleted.',
    }),
  }),
});

const ExportConnection = createConnectionType(ExportType, 'Export');

builder.queryFields((t) => ({
  export: t.prismaField({
    type: ExportType,
    nullable: true,
    description: 'Returns the export with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the export, `exp_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.export.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
  exports: t.prismaConnection(
    {
      type: ExportType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your exports that have not been deleted yet, newest first.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.export.findMany(toKeysetQuery(query, 'Export', getMerchantScope(context))),
      totalCount: (_root, _args, context) =>
        context.service.prisma.export.count({ where: getMerchantScope(context) }),
    },
    ExportConnection,
  ),
}));
