import type { Export } from '../../prisma/client/client.ts';
import { type CreateExportInput, createExport } from '../../src/domain/payouts/export/create-export.ts';
import { invalidInputError } from '../../src/kit/errors.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { type GraphqlContext, toRequestContext } from '../kit/graphql-context.ts';
import { buildTransferFilter, TransferFilter } from '../money-in/transfer.ts';
import { buildChargeListFilter, ChargeFilter } from '../payments/charge-queries.ts';
import { buildRefundListFilter, RefundFilter } from '../payments/refund-queries.ts';
import { ExportFormat, ExportKind, ExportType } from './export.ts';

const CreateExportInputType = builder.inputType('CreateExportInput', {
  description: 'The export to create. Fields that do not apply to the chosen `kind` are rejected.',
  fields: (t) => ({
    kind: t.field({
      type: ExportKind,
      required: true,
      description: 'The kind of data to export. It determines which other fields can be provided.',
    }),
    chargeFilter: t.field({ type: ChargeFilter, description: 'The filters for an export of `charges`.' }),
    refundFilter: t.field({ type: RefundFilter, description: 'The filters for an export of `refunds`.' }),
    transferFilter: t.field({
      type: TransferFilter,
      description: 'The filters for an export of `transfers`.',
    }),
    startDate: t.field({
      type: 'Date',
      description: 'The first day of a `reconciliation` export, in your time zone. Required for this kind.',
    }),
    endDate: t.field({
      type: 'Date',
      description: 'The last day of a `reconciliation` export, in your time zone. Required for this kind.',
    }),
    format: t.field({
      type: ExportFormat,
      description:
        'The file format of a `payouts` export. The default is `csv`. Exports of all other kinds are CSV files.',
    }),
    refundIds: t.idList({
      description:
        'The IDs of the refunds to include in a `payouts` export. If omitted, all refunds that are ready to be paid are included, at most 5,000 per file.',
    }),
    payingAccountId: t.id({
      description:
        'The ID of the account from which the refunds of a `payouts` export are paid, `acc_…`. If `refundIds` is omitted, only refunds of charges that were paid to this account are included. If you omit the account, each refund is paid from the account to which its charge was paid.',
    }),
    includeExported: t.boolean({
      description:
        'Whether a `payouts` export includes refunds that have already been exported. The default is false. If true, make sure that you do not pay a refund twice.',
    }),
    includeByteOrderMark: t.boolean({
      description:
        'Whether a CSV file starts with a byte order mark, which some spreadsheets need to detect UTF-8. The default is false.',
    }),
  }),
});

const CreateExportSuccess = builder.objectRef<{ export: Export }>('CreateExportSuccess').implement({
  description:
    'The result of requesting an export. Query the export again until its status is `completed` or `failed`.',
  fields: (t) => ({
    export: t.expose('export', {
      type: ExportType,
      description: 'The created export, with the status `queued`.',
    }),
  }),
});

builder.mutationField('createExport', (t) =>
  t.field({
    type: CreateExportSuccess,
    errors: {},
    authScopes: { permission: 'read' },
    description:
      'Creates an export file in the background. The mutation fails with `receiving_account_not_found` if the `payingAccountId` does not exist, or with `invalid_request` if no refund is ready to be paid. Requires the permission `read`. An export of `payouts` contains bank details in plain text and requires the permission `transfers`.',
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

type ExportFields = Omit<InferInput<typeof CreateExportInputType>, 'kind'>;

/** The kind of export that each field belongs to. */
const fieldKinds: Partial<Record<keyof ExportFields, typeof ExportKind.$inferType>> = {
  chargeFilter: 'charges',
  refundFilter: 'refunds',
  transferFilter: 'transfers',
  startDate: 'reconciliation',
  endDate: 'reconciliation',
  format: 'payouts',
  refundIds: 'payouts',
  payingAccountId: 'payouts',
  includeExported: 'payouts',
};

/** Throws `invalid_request` if a field belongs to another kind of export. */
function rejectForeignFields(kind: typeof ExportKind.$inferType, fields: ExportFields): void {
  for (const [name, fieldKind] of Object.entries(fieldKinds)) {
    const isSet = fields[name as keyof ExportFields] != null;
    if (isSet && fieldKind !== kind)
      throw invalidInputError(`/${name}`, `can only be used for an export of ${fieldKind}`);
  }
}

async function toExportInput(
  { kind, ...input }: InferInput<typeof CreateExportInputType>,
  context: GraphqlContext,
): Promise<CreateExportInput> {
  rejectForeignFields(kind, input);
  const includeByteOrderMark = input.includeByteOrderMark;
  switch (kind) {
    case 'charges':
      return { kind, includeByteOrderMark, where: await buildChargeListFilter(context, input.chargeFilter) };
    case 'refunds':
      return { kind, includeByteOrderMark, where: buildRefundListFilter(context, input.refundFilter) };
    case 'transfers':
      return { kind, includeByteOrderMark, where: buildTransferFilter(context, input.transferFilter) };
    case 'reconciliation':
      if (input.startDate == null) throw invalidInputError('/startDate', 'is required');
      if (input.endDate == null) throw invalidInputError('/endDate', 'is required');
      return { kind, includeByteOrderMark, from: input.startDate, to: input.endDate };
    case 'payouts': {
      const { refundIds, payingAccountId, includeExported, format } = input;
      return {
        kind,
        includeByteOrderMark,
        refundIds,
        payingAccountId,
        includeExported,
        format: format ?? 'csv',
      };
    }
  }
}
