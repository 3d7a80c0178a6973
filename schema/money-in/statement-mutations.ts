import type { ReceivingAccount } from '../../prisma/client/client.ts';
import { type Imported, importStatement } from '../../src/domain/money-in/statement/import-statement.ts';
import { previewStatement } from '../../src/domain/money-in/statement/preview-statement.ts';
import type { PreviewRow, StatementPreview } from '../../src/domain/money-in/statement/statement-preview.ts';
import { updateStatementMapping } from '../../src/domain/money-in/statement/update-statement-mapping.ts';
import type { StatementEntry } from '../../src/statement/statement-entry.ts';
import { ReceivingAccountType } from '../accounts/receiving-account.ts';
import { builder } from '../kit/builder.ts';
import { changing, owned, ownNow } from '../kit/graphql-context.ts';
import { takesTime } from '../kit/operations-plugin.ts';
import { decimal } from '../scalars.ts';
import { StatementFault, StatementType } from './statement.ts';
import { StatementMappingInput, StatementMappingType } from './statement-mapping.ts';
import { TransferDirection } from './transfer.ts';

const PreviewedEntry = builder.objectRef<StatementEntry>('PreviewedEntry').implement({
  description: 'A movement of a file, as it would be imported.',
  fields: (t) => ({
    direction: t.expose('direction', { type: TransferDirection, description: 'Which way money went.' }),
    isBooked: t.boolean({
      description: 'Whether it has moved for good; else it counts nothing.',
      resolve: ({ status }) => status === 'booked',
    }),
    isReversal: t.exposeBoolean('reversal', {
      description: 'Whether the bank takes an earlier booking back.',
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'How much.',
      resolve: ({ amount }) => decimal(amount.minor, amount.currency),
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'What it is in.',
      resolve: ({ amount }) => amount.currency,
    }),
    date: t.string({
      nullable: true,
      description: 'The date, or the time as the bank wrote it.',
      resolve: (entry) =>
        entry.bookedAt?.toISOString() ?? entry.bookedAtLocal ?? entry.bookedOn ?? entry.valueOn,
    }),
    reference: t.string({
      description: 'What the payer wrote, where the nonce is looked for.',
      resolve: ({ reference, additionalInfo }) => [reference, additionalInfo].filter(Boolean).join(' '),
    }),
    payerName: t.string({
      nullable: true,
      description: 'The other side.',
      resolve: ({ counterpartyName }) => counterpartyName,
    }),
    bankReference: t.string({
      nullable: true,
      description: 'What the bank calls it by.',
      resolve: ({ bankReference }) => bankReference,
    }),
  }),
});

const PreviewedRow = builder.objectRef<PreviewRow>('PreviewedRow').implement({
  description: 'A row of a file, and what it comes to.',
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'The line of the file it begins on.' }),
    cells: t.exposeStringList('cells', { description: 'Of CSV: what stands in its columns.' }),
    entry: t.field({
      type: PreviewedEntry,
      nullable: true,
      description: 'The movement; null for a row that moves nothing, or cannot be read.',
      resolve: ({ entry }) => entry,
    }),
  }),
});

const MappingFrom = builder.enumType('StatementMappingFrom', {
  description: 'Where the mapping of a preview comes from.',
  values: {
    given: { description: 'From you.' },
    account: { description: 'The account’s files were read so before.' },
    guess: { description: 'It was guessed from the file.' },
  },
});

const PreviewType = builder.objectRef<StatementPreview>('StatementPreview').implement({
  description: 'How a file would be read. Nothing has been imported.',
  fields: (t) => ({
    format: t.exposeString('format', { description: '`camt`, `mt940` or `csv`.' }),
    mapping: t.field({
      type: StatementMappingType,
      nullable: true,
      description: 'Of CSV: how it is read.',
      resolve: ({ mapping }) => mapping,
    }),
    mappingFrom: t.field({
      type: MappingFrom,
      nullable: true,
      description: 'Of CSV: where the mapping comes from.',
      resolve: ({ mappingFrom }) => mappingFrom,
    }),
    columns: t.exposeStringList('columns', {
      description: 'Of CSV: the cells of the header; where there is none, of the widest of the first rows.',
    }),
    accounts: t.exposeStringList('accounts', {
      description:
        'Which accounts the file says it is of, as the bank writes them, at most 20. All of it would be recorded on the one you name.',
    }),
    rows: t.expose('rows', { type: [PreviewedRow], description: 'The first rows, at most 20.' }),
    faults: t.expose('faults', {
      type: [StatementFault],
      description:
        'What is wrong among the first 2,000 rows, at most 20 faults. One is enough to refuse the file.',
    }),
    entries: t.exposeInt('entries', { description: 'Movements that were read.' }),
    isWhole: t.exposeBoolean('isWhole', {
      description: 'Whether the whole file was read; its import looks at all of it first.',
    }),
  }),
});

