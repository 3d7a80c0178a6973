import type { Export } from '../../prisma/client/client.ts';
import { type CreateExportInput, createExport } from '../../src/domain/payouts/export/create-export.ts';
import { invalidInput } from '../../src/kit/errors.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { type GraphqlContext, toRequestContext } from '../kit/graphql-context.ts';
import { TransferFilter, transferWhere } from '../money-in/transfer.ts';
import { ChargeFilter, chargeListWhere } from '../payments/charge-queries.ts';
import { RefundFilter, refundListWhere } from '../payments/refund-queries.ts';
import { ExportFormat, ExportKind, ExportType } from './export.ts';

const CreateExportInputType = builder.inputType('CreateExportInput', {
  description: 'The export to create. Fields that belong to another kind are ignored.',
  fields: (t) => ({
    kind: t.field({ type: ExportKind, required: true, description: 'The kind of data to export.' }),
    chargeFilter: t.field({ type: ChargeFilter, description: 'The filters for an export of `charges`.' }),
    refundFilter: t.field({ type: RefundFilter, description: 'The filters for an export of `refunds`.' }),
    transferFilter: t.field({
      type: TransferFilter,
      description: 'The filters for an export of `transfers`.',
    }),
    startDate: t.field({
      type: 'Date',
      description: 'The first day of a `reconciliation` export, in your time zone.',
    }),
    endDate: t.field({
      type: 'Date',
      description: 'The last day of a `reconciliation` export, in your time zone.',
    }),
    format: t.field({
      type: ExportFormat,
      description: 'The file format of a `payouts` export. Defaults to CSV. All other kinds are always CSV.',
    }),
    refundIds: t.idList({
      description:
        'The refunds to include in a `payouts` export. If omitted, all refunds that are ready to be paid, up to 5,000 per file.',
    }),
    payingAccountId: t.id({
      description:
        'The ID of the account that pays a `payouts` export, `acc_…`. Without `refundIds`, only refunds of charges paid to this account are included. If omitted, each refund is paid from the account its charge was paid to.',
    }),
    includeExported: t.boolean({
      description:
        'Whether a `payouts` export includes refunds that have already been exported. Take care not to pay them twice.',
    }),
    includeByteOrderMark: t.boolean({
      description:
        'Whether a CSV file starts with a byte order mark, which some spreadsheets need to detect UTF-8.',
    }),
  }),
});

const CreateExportSuccess = builder.objectRef<{ export: Export }>('CreateExportSuccess').implement({
  description: 'The created export. Query it again until its status is `completed`.',
  fields: (t) => ({ export: t.expose('export', { type: ExportType, description: 'The created export.' }) }),
});

builder.mutationField('createExport', (t) =>
  t.field({
    type: CreateExportSuccess,
    errors: {},
    authScopes: { permission: 'read' },
    description:
      'Creates an export file in the background. Permission: `read`. Payouts contain bank details in plain text and require `transfers`.',
    args: {
      input: t.arg({ type: CreateExportInputType, required: true, description: 'The export to create.' }),
    },
    resolve: async (_root, { input }, context) => ({
      export: await createExport(context.service, {
        ...toRequestContext(context),
        input: await toExportInput(input, context),
      }),
    }),
  }),
);

async function toExportInput(
  { kind, ...input }: InferInput<typeof CreateExportInputType>,
  context: GraphqlContext,
): Promise<CreateExportInput> {
  const withMark = input.includeByteOrderMark;
  switch (kind) {
    case 'charges':
      return { kind, withMark, where: await chargeListWhere(context, input.chargeFilter) };
    case 'refunds':
      return { kind, withMark, where: refundListWhere(context, input.refundFilter) };
    case 'transfers':
      return { kind, withMark, where: transferWhere(context, input.transferFilter) };
    case 'reconciliation':
      if (input.startDate == null) throw invalidInput('/startDate', 'is required');
      if (input.endDate == null) throw invalidInput('/endDate', 'is required');
      return { kind, withMark, from: input.startDate, to: input.endDate };
    case 'payouts': {
      const { refundIds, payingAccountId, includeExported, format } = input;
      return { kind, withMark, refundIds, payingAccountId, includeExported, format: format ?? 'csv' };
    }
  }
}
