import type { Prisma, Statement } from '../../prisma/client/client.ts';
import { countsOf, type ImportCounts } from '../../src/domain/money-in/statement/statement-state.ts';
import { type CsvMapping, checkCsvMapping } from '../../src/statement/csv-mapping.ts';
import { loadActorName } from '../accounts/audit-entry.ts';
import { builder, type InputOf } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, owned } from '../kit/graphql-context.ts';
import { StatementMappingType } from './statement-mapping.ts';
import { countTransfers, loadTransferPage } from './statement-transfers.ts';
import { TransferConnection, TransferType } from './transfer.ts';

const StatementStatus = builder.enumType('StatementStatus', {
  description: 'How far the import of a statement has come.',
  values: {
    queued: { description: 'It waits for a worker.' },
    running: { description: 'It is read, then recorded.' },
    done: { description: 'All of its entries are recorded.' },
    failed: {
      description:
        'The file is broken, and nothing of it was imported; or, where `recorded` is above 0, a fault of ours ended the import after so many entries: import it again. `error` says where and why.',
    },
  },
});

const counts: Record<keyof ImportCounts, string> = {
  matched: 'Completed a charge.',
  partial: 'Are a part of what a charge asks.',
  over: 'Completed a charge with more than it asked.',
  exception: 'Could not be assigned by themselves.',
  duplicate: 'Were known already, from this file, another one or a feed.',
  returned: 'Were sent back before.',
  outgoing: 'Went out of the account, or took a credit back.',
  ignored: 'Were not booked, or moved nothing.',
};

const StatementResults = builder.objectRef<ImportCounts>('StatementResults').implement({
  description: 'What the entries recorded so far came to when they were recorded.',
  fields: (t) => ({
    matched: t.exposeInt('matched', { description: counts.matched }),
    partial: t.exposeInt('partial', { description: counts.partial }),
    over: t.exposeInt('over', { description: counts.over }),
    exception: t.exposeInt('exception', { description: counts.exception }),
    duplicate: t.exposeInt('duplicate', { description: counts.duplicate }),
    returned: t.exposeInt('returned', { description: counts.returned }),
    outgoing: t.exposeInt('outgoing', { description: counts.outgoing }),
    ignored: t.exposeInt('ignored', { description: counts.ignored }),
  }),
});

export const StatementFault = builder
  .objectRef<{ line: number | null; reason: string }>('StatementFault')
  .implement({
    description: 'What is wrong with a file, and where.',
    fields: (t) => ({
      line: t.exposeInt('line', { nullable: true, description: 'The line of the file, counted from 1.' }),
      reason: t.exposeString('reason', { description: 'What is wrong, in words.' }),
    }),
  });

export const StatementType = builder.prismaNode('Statement', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'A bank statement file and what came of it. It is kept for good, with its bytes.',
  fields: (t) => ({
    status: t.expose('status', { type: StatementStatus, description: 'How far its import has come.' }),
    format: t.string({
      nullable: true,
      description: '`camt.053`, `camt.054`, `mt940` or `csv`; null until it has been read.',
      resolve: ({ format }) => format || null,
    }),
    fileName: t.exposeString('fileName', { description: 'Its name, as it was given.' }),
    size: t.int({ description: 'Bytes of the file.', resolve: ({ size }) => Number(size) }),
    sha256: t.exposeString('fileHash', { description: 'SHA-256 of its bytes, in hexadecimal.' }),
    fileUrl: t.string({
      nullable: true,
      description: 'Where the file can be had, with the permission `transfers`.',
      resolve: ({ id, mode, uploadId }, _args, { service }) => {
        const query = mode === 'sandbox' ? '?mode=sandbox' : '';
        return uploadId === null ? null : `${service.settings.publicUrl}/statements/${id}/file${query}`;
      },
    }),
    receivingAccount: t.relation('receivingAccount', { description: 'The account it is of.' }),
    mapping: t.field({
      type: StatementMappingType,
      nullable: true,
      description: 'Of CSV: how it was read.',
      resolve: ({ mapping }): CsvMapping | null => (mapping === null ? null : checkCsvMapping(mapping)),
    }),
    progress: t.float({
      description: 'How much of the work is done, 0 to 1: the first fifth is reading, the rest recording.',
      resolve: progressOf,
    }),
    entries: t.exposeInt('entries', {
      nullable: true,
      description: 'Entries of the file; null until all of it has been read.',
    }),
    recorded: t.exposeInt('recorded', { description: 'Entries that have been recorded.' }),
    results: t.field({
      type: StatementResults,
      description: 'What the entries came to.',
      resolve: (statement) => countsOf(statement),
    }),
    error: t.field({
      type: StatementFault,
      nullable: true,
      description: 'Why it failed.',
      resolve: ({ errorLine: line, errorReason: reason }) => (reason === null ? null : { line, reason }),
    }),
    importedBy: t.exposeString('importedBy', {
      description: 'Who imported it: `user:<id>`, `key:<id>` or `operator:cli`.',
    }),
    importedByName: t.string({
      description: 'Who imported it, in words: the e-mail address of a user, the name of a key.',
      resolve: async ({ importedBy }, _args, context) =>
        (await loadActorName(context, importedBy)) ?? importedBy,
    }),
    transfers: t.prismaConnection(
      {
        type: TransferType,
        ...pagedById,
        description: 'The transfers it told of first, those recorded last first.',
        resolve: (query, { id }, _args, context, info) => loadTransferPage(context, { id, query, info }),
        totalCount: async ({ id }, _args, context) => (await countTransfers(context, id)) ?? 0,
      },
      TransferConnection,
    ),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the import was asked for.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the import ended.',
    }),
  }),
});

const readingShare = 0.2;

function progressOf({ status, entries, recorded, bytesRead, size }: Statement): number {
  if (status === 'done') return 1;
  if (entries === null) return size === 0n ? 0 : (readingShare * Number(bytesRead)) / Number(size);
  return readingShare + (1 - readingShare) * (entries === 0 ? 1 : recorded / entries);
}

builder.prismaObjectFields('Transfer', (t) => ({
  statement: t.relation('statement', {
    nullable: true,
    description: 'The statement file that told of it first; null for what a feed told of.',
  }),
}));

const StatementFilter = builder.inputType('StatementFilter', {
  description: 'Which statements. Members left out do not restrict.',
  fields: (t) => ({
    status: t.field({ type: [StatementStatus], description: 'Only those with one of these.' }),
    receivingAccountId: t.id({ description: 'Only those of this account, `acc_…`.' }),
  }),
});

const StatementConnection = connectionOf(StatementType, 'Statement');

builder.queryFields((t) => ({
  statement: t.prismaField({
    type: StatementType,
    nullable: true,
    description: 'One statement.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `st_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.statement.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  statements: t.prismaConnection(
    {
      type: StatementType,
      ...pagedById,
      description: 'Your statement files, the last imported first.',
      args: { filter: t.arg({ type: StatementFilter, description: 'Which ones.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.statement.findMany(keyset(query, 'Statement', whereOf(context, filter))),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.statement.count({ where: whereOf(context, filter) }),
    },
    StatementConnection,
  ),
}));

function whereOf(
  context: GraphqlContext,
  filter: InputOf<typeof StatementFilter> | null | undefined,
): Prisma.StatementWhereInput {
  const { status, receivingAccountId } = filter ?? {};
  return {
    ...owned(context),
    ...(status && { status: { in: status } }),
    ...(receivingAccountId != null && { receivingAccountId }),
  };
}
