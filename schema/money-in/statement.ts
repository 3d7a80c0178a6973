import type { Prisma, Statement } from '../../prisma/client/client.ts';
import type { StatementControl } from '../../src/domain/money-in/statement/check-statement.ts';
import { getDiscrepancies } from '../../src/domain/money-in/statement/confirm-statement.ts';
import { countUnmatched } from '../../src/domain/money-in/statement/count-unmatched.ts';
import { getImportCounts, type ImportCounts } from '../../src/domain/money-in/statement/statement-state.ts';
import { type CsvMapping, checkCsvMapping } from '../../src/statement/csv-mapping.ts';
import type { StatementFileKind } from '../../src/statement/statement-entry.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { filterArg, inList } from '../list-filters.ts';
import { ActorType } from '../platform/actor.ts';
import { StatementBalances, StatementDiscrepancy } from './statement-control.ts';
import { StatementFormat, StatementStatus } from './statement-enums.ts';
import { StatementMappingType } from './statement-mapping.ts';
import { countTransfers, loadTransferPage } from './statement-transfers.ts';
import { TransferConnection, TransferType } from './transfer.ts';

const countDescriptions: Record<keyof ImportCounts, string> = {
  matched: 'The number of entries that completed a charge.',
  partial: 'The number of entries that paid a charge in part.',
  over: 'The number of entries that overpaid a charge.',
  exception: 'The number of entries that could not be matched automatically.',
  duplicate: 'The number of entries that were already recorded from this file, another file or a feed.',
  returned: 'The number of payments that the bank had already returned.',
  outgoing: 'The number of entries that left the account or reversed a credit.',
  dismissed: 'The number of entries that a rule of the account ignored.',
  ignored:
    'The number of entries that were not booked, moved no money, or belong to another account of the file.',
};

const StatementResultCounts = builder.objectRef<ImportCounts>('StatementResultCounts').implement({
  description: 'The number of entries recorded so far, by their outcome at that time.',
  fields: (t) => ({
    matched: t.exposeInt('matched', { description: countDescriptions.matched }),
    partial: t.exposeInt('partial', { description: countDescriptions.partial }),
    over: t.exposeInt('over', { description: countDescriptions.over }),
    exception: t.exposeInt('exception', { description: countDescriptions.exception }),
    duplicate: t.exposeInt('duplicate', { description: countDescriptions.duplicate }),
    returned: t.exposeInt('returned', { description: countDescriptions.returned }),
    outgoing: t.exposeInt('outgoing', { description: countDescriptions.outgoing }),
    dismissed: t.exposeInt('dismissed', { description: countDescriptions.dismissed }),
    ignored: t.exposeInt('ignored', { description: countDescriptions.ignored }),
  }),
});

export const StatementError = builder
  .objectRef<{ line: number | null; reason: string }>('StatementError')
  .implement({
    description: 'An error in a statement file, and the line on which it occurs.',
    fields: (t) => ({
      line: t.exposeInt('line', {
        nullable: true,
        description:
          'The line in the file, starting at 1. Null if the error does not concern a specific line.',
      }),
      message: t.exposeString('reason', {
        description: 'A human-readable description of the error, in English.',
      }),
    }),
  });

