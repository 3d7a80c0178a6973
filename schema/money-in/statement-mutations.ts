import type { ReceivingAccount } from '../../prisma/client/client.ts';
import { type ImportResult, importStatement } from '../../src/domain/money-in/statement/import-statement.ts';
import { previewStatement } from '../../src/domain/money-in/statement/preview-statement.ts';
import type { PreviewRow, StatementPreview } from '../../src/domain/money-in/statement/statement-preview.ts';
import { updateStatementMapping } from '../../src/domain/money-in/statement/update-statement-mapping.ts';
import type { StatementEntry } from '../../src/statement/statement-entry.ts';
import { ReceivingAccountType } from '../accounts/receiving-account.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope, getMerchantTime, toMutationContext } from '../kit/graphql-context.ts';
import { longRunning } from '../kit/operations-plugin.ts';
import { toDecimalScalar } from '../scalars.ts';
import { StatementFault, StatementType } from './statement.ts';
import { StatementMappingInput, StatementMappingType } from './statement-mapping.ts';
import { TransferDirection } from './transfer.ts';

const PreviewedEntry = builder.objectRef<StatementEntry>('StatementPreviewEntry').implement({
  description: 'A movement of a statement file, as it would be imported.',
  fields: (t) => ({
    direction: t.expose('direction', {
      type: TransferDirection,
      description: 'The direction of the movement.',
    }),
    isBooked: t.boolean({
      description: 'Whether the movement is booked. Movements that are not booked are ignored.',
      resolve: ({ status }) => status === 'booked',
    }),
    isReversal: t.exposeBoolean('reversal', {
      description: 'Whether the bank reverses an earlier booking.',
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount of the movement.',
      resolve: ({ amount }) => toDecimalScalar(amount.minor, amount.currency),
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency of the amount.',
      resolve: ({ amount }) => amount.currency,
    }),
    date: t.string({
      nullable: true,
      description: 'The date, or the time as the bank reported it.',
      resolve: (entry) =>
        entry.bookedAt?.toISOString() ?? entry.bookedAtLocal ?? entry.bookedOn ?? entry.valueOn,
    }),
    reference: t.string({
      description: 'The text that the payer wrote, which is searched for the payment reference.',
      resolve: ({ reference, additionalInfo }) => [reference, additionalInfo].filter(Boolean).join(' '),
    }),
    payerName: t.string({
      nullable: true,
      description: 'The name of the counterparty.',
      resolve: ({ counterpartyName }) => counterpartyName,
    }),
    bankReference: t.string({
      nullable: true,
      description: 'The bank’s reference for the movement.',
      resolve: ({ bankReference }) => bankReference,
    }),
  }),
});

const PreviewedRow = builder.objectRef<PreviewRow>('StatementPreviewRow').implement({
  description: 'A row of a statement file and the movement read from it.',
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'The line of the file that the row starts on.' }),
    cells: t.exposeStringList('cells', { description: 'The cells of a CSV row.' }),
    entry: t.field({
      type: PreviewedEntry,
      nullable: true,
      description: 'The movement. Null for a row that is not a movement or cannot be read.',
      resolve: ({ entry }) => entry,
    }),
  }),
});

const MappingFrom = builder.enumType('StatementMappingOrigin', {
  description: 'The origin of the mapping in a preview.',
  values: {
    provided: { description: 'You provided the mapping.' },
    saved: { description: 'The mapping is the one last used for the account.' },
    detected: { description: 'The mapping was guessed from the file.' },
  },
});

const PreviewType = builder.objectRef<StatementPreview>('StatementPreview').implement({
  description: 'A preview of how a statement file would be read. Nothing is imported.',
  fields: (t) => ({
    format: t.exposeString('format', { description: 'The file format: `camt`, `mt940` or `csv`.' }),
    mapping: t.field({
      type: StatementMappingType,
      nullable: true,
      description: 'The mapping with which a CSV file is read. Null for other formats.',
      resolve: ({ mapping }) => mapping,
    }),
    mappingOrigin: t.field({
      type: MappingFrom,
      nullable: true,
      description: 'The origin of the mapping of a CSV file. Null for other formats.',
      resolve: ({ mappingOrigin }) => mappingOrigin,
    }),
    columns: t.exposeStringList('columns', {
      description:
        'The header cells of a CSV file. Without a header, the cells of the widest of the first rows.',
    }),
    accounts: t.exposeStringList('accounts', {
      description:
        'The accounts that the file names, as the bank writes them, at most 20. All movements are recorded on the account you choose.',
    }),
    rows: t.expose('rows', { type: [PreviewedRow], description: 'The first rows, at most 20.' }),
    errors: t.expose('faults', {
      type: [StatementFault],
      description:
        'The faults in the first 2,000 rows, at most 20. A single fault is enough to reject the file.',
    }),
    entryCount: t.exposeInt('entries', { description: 'The number of movements that were read.' }),
    isComplete: t.exposeBoolean('isWhole', {
      description: 'Whether the whole file was read. The import always checks the whole file first.',
    }),
  }),
});