const uploadOf = { required: true, description: 'The file, as `PUT /uploads` named it: `up_…`.' } as const;
const accountOf = { required: true, description: 'The account it is of, `acc_…`.' } as const;

const PreviewStatementInput = builder.inputType('PreviewStatementInput', {
  description: 'Which file to look into.',
  fields: (t) => ({
    uploadId: t.id(uploadOf),
    receivingAccountId: t.id(accountOf),
    mapping: t.field({
      type: StatementMappingInput,
      description:
        'Of CSV: how to read it; left out, as the account’s files were read before, or as is guessed.',
    }),
  }),
});

const PreviewStatementSuccess = builder.objectRef<StatementPreview>('PreviewStatementSuccess').implement({
  description: 'The file was looked into.',
  fields: (t) => ({
    preview: t.field({ type: PreviewType, description: 'What it shows.', resolve: (preview) => preview }),
  }),
});

builder.mutationField('previewStatement', (t) =>
  t.field({
    ...takesTime,
    type: PreviewStatementSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description: 'Shows how a statement file would be read, importing nothing. Permission: `transfers`.',
    args: { input: t.arg({ type: PreviewStatementInput, required: true, description: 'Which file.' }) },
    resolve: (_root, { input }, context) =>
      previewStatement(context.service, {
        ...owned(context),
        ...input,
        now: ownNow(context),
        machineNow: context.clock.now(),
      }),
  }),
);

const ImportStatementInput = builder.inputType('ImportStatementInput', {
  description: 'Which file to import to which account.',
  fields: (t) => ({
    uploadId: t.id(uploadOf),
    receivingAccountId: t.id(accountOf),
    mapping: t.field({
      type: StatementMappingInput,
      description:
        'Of CSV: how to read it, from now on too. Left out: as the account’s files were read before.',
    }),
  }),
});

const ImportStatementSuccess = builder.objectRef<Imported>('ImportStatementSuccess').implement({
  description: 'The import waits for a worker, or was asked for before: ask for its `status`.',
  fields: (t) => ({
    statement: t.field({
      type: StatementType,
      description: 'The statement.',
      resolve: ({ statement }) => statement,
    }),
    alreadyImported: t.exposeBoolean('alreadyImported', {
      description: 'Whether this very file, read in this way, had been imported before: nothing was done.',
    }),
  }),
});

builder.mutationField('importStatement', (t) =>
  t.field({
    ...takesTime,
    type: ImportStatementSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Imports a bank statement file. A worker reads all of it first, so that a broken one imports nothing, then records and matches its entries. Safe to repeat. Permission: `transfers`.',
    args: { input: t.arg({ type: ImportStatementInput, required: true, description: 'Which file.' }) },
    resolve: (_root, { input }, context) =>
      importStatement(context.service, {
        ...changing(context),
        ...input,
        machineNow: context.clock.now(),
      }),
  }),
);

const UpdateStatementMappingInput = builder.inputType('UpdateStatementMappingInput', {
  description: 'How to read the CSV files of an account from now on.',
  fields: (t) => ({
    receivingAccountId: t.id({ required: true, description: 'The account, `acc_…`.' }),
    mapping: t.field({ type: StatementMappingInput, required: true, description: 'How to read them.' }),
  }),
});

const UpdateStatementMappingSuccess = builder
  .objectRef<ReceivingAccount>('UpdateStatementMappingSuccess')
  .implement({
    description: 'The CSV files of the account are read so from now on.',
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
      'Sets how the CSV files of an account’s bank are read; what was imported stays as it is. Permission: `transfers`.',
    args: {
      input: t.arg({ type: UpdateStatementMappingInput, required: true, description: 'Which and how.' }),
    },
    resolve: (_root, { input }, context) =>
      updateStatementMapping(context.service, { ...changing(context), ...input }),
  }),
);
