import type { ReceivingAccount } from '../../prisma/client/client.ts';
import { type ImportResult, importStatement } from '../../src/domain/money-in/statement/import-statement.ts';
import { previewStatement } from '../../src/domain/money-in/statement/preview-statement.ts';
import type { StatementPreview } from '../../src/domain/money-in/statement/statement-preview.ts';
import { updateStatementMapping } from '../../src/domain/money-in/statement/update-statement-mapping.ts';
import { ReceivingAccountType } from '../accounts/receiving-account.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope, getMerchantTime, toMutationContext } from '../kit/graphql-context.ts';
import { longRunning } from '../kit/operations-plugin.ts';
import { StatementError, StatementFormat, StatementType } from './statement.ts';
import { StatementMappingInput, StatementMappingType } from './statement-mapping.ts';
import { StatementPreviewRow } from './statement-preview-row.ts';

const StatementMappingOrigin = builder.enumType('StatementMappingOrigin', {
  description: 'The origin of the mapping in a preview.',
  values: {
    provided: { description: 'You provided the mapping.' },
    saved: { description: 'The mapping is the one last used for the account.' },
    detected: { description: 'The mapping was detected from the file.' },
  },
});

const PreviewType = builder.objectRef<StatementPreview>('StatementPreview').implement({
  description: 'A preview of how a statement file would be read. Nothing is imported.',
  fields: (t) => ({
    format: t.expose('format', {
      type: StatementFormat,
      nullable: true,
      description: 'The file format. Null for an XML file that could not be recognized.',
    }),
    mapping: t.field({
      type: StatementMappingType,
      nullable: true,
      description: 'The mapping with which a CSV file is read. Null for other formats.',
      resolve: ({ mapping }) => mapping,
    }),
    mappingOrigin: t.field({
      type: StatementMappingOrigin,
      nullable: true,
      description: 'The origin of the mapping of a CSV file. Null for other formats.',
      resolve: ({ mappingOrigin }) => mappingOrigin,
    }),
    columns: t.exposeStringList('columns', {
      description:
        'The header cells of a CSV file. If the file has no header, the cells of the longest row among the first rows.',
    }),
    accounts: t.exposeStringList('accounts', {
      description:
        'The accounts that the file contains, as the bank writes them, at most 20. Of several accounts, only one is recorded on the receiving account that you chose.',
    }),
    fileAccount: t.string({
      nullable: true,
      description:
        'The account whose movements would be recorded, if the file contains several: the one with the number of the receiving account. Null if the file contains one account, or if you must choose.',
      resolve: ({ fileAccount }) => fileAccount,
    }),
    rows: t.expose('rows', { type: [StatementPreviewRow], description: 'The first rows, at most 20.' }),
    errors: t.expose('errors', {
      type: [StatementError],
      description:
        'The errors in the first 2,000 rows, at most 20. A single error is enough to reject the file.',
    }),
    entryCount: t.exposeInt('entries', { description: 'The number of movements that were read.' }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'Whether the whole file was read. The import always checks the whole file first.',
    }),
  }),
});

const uploadIdArg = {
  required: true,
  description: 'The ID of the uploaded file, `up_…`, which `PUT /uploads` returned.',
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
        'The mapping for a CSV file. If omitted, the mapping last used for the account applies. If there is none, a mapping is detected from the file.',
    }),
  }),
});

const PreviewStatementSuccess = builder.objectRef<StatementPreview>('PreviewStatementSuccess').implement({
  description: 'The result of previewing a statement file.',
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
      'Previews how a statement file would be read, without importing anything. Requires the permission `transfers`.',
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
  description: 'The statement file to import, and the account to which it belongs.',
  fields: (t) => ({
    uploadId: t.id(uploadIdArg),
    receivingAccountId: t.id(accountIdArg),
    mapping: t.field({
      type: StatementMappingInput,
      description:
        'The mapping for a CSV file, which is also saved for later files of the account. If omitted, the mapping last used for the account applies.',
    }),
    fileAccount: t.string({
      description:
        'The account in the file whose movements are recorded, as the bank writes it. Required if the file contains several accounts and none has the number of the receiving account.',
    }),
  }),
});

const ImportStatementSuccess = builder.objectRef<ImportResult>('ImportStatementSuccess').implement({
  description:
    'The result of requesting an import. A worker imports the file; query the statement again until its status is `completed` or `failed`.',
  fields: (t) => ({
    statement: t.field({
      type: StatementType,
      description: 'The statement.',
      resolve: ({ statement }) => statement,
    }),
    isDuplicate: t.exposeBoolean('isDuplicate', {
      description:
        'Whether the same file had already been imported with the same mapping. If true, it is not imported again.',
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
      'Imports a bank statement file. A worker first reads the whole file, so that nothing of an invalid file is imported, and then records and matches its entries. The mutation can be repeated safely. Requires the permission `transfers`.',
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
    description: 'The result of setting a mapping. It applies to the future CSV files of the account.',
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
      'Sets the mapping with which the CSV files of an account’s bank are read. Imported transfers do not change. Requires the permission `transfers`.',
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