const uploadIdArg = {
  required: true,
  description: 'The ID of the uploaded file, as returned by `PUT /uploads`: `up_…`.',
} as const;
const accountIdArg = {
  required: true,
  description: 'The ID of the account that the statement belongs to, `acc_…`.',
} as const;

const PreviewStatementInput = builder.inputType('PreviewStatementInput', {
  description: 'The statement file to preview.',
  fields: (t) => ({
    uploadId: t.id(uploadIdArg),
    receivingAccountId: t.id(accountIdArg),
    mapping: t.field({
      type: StatementMappingInput,
      description:
        'The mapping for a CSV file. If omitted, the mapping last used for the account, or else a guess.',
    }),
  }),
});

const PreviewStatementSuccess = builder.objectRef<StatementPreview>('PreviewStatementSuccess').implement({
  description: 'The preview of the statement file.',
  fields: (t) => ({
    preview: t.field({ type: PreviewType, description: 'The preview.', resolve: (preview) => preview }),
  }),
});

builder.mutationField('previewStatement', (t) =>
  t.field({
    ...longRunning,
    type: PreviewStatementSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Previews how a statement file would be read, without importing anything. Permission: `transfers`.',
    args: {
      input: t.arg({
        type: PreviewStatementInput,
        required: true,
        description: 'The statement file to preview.',
      }),
    },
    resolve: (_root, { input }, context) =>
      previewStatement(context.service, {
        ...getMerchantScope(context),
        ...input,
        now: getMerchantTime(context),
        machineNow: context.clock.now(),
      }),
  }),
);

const ImportStatementInput = builder.inputType('ImportStatementInput', {
  description: 'The statement file to import and the account it belongs to.',
  fields: (t) => ({
    uploadId: t.id(uploadIdArg),
    receivingAccountId: t.id(accountIdArg),
    mapping: t.field({
      type: StatementMappingInput,
      description:
        'The mapping for a CSV file, which is also saved for later files. If omitted, the mapping last used for the account.',
    }),
  }),
});

const ImportStatementSuccess = builder.objectRef<ImportResult>('ImportStatementSuccess').implement({
  description:
    'The import, which is queued for a worker or was requested before. Query the statement again for its `status`.',
  fields: (t) => ({
    statement: t.field({
      type: StatementType,
      description: 'The statement.',
      resolve: ({ statement }) => statement,
    }),
    isDuplicate: t.exposeBoolean('alreadyImported', {
      description:
        'Whether the same file had already been imported with the same mapping, so that nothing was done.',
    }),
  }),
});

builder.mutationField('importStatement', (t) =>
  t.field({
    ...longRunning,
    type: ImportStatementSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Imports a bank statement file. A worker reads the whole file first, so that nothing of an invalid file is imported, and then records and matches its entries. Safe to repeat. Permission: `transfers`.',
    args: {
      input: t.arg({
        type: ImportStatementInput,
        required: true,
        description: 'The statement file to import.',
      }),
    },
    resolve: (_root, { input }, context) =>
      importStatement(context.service, {
        ...toMutationContext(context),
        ...input,
        machineNow: context.clock.now(),
      }),
  }),
);

const UpdateStatementMappingInput = builder.inputType('UpdateStatementMappingInput', {
  description: 'The mapping for future CSV files of an account.',
  fields: (t) => ({
    receivingAccountId: t.id({ required: true, description: 'The ID of the account, `acc_…`.' }),
    mapping: t.field({ type: StatementMappingInput, required: true, description: 'The new mapping.' }),
  }),
});

const UpdateStatementMappingSuccess = builder
  .objectRef<ReceivingAccount>('UpdateStatementMappingSuccess')
  .implement({
    description: 'The account, whose future CSV files are read with the new mapping.',
    fields: (t) => ({
      receivingAccount: t.field({
        type: ReceivingAccountType,
        description: 'The account.',
        resolve: (account) => account,
      }),
    }),
  });

builder.mutationField('updateStatementMapping', (t) =>
  t.field({
    type: UpdateStatementMappingSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Sets the mapping with which the CSV files of an account’s bank are read. Imported transfers do not change. Permission: `transfers`.',
    args: {
      input: t.arg({
        type: UpdateStatementMappingInput,
        required: true,
        description: 'The account and its new mapping.',
      }),
    },
    resolve: (_root, { input }, context) =>
      updateStatementMapping(context.service, { ...toMutationContext(context), ...input }),
  }),
);
