import { getSkipReason, type SkipReason } from '../../src/domain/money-in/statement/import/convert-entry.ts';
import type {
  ImportPreview,
  ImportPreviewRow,
} from '../../src/domain/money-in/statement/preview/preview-import.ts';
import type { CsvQuestion, CsvQuestionKind } from '../../src/statement/csv-questions.ts';
import type { StatementEntry } from '../../src/statement/statement-entry.ts';
import { builder } from '../kit/builder.ts';
import { ChargeType } from '../payments/charge.ts';
import { toDecimalScalar } from '../scalars.ts';
import { StatementError } from './statement.ts';
import { StatementDiscrepancy } from './statement-control.ts';
import { StatementFormat } from './statement-enums.ts';
import { StatementMappingType } from './statement-mapping.ts';
import { TransferDirection, TransferStatus } from './transfer.ts';

const StatementSkipReason = builder.enumType('StatementSkipReason', {
  description: 'The reason why a movement is not recorded. More values may be added.',
  values: {
    provisional: {
      description:
        'The movement is only in an interim report (camt.052, MT942). It is recorded with the statement that books it.',
    },
    pending: { description: 'The movement is not booked yet, and may never be booked.' },
    information: { description: 'The movement is for information only.' },
    zero_amount: { description: 'The amount is zero.' },
  } satisfies Record<SkipReason, { description: string }>,
});

export const StatementPreviewEntry = builder.objectRef<StatementEntry>('StatementPreviewEntry').implement({
  description: 'A movement of a statement file, as it would be imported.',
  fields: (t) => ({
    direction: t.expose('direction', {
      type: TransferDirection,
      description: 'Whether the money was received (`credit`) or sent (`debit`).',
    }),
    isBooked: t.boolean({
      description: 'Whether the movement is booked. Movements that are not booked are ignored.',
      resolve: ({ status }) => status === 'booked',
    }),
    skipReason: t.field({
      type: StatementSkipReason,
      nullable: true,
      description: 'The reason why the movement will not be recorded. Null if it will be recorded.',
      resolve: getSkipReason,
    }),
    isReversal: t.exposeBoolean('isReversal', {
      description: 'Whether the movement reverses an earlier booking.',
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount of the movement, in `currency`. It is never negative.',
      resolve: ({ amount }) => toDecimalScalar(amount.minor, amount.currency),
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency of `amount`.',
      resolve: ({ amount }) => amount.currency,
    }),
    date: t.string({
      nullable: true,
      description:
        'The date of the movement, or its date and time, as the bank reported it. Null if the file has none.',
      resolve: (entry) =>
        entry.bookedAt?.toISOString() ?? entry.bookedAtLocal ?? entry.bookedOn ?? entry.valueOn,
    }),
    reference: t.string({
      description: 'The text that the payer wrote, which is searched for the payment reference.',
      resolve: ({ reference, additionalInfo }) => [reference, additionalInfo].filter(Boolean).join(' '),
    }),
    payerName: t.string({
      nullable: true,
      description: 'The name of the counterparty. Null if the file has none.',
      resolve: ({ counterpartyName }) => counterpartyName,
    }),
    bankReference: t.string({
      nullable: true,
      description: 'The bank’s reference for the movement. Null if the file has none.',
      resolve: ({ bankReference }) => bankReference,
    }),
  }),
});

const StatementPreviewRow = builder.objectRef<ImportPreviewRow>('StatementPreviewRow').implement({
  description: 'A row of a statement file and the movement read from it.',
  fields: (t) => ({
    line: t.exposeInt('line', {
      description: 'The line in the file on which the row starts, starting at 1.',
    }),
    cells: t.exposeStringList('cells', {
      description: 'The cells of the row of a table. For other formats, the list is empty.',
    }),
    entry: t.field({
      type: StatementPreviewEntry,
      nullable: true,
      description: 'The movement. Null for a row that is not a movement or cannot be read.',
      resolve: ({ entry }) => entry,
    }),
    status: t.field({
      type: TransferStatus,
      nullable: true,
      description:
        'The status that the transfer would have if you imported the file now. Null for debits, for bookings of several payments, for rows that are not recorded, and while the file has errors or open questions.',
      resolve: ({ outcome }) => outcome?.status,
    }),
    charge: t.field({
      type: ChargeType,
      nullable: true,
      description:
        'The charge that the movement would pay, or for a duplicate has paid. Null if it would be unmatched.',
      resolve: ({ outcome }) => outcome?.charge,
    }),
  }),
});

