import type { JournalAccount } from '../../src/domain/money-in/books/postings-sql.ts';
import { type CreateExportInput, createExport } from '../../src/domain/payouts/export/create-export.ts';
import { invalidInputError } from '../../src/kit/errors.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { type GraphqlContext, toRequestContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { buildTransferFilter, TransferFilter } from '../money-in/transfer.ts';
import { buildChargeListFilter, ChargeFilter } from '../payments/charge-queries.ts';
import { buildCustomerListFilter, CustomerFilter } from '../payments/customer-queries.ts';
import { buildRefundListFilter, RefundFilter } from '../payments/refund-queries.ts';
import { ExportFormat, ExportKind, ExportType } from './export.ts';

const JournalAccountEnum = builder.enumType('JournalAccount', {
  description: 'An account of the journal.',
  values: {
    bank: { description: 'Your receiving accounts; in Xero, use a clearing account.' },
    sales: { description: 'The amounts of completed charges, including fees that banks deducted.' },
    customer_deposits: { description: 'Payments of charges that are not fully paid.' },
    refunds: { description: 'Refunds that were paid out, less returned ones.' },
    bank_fees: { description: 'Fees that banks deducted from payments or batches.' },
    other_income: { description: 'Received money that is not a customer payment.' },
    unmatched_receipts: { description: 'Received money that is not allocated yet.' },
    returned_receipts: { description: 'Received money that was returned to payers or reversed by the bank.' },
  } satisfies Record<JournalAccount, object>,
});

const XeroAccountCodeInput = builder.inputType('XeroAccountCodeInput', {
  description: 'The Xero code of one account of the journal.',
  fields: (t) => ({
    account: t.field({
      type: JournalAccountEnum,
      required: true,
      description: 'The account of the journal.',
    }),
    code: t.string({
      required: true,
      description: 'The code of the account in your chart of accounts, at most 10 characters.',
    }),
  }),
});

const XeroJournalInput = builder.inputType('XeroJournalInput', {
  description:
    'The settings of a `journal` export for Xero, in the format of its template for manual journals. Manual journals are in the base currency of the organization and cannot post to bank accounts.',
  fields: (t) => ({
    currency: t.field({
      type: 'CurrencyCode',
      required: true,
      description: 'The currency whose entries are exported, which is the base currency in Xero.',
    }),
    taxRateName: t.string({
      description:
        'The full name of the tax rate in Xero, at most 50 characters. The default is `Tax Exempt`.',
    }),
    accountCodes: t.field({
      type: [XeroAccountCodeInput],
      description:
        'The codes of your chart of accounts. The code of `bank`, a clearing account, is required. Other accounts that you do not list get the codes of Xero’s default chart of accounts.',
    }),
  }),
});

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
    customerFilter: t.field({
      type: CustomerFilter,
      description: 'The filters for an export of `customers`.',
    }),
    reverse: t.boolean({
      description:
        'Whether the file of a list starts with the oldest objects. The default is false: the newest objects come first.',
    }),
    startDate: t.field({
      type: 'Date',
      description:
        'The first day of a `reconciliation` or `journal` export, in your time zone. Required for these kinds.',
    }),
    endDate: t.field({
      type: 'Date',
      description:
        'The last day of a `reconciliation` or `journal` export, in your time zone. It must not be before `startDate`. Required for these kinds.',
    }),
    xero: t.field({
      type: XeroJournalInput,
      description:
        'The settings of a `journal` export for Xero. If omitted, the journal is a CSV file with one line for each debit and credit.',
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

const CreateExportSuccess = successType('CreateExportSuccess', {
  description:
    'The result of requesting an export. Query the export again until its status is `completed` or `failed`.',
  fields: { export: { type: ExportType, description: 'The created export, with the status `queued`.' } },
});

builder.mutationField('createExport', (t) =>
  t.field({
    type: CreateExportSuccess,
    errors: {},
    twoFactor: 'payouts',
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
const fieldKinds: Partial<Record<keyof ExportFields, readonly (typeof ExportKind.$inferType)[]>> = {
  chargeFilter: ['charges'],
  refundFilter: ['refunds'],
  transferFilter: ['transfers'],
  customerFilter: ['customers'],
  reverse: ['charges', 'refunds', 'transfers', 'customers'],
  startDate: ['reconciliation', 'journal'],
  endDate: ['reconciliation', 'journal'],
  xero: ['journal'],
  format: ['payouts'],
  refundIds: ['payouts'],
  payingAccountId: ['payouts'],
  includeExported: ['payouts'],
};

function rejectForeignFields(kind: typeof ExportKind.$inferType, fields: ExportFields): void {
  for (const [name, kinds] of Object.entries(fieldKinds)) {
    const isSet = fields[name as keyof ExportFields] != null;
    if (isSet && !kinds.includes(kind))
      throw invalidInputError(`/${name}`, `can only be used for an export of ${kinds.join(' or ')}`);
  }
}

async function toExportInput(
  { kind, ...input }: InferInput<typeof CreateExportInputType>,
  context: GraphqlContext,
): Promise<CreateExportInput> {
  rejectForeignFields(kind, input);
  const { includeByteOrderMark, reverse } = input;
  const list = { includeByteOrderMark, reverse };
  switch (kind) {
    case 'charges':
      return { kind, ...list, where: await buildChargeListFilter(context, input.chargeFilter) };
    case 'refunds':
      return { kind, ...list, where: buildRefundListFilter(context, input.refundFilter) };
    case 'transfers':
      return { kind, ...list, where: buildTransferFilter(context, input.transferFilter) };
    case 'customers':
      return { kind, ...list, where: buildCustomerListFilter(context, input.customerFilter) };
    case 'reconciliation':
      return { kind, includeByteOrderMark, ...getDays(input) };
    case 'journal':
      return { kind, includeByteOrderMark, ...getDays(input), xero: input.xero };
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

function getDays({ startDate, endDate }: Pick<ExportFields, 'startDate' | 'endDate'>) {
  if (startDate == null) throw invalidInputError('/startDate', 'is required');
  if (endDate == null) throw invalidInputError('/endDate', 'is required');
  return { from: startDate, to: endDate };
}