export const StatementType = builder.prismaNode('Statement', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'A bank statement file and the result of its import. The file is kept permanently.',
  fields: (t) => ({
    status: t.expose('status', {
      type: StatementStatus,
      description: 'The progress of the import, and whether the statement was undone.',
    }),
    format: t.field({
      type: StatementFormat,
      nullable: true,
      description:
        'The format of the file. Null until the file has been read, and for an XML file that could not be recognized.',
      resolve: ({ format }) => (format || null) as StatementFileKind | null,
    }),
    fileName: t.exposeString('fileName', {
      description: 'The name of the file, as provided with the upload.',
    }),
    sizeBytes: t.int({ description: 'The size of the file in bytes.', resolve: ({ size }) => Number(size) }),
    sha256: t.exposeString('fileHash', { description: 'The SHA-256 hash of the file, in hexadecimal.' }),
    downloadUrl: t.string({
      nullable: true,
      description:
        'The URL from which you download the file with the permission `transfers`. Null if the file is not available.',
      resolve: ({ id, mode, uploadId }, _args, { service }) => {
        const query = mode === 'sandbox' ? '?mode=sandbox' : '';
        return uploadId === null ? null : `${service.settings.publicUrl}/statements/${id}/file${query}`;
      },
    }),
    receivingAccount: t.relation('receivingAccount', {
      description: 'The account that the statement belongs to.',
    }),
    mapping: t.field({
      type: StatementMappingType,
      nullable: true,
      description: 'The mapping with which a table, such as a CSV file, was read. Null for other formats.',
      resolve: ({ mapping }): CsvMapping | null => (mapping === null ? null : checkCsvMapping(mapping)),
    }),
    fileAccount: t.exposeString('fileAccount', {
      nullable: true,
      description:
        'The account in the file whose movements are recorded, if the file contains several. Null if all movements are recorded.',
    }),
    progress: t.float({
      description:
        'The progress of the import, from 0 to 1. Reading the file takes the first fifth, and recording its entries takes the rest.',
      resolve: getImportProgress,
    }),
    entryCount: t.exposeInt('entryCount', {
      nullable: true,
      description: 'The number of entries in the file. Null until the whole file has been read.',
    }),
    recordedCount: t.exposeInt('recordedCount', { description: 'The number of entries recorded so far.' }),
    resultCounts: t.field({
      type: StatementResultCounts,
      description: 'The number of entries recorded so far, by outcome.',
      resolve: (statement) => getImportCounts(statement),
    }),
    needsReviewCount: t.int({
      description: 'The number of the statement’s transfers that need review now.',
      resolve: async ({ id }, _args, context) => (await loadUnmatchedCount(context, id)) ?? 0,
    }),
    error: t.field({
      type: StatementError,
      nullable: true,
      description: 'The error that the import failed with. Null if it did not fail.',
      resolve: ({ errorLine: line, failureReason: reason }) => (reason === null ? null : { line, reason }),
    }),
    discrepancies: t.field({
      type: [StatementDiscrepancy],
      description:
        'The differences between the file and the control totals of the bank, the account or earlier statements, at most 50.',
      resolve: (statement) => getDiscrepancies(statement).items,
    }),
    discrepancyCount: t.int({
      description: 'The total number of differences, which can exceed 50.',
      resolve: (statement) => getDiscrepancies(statement).count,
    }),
    balances: t.field({
      type: [StatementBalances],
      description:
        'The opening and closing balances that the file reports. Consecutive balances without a gap are combined.',
      resolve: ({ control }) => (control as StatementControl | null)?.spans ?? [],
    }),
    notes: t.stringList({
      description:
        'Remarks about how the file was read, in English, for example that its format is newer than the versions that Causeway supports.',
      resolve: ({ control }) => (control as StatementControl | null)?.notes ?? [],
    }),
    confirmedBy: t.expose('confirmedBy', {
      type: ActorType,
      nullable: true,
      description:
        'The actor that confirmed the import despite its differences. Null if it was not confirmed.',
    }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the import was confirmed. Null if it was not confirmed.',
    }),
    undoneCount: t.exposeInt('undoneCount', {
      description: 'The number of transfers that have been undone.',
    }),
    undoneBy: t.expose('undoneBy', {
      type: ActorType,
      nullable: true,
      description: 'The actor that undid the statement. Null if it was not undone.',
    }),
    undoneAt: t.expose('undoneAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which all transfers of the statement had been undone. Null until then.',
    }),
    importedBy: t.expose('importedBy', { type: ActorType, description: 'The actor that imported the file.' }),
    transfers: t.prismaConnection(
      {
        type: TransferType,
        ...idPagingOptions,
        description:
          'The transfers that were first reported by this statement, most recently recorded first.',
        resolve: (query, { id }, _args, context, info) => loadTransferPage(context, { id, query, info }),
        totalCount: async ({ id }, _args, context) => (await countTransfers(context, id)) ?? 0,
      },
      TransferConnection,
    ),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the import was requested.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the import was completed, failed or was cancelled. Null until then.',
    }),
  }),
});

const loadUnmatchedCount = createLoader<number>((context, statementIds) =>
  countUnmatched(context.service, { ...getMerchantScope(context), statementIds }),
);

const readingShare = 0.2;

function getImportProgress({
  status,
  entryCount: entries,
  recordedCount: recorded,
  bytesRead,
  size,
}: Statement): number {
  if (status === 'completed' || status === 'undoing' || status === 'undone') return 1;
  if (entries === null) return size === 0n ? 0 : (readingShare * Number(bytesRead)) / Number(size);
  return readingShare + (1 - readingShare) * (entries === 0 ? 1 : recorded / entries);
}

builder.prismaObjectFields('Transfer', (t) => ({
  statement: t.relation('statement', {
    nullable: true,
    description: 'The statement that first reported the transfer. Null if another source first reported it.',
  }),
}));

const StatementFilter = builder.inputType('StatementFilter', {
  description:
    'The conditions that the statements of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    statuses: t.field({
      type: [StatementStatus],
      description: 'Returns only statements with one of these statuses.',
    }),
    receivingAccountId: t.id({
      description: 'Returns only statements of the receiving account with this ID, `acc_…`.',
    }),
  }),
});

const StatementConnection = createConnectionType(StatementType, 'Statement');

builder.queryFields((t) => ({
  statement: t.prismaField({
    type: StatementType,
    nullable: true,
    description: 'Returns the statement with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the statement, `st_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.statement.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
  statements: t.prismaConnection(
    {
      type: StatementType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your statements, most recently imported first.',
      args: {
        filter: t.arg(filterArg(StatementFilter)),
      },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.statement.findMany(
          toKeysetQuery(query, 'Statement', buildStatementFilter(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.statement.count({ where: buildStatementFilter(context, filter) }),
    },
    StatementConnection,
  ),
}));

function buildStatementFilter(
  context: GraphqlContext,
  filter: InferInput<typeof StatementFilter> | null | undefined,
): Prisma.StatementWhereInput {
  const { statuses, receivingAccountId } = filter ?? {};
  const status = inList(statuses);
  return {
    ...getMerchantScope(context),
    ...(status && { status }),
    ...(receivingAccountId != null && { receivingAccountId }),
  };
}