const StatementMappingOrigin = builder.enumType('StatementMappingOrigin', {
  description: 'The origin of the mapping in a preview.',
  values: {
    provided: { description: 'You provided the mapping.' },
    saved: { description: 'The mapping is the one last used for the account.' },
    detected: { description: 'The mapping was detected from the file.' },
  },
});

const StatementQuestionKind = builder.enumType('StatementQuestionKind', {
  description: 'The kind of a question about a statement file. More values may be added.',
  values: {
    date_order: {
      description:
        'All dates are ambiguous: day and month could be exchanged. Set `dateOrder` to `dmy` or `mdy`.',
    },
    decimal_mark: {
      description:
        'All amounts are ambiguous: the mark could be a decimal mark or group digits. Set `decimalMark`.',
    },
    direction: {
      description:
        'A value of `directionColumn` is unknown. Add it to `creditValues`, `debitValues` or `ignoredValues`.',
    },
    sheet: { description: 'Another worksheet has movements too. Set `sheet`.' },
    status: {
      description:
        'A value of `statusColumn` is unknown. Add it to `bookedValues` if it says that the money has moved.',
    },
    sign: {
      description:
        'No amount has a sign, and no column has the direction. Set `isCreditNegative`, or choose other columns.',
    },
  } satisfies Record<CsvQuestionKind, object>,
});

const StatementQuestionType = builder.objectRef<CsvQuestion>('StatementQuestion').implement({
  description:
    'A decision that the file leaves open, so that a suggested mapping must not be used unchecked.',
  fields: (t) => ({
    kind: t.expose('kind', { type: StatementQuestionKind, description: 'The decision that you must make.' }),
    sample: t.exposeString('sample', {
      description:
        'The text of the file that is unclear: a date, an amount, a value, or the name of a worksheet.',
    }),
  }),
});

export const StatementPreviewType = builder.objectRef<ImportPreview>('StatementPreview').implement({
  description: 'A preview of how a statement file would be read. Nothing is imported.',
  fields: (t) => ({
    format: t.expose('format', {
      type: StatementFormat,
      nullable: true,
      description: 'The detected format of the file. Null for an XML file that could not be recognized.',
    }),
    mapping: t.field({
      type: StatementMappingType,
      nullable: true,
      description: 'The mapping with which a table, such as a CSV file, is read. Null for other formats.',
      resolve: ({ mapping }) => mapping,
    }),
    mappingOrigin: t.field({
      type: StatementMappingOrigin,
      nullable: true,
      description: 'The origin of the mapping of a table. Null for other formats.',
      resolve: ({ mappingOrigin }) => mappingOrigin,
    }),
    bank: t.exposeString('bank', {
      nullable: true,
      description:
        'The bank whose export has exactly this header. Null if the mapping was not detected, or the header is unknown.',
    }),
    questions: t.expose('questions', {
      type: [StatementQuestionType],
      description:
        'The decisions that you must make before you import the file with the detected mapping. Empty for other mappings.',
    }),
    discrepancies: t.expose('discrepancies', {
      type: [StatementDiscrepancy],
      description:
        'The differences from the control totals, the account or the earlier statements. If there are any, the import must be confirmed. Empty if the file was not read completely, or has errors.',
    }),
    columns: t.exposeStringList('columns', {
      description:
        'The header cells of a table. If the file has no header, the cells of the longest row among the first rows.',
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
    rows: t.expose('rows', {
      type: [StatementPreviewRow],
      description: 'The first rows of the file, at most 20, each with the movement read from it.',
    }),
    errors: t.expose('errors', {
      type: [StatementError],
      description:
        'The errors in the first 2,000 rows, at most 20. A single error is enough to reject the file.',
    }),
    notes: t.exposeStringList('notes', {
      description:
        'Remarks about how the file was read, in English, for example that its format is newer than the versions that Causeway supports. Empty if the file has more than 2,000 rows.',
    }),
    entryCount: t.exposeInt('entries', { description: 'The number of movements that were read.' }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'Whether the whole file was read. The import always checks the whole file first.',
    }),
  }),
});
