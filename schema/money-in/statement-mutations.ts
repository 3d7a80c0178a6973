import { importStatement } from '../../src/domain/money-in/statement/import/import-statement.ts';
import { previewImport } from '../../src/domain/money-in/statement/preview/preview-import.ts';
import { updateStatementMapping } from '../../src/domain/money-in/statement/statement-mapping.ts';
import { ReceivingAccountType } from '../accounts/receiving-account.ts';
import { builder } from '../kit/builder.ts';
import { toMutationContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { StatementType } from './statement.ts';
import { StatementMappingInput } from './statement-mapping.ts';
import { StatementPreviewType } from './statement-preview.ts';

const uploadIdArg = {
  required: true,
  description: 'The ID of the uploaded file, `up_…`, which `PUT /uploads` returned.',
} as const;
const accountIdArg = {
  required: true,
  description: 'The ID of the receiving account that the statement belongs to, `acc_…`.',
} as const;

const PreviewStatementInput = builder.inputType('PreviewStatementInput', {
  description: 'The statement file to preview.',
  fields: (t) => ({
    uploadId: t.id(uploadIdArg),
    receivingAccountId: t.id(accountIdArg),
    mapping: t.field({
      type: StatementMappingInput,
      description:
        'The mapping for a table, such as a CSV file. If omitted, the mapping last used for the account applies. If there is none, a mapping is detected from the file.',
    }),
  }),
});

const PreviewStatementSuccess = successType('PreviewStatementSuccess', {
  description: 'The result of previewing a statement file. Nothing was imported.',
  fields: {
    preview: {
      type: StatementPreviewType,
      description: 'The first rows of the file as they would be imported, and the errors found.',
    },
  },
});

builder.mutationField('previewStatement', (t) =>
  t.field({
    type: PreviewStatementSuccess,
    errors: {},
    twoFactor: 'never',
    isLongRunning: true,
    ignoresIdempotencyKey: true,
    authScopes: { permission: 'transfers' },
    description:
      'Previews how a statement file would be read, without importing anything. The mutation fails with `upload_not_found`, with `receiving_account_not_found`, or with `invalid_statement` if the file cannot be read at all. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: PreviewStatementInput,
        required: true,
        description: 'The statement file to preview.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      preview: await previewImport(context.service, {
        ...toMutationContext(context),
        ...input,
        systemNow: context.clock.now(),
      }),
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
        'The mapping for a table, such as a CSV file, which is also saved for later files of the account. If omitted, the mapping last used for the account applies.',
    }),
    fileAccount: t.string({
      description:
        'The account in the file whose movements are recorded, as the bank writes it. Required if the file contains several accounts and none has the number of the receiving account.',
    }),
  }),
});

const ImportStatementSuccess = successType('ImportStatementSuccess', {
  description:
    'The result of requesting an import. A worker imports the file. Query the statement again until its status is `completed`, `failed` or `awaiting_confirmation`.',
  fields: {
    statement: { type: StatementType, description: 'The statement, whose import has been queued.' },
    isDuplicate: {
      type: 'Boolean',
      description:
        'Whether the same file had already been imported with the same mapping. If true, it is not imported again.',
    },
  },
});

builder.mutationField('importStatement', (t) =>
  t.field({
    type: ImportStatementSuccess,
    errors: {},
    twoFactor: 'live',
    isLongRunning: true,
    authScopes: { permission: 'transfers' },
    description:
      'Imports a bank statement file. A worker first reads the whole file, so that nothing of an invalid file is imported, and then records and matches its entries. The mutation can be repeated safely. It fails with `upload_not_found`, with `receiving_account_not_found`, with `invalid_request` if there is no mapping for a CSV file, or with `invalid_statement` if the format of the file is not supported. Requires the permission `transfers`.',
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
        systemNow: context.clock.now(),
      }),
  }),
);

const UpdateStatementMappingInput = builder.inputType('UpdateStatementMappingInput', {
  description: 'The account, and the mapping for its future CSV files.',
  fields: (t) => ({
    receivingAccountId: t.id({ required: true, description: 'The ID of the receiving account, `acc_…`.' }),
    mapping: t.field({
      type: StatementMappingInput,
      required: true,
      description: 'The mapping that replaces the current one.',
    }),
  }),
});

const UpdateStatementMappingSuccess = successType('UpdateStatementMappingSuccess', {
  description: 'The result of setting a mapping. It applies to the future CSV files of the account.',
  fields: {
    receivingAccount: {
      type: ReceivingAccountType,
      description: 'The account, with the mapping in `statementMapping`.',
    },
  },
});

builder.mutationField('updateStatementMapping', (t) =>
  t.field({
    type: UpdateStatementMappingSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Sets the mapping with which the CSV files of an account’s bank are read. Imported transfers do not change. The mutation fails with `receiving_account_not_found` if the account does not exist. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: UpdateStatementMappingInput,
        required: true,
        description: 'The account and its new mapping.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      receivingAccount: await updateStatementMapping(context.service, {
        ...toMutationContext(context),
        ...input,
      }),
    }),
  }),
);
