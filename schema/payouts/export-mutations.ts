import type { Export } from '../../prisma/client/client.ts';
import { type CreateExportInput, createExport } from '../../src/domain/payouts/export/create-export.ts';
import { invalidInput } from '../../src/kit/errors.ts';
import { builder, type InputOf } from '../kit/builder.ts';
import { acting, type GraphqlContext } from '../kit/graphql-context.ts';
import { TransferFilter, transferWhere } from '../money-in/transfer.ts';
import { ChargeFilter, chargeListWhere } from '../payments/charge-queries.ts';
import { RefundFilter, refundListWhere } from '../payments/refund-queries.ts';
import { ExportFormat, ExportKind, ExportType } from './export.ts';

const CreateExportInputType = builder.inputType('CreateExportInput', {
  description: 'Which file. Members that belong to another kind are ignored.',
  fields: (t) => ({
    kind: t.field({ type: ExportKind, required: true, description: 'What it shall hold.' }),
    chargeFilter: t.field({ type: ChargeFilter, description: 'Of `charges`: which ones.' }),
    refundFilter: t.field({ type: RefundFilter, description: 'Of `refunds`: which ones.' }),
    transferFilter: t.field({ type: TransferFilter, description: 'Of `transfers`: which ones.' }),
    from: t.field({ type: 'Date', description: 'Of `reconciliation`: the first day, by your time zone.' }),
    to: t.field({ type: 'Date', description: 'Of `reconciliation`: the last day.' }),
    format: t.field({
      type: ExportFormat,
      description: 'Of `payouts`: the form of the file; left out: CSV. Everything else is CSV.',
    }),
    refundIds: t.idList({
      description: 'Of `payouts`: only these; left out: all that are to be paid, 5,000 a file.',
    }),
    payingAccountId: t.id({
      description:
        'Of `payouts`: the account that pays, `acc_…`; without `refundIds` only refunds of charges that were paid to it. Left out: each refund is paid from the account its charge was paid to.',
    }),
    includeExported: t.boolean({
      description:
        'Of `payouts`: refunds that were written into a file before, once more. Take care not to pay them twice.',
    }),
    byteOrderMark: t.boolean({
      description: 'Of CSV: a byte order mark in front, by which some spreadsheets know UTF-8.',
    }),
  }),
});

const CreateExportSuccess = builder.objectRef<{ export: Export }>('CreateExportSuccess').implement({
  description: 'The file is being made: ask for the export again until it is `done`.',
  fields: (t) => ({ export: t.expose('export', { type: ExportType, description: 'The export.' }) }),
});

builder.mutationField('createExport', (t) =>
  t.field({
    type: CreateExportSuccess,
    errors: {},
    authScopes: { permission: 'read' },
    description:
      'Has a file made. Permission: `read`; for payouts, which hold bank details in the clear, `transfers`.',
    args: { input: t.arg({ type: CreateExportInputType, required: true, description: 'Which file.' }) },
    resolve: async (_root, { input }, context) => ({
      export: await createExport(context.service, {
        ...acting(context),
        input: await readInput(input, context),
      }),
    }),
  }),
);

async function readInput(
  { kind, ...input }: InputOf<typeof CreateExportInputType>,
  context: GraphqlContext,
): Promise<CreateExportInput> {
  const withMark = input.byteOrderMark;
  switch (kind) {
    case 'charges':
      return { kind, withMark, where: await chargeListWhere(context, input.chargeFilter) };
    case 'refunds':
      return { kind, withMark, where: refundListWhere(context, input.refundFilter) };
    case 'transfers':
      return { kind, withMark, where: transferWhere(context, input.transferFilter) };
    case 'reconciliation':
      if (input.from == null) throw invalidInput('/from', 'must be the first day');
      if (input.to == null) throw invalidInput('/to', 'must be the last day');
      return { kind, withMark, from: input.from, to: input.to };
    case 'payouts': {
      const { refundIds, payingAccountId, includeExported, format } = input;
      return { kind, withMark, refundIds, payingAccountId, includeExported, format: format ?? 'csv' };
    }
  }
}
