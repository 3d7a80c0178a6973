import { findStatementMapping } from '../../src/domain/money-in/statement/statement-mapping.ts';
import {
  type CsvMapping,
  type csvAmountFormats,
  type csvDateOrders,
  csvDelimiters,
  csvEncodings,
} from '../../src/statement/csv-mapping.ts';
import { builder } from '../kit/builder.ts';

const AmountFormat = builder.enumType('StatementAmountFormat', {
  description: 'The way in which a table represents the amount and the direction of a movement.',
  values: {
    signed: {
      description:
        'The file has one column with signed amounts. Positive amounts are credits and negative amounts are debits, or the reverse if `isCreditNegative` is true.',
    },
    separate_columns: { description: 'The file has one column for credits and one for debits.' },
    direction_column: { description: 'The file has one column for the amount and one for the direction.' },
  } satisfies Record<(typeof csvAmountFormats)[number], object>,
});

const DateOrder = builder.enumType('StatementDateOrder', {
  description:
    'The order in which a date is written. A four-digit year can come first regardless of this order.',
  values: {
    ymd: { description: 'The date is written as year, month and day, such as `2026-11-20`.' },
    dmy: { description: 'The date is written as day, month and year, such as `20/11/2026`.' },
    mdy: { description: 'The date is written as month, day and year, such as `11/20/2026`.' },
  } satisfies Record<(typeof csvDateOrders)[number], object>,
});

const columnText =
  'A column is identified by the text of its header or by its number, such as `#3` for the third column.';

/** Descriptions of the fields that name a column. */
const columnDescriptions = {
  dateColumn: 'The column of the date, with or without the time of day.',
  timeColumn: 'The column of the time of day, if it is separate from the date. Null otherwise.',
  valueDateColumn: 'The column of the value date. Null if the file has no such column.',
  amountColumn:
    'The column of the amount. Required if `amountFormat` is `signed` or `direction_column`; null otherwise.',
  creditColumn: 'The column of credits. Required if `amountFormat` is `separate_columns`; null otherwise.',
  debitColumn: 'The column of debits. Required if `amountFormat` is `separate_columns`; null otherwise.',
  directionColumn:
    'The column of the direction. Required if `amountFormat` is `direction_column`; null otherwise.',
  currencyColumn: 'The column of the currency. If null, all amounts are in the currency of the account.',
  accountColumn:
    'The column of the number of your account. The import compares it with the receiving account. Null if the file has no such column.',
  payerNameColumn: 'The column of the counterparty’s name. Null if the file has no such column.',
  payerAccountColumn: 'The column of the counterparty’s account. Null if the file has no such column.',
  bankReferenceColumn:
    'The column of the bank’s unique reference for each movement. Null if the file has no such column.',
  balanceColumn:
    'The column of the balance after each movement. The import checks each balance against the previous rows, and waits for your confirmation if one does not match. Null if the file has no such column.',
  statusColumn:
    'The column of the status, which shows whether a movement is booked. If null, all movements are treated as booked.',
} as const;
type OtherColumn = Exclude<keyof typeof columnDescriptions, 'dateColumn'>;
const otherColumns = Object.keys(columnDescriptions).filter((name) => name !== 'dateColumn') as OtherColumn[];

/** Descriptions of the fields that list cell values. */
const valueLists = {
  creditValues: 'The values of `directionColumn` that mark credits. Letter case is ignored.',
  ignoredValues:
    'The values of `directionColumn` that mark rows that move no money on the account. Letter case is ignored.',
  debitValues:
    'The values of `directionColumn` that mark debits. Letter case is ignored. A file is rejected if a value is in none of `creditValues`, `debitValues` and `ignoredValues`.',
  bookedValues:
    'The values of `statusColumn` that mark booked movements. Rows with other values are ignored.',
} as const;
type ValueListName = keyof typeof valueLists;
const valueListNames = Object.keys(valueLists) as ValueListName[];

function toCode(text: string): string {
  return `\`${text}\``;
}

const formDescriptions = {
  encoding: `The character encoding of a CSV file, which is one of ${csvEncodings.map(toCode).join(', ')}.`,
  delimiter: `The character that separates the columns of a CSV file, which is one of ${csvDelimiters.map((delimiter) => toCode(JSON.stringify(delimiter).slice(1, -1))).join(', ')} (\`\\t\` is a tab).`,
  skipLines:
    'The number of lines before the header, or before the first row if there is no header, 0 to 1,000.',
  hasHeader: 'Whether the first row contains the column names.',
  footerRows:
    'The number of rows at the end of the file that are not movements, 0 to 1,000. A row with a date and an amount is always a movement. The number is usually 0, because totals and notes are recognized.',
  sheet:
    'The name of the worksheet of an Excel workbook. Required if several worksheets have movements. It has no effect on other files.',
  decimalMark: 'The decimal mark: `.` or `,`. The other character, spaces and apostrophes can group digits.',
  dateOrder: 'The order in which the file writes the day, month and year of a date.',
  hasBuddhistYears: 'Whether years are in the Buddhist era, in which 2569 is 2026.',
  amountFormat: 'The way in which the file represents the amount and the direction of a movement.',
  isCreditNegative:
    'Whether credits are negative and debits are positive, if `amountFormat` is `signed`. The default is false.',
  referenceColumns: `The columns that can contain the text that the payer wrote. Their texts are joined in this order. ${columnText}`,
} as const;

export const StatementMappingType = builder.objectRef<CsvMapping>('StatementMapping').implement({
  description: `The mapping with which the tables of a bank are read: CSV files, Excel workbooks and HTML tables. ${columnText}`,
  fields: (t) => ({
    encoding: t.exposeString('encoding', { description: formDescriptions.encoding }),
    delimiter: t.exposeString('delimiter', { description: formDescriptions.delimiter }),
    skipLines: t.exposeInt('skipLines', { description: formDescriptions.skipLines }),
    hasHeader: t.exposeBoolean('hasHeader', { description: formDescriptions.hasHeader }),
    footerRows: t.exposeInt('footerRows', { description: formDescriptions.footerRows }),
    decimalMark: t.exposeString('decimalMark', { description: formDescriptions.decimalMark }),
    dateOrder: t.expose('dateOrder', { type: DateOrder, description: formDescriptions.dateOrder }),
    hasBuddhistYears: t.exposeBoolean('hasBuddhistYears', { description: formDescriptions.hasBuddhistYears }),
    amountFormat: t.expose('amountFormat', {
      type: AmountFormat,
      description: formDescriptions.amountFormat,
    }),
    isCreditNegative: t.boolean({
      description: formDescriptions.isCreditNegative,
      resolve: ({ isCreditNegative }) => isCreditNegative ?? false,
    }),
    sheet: t.string({ nullable: true, description: formDescriptions.sheet, resolve: ({ sheet }) => sheet }),
    referenceColumns: t.exposeStringList('referenceColumns', {
      description: formDescriptions.referenceColumns,
    }),
    dateColumn: t.exposeString('dateColumn', { description: columnDescriptions.dateColumn }),
    ...buildFields(otherColumns, (name) =>
      t.string({
        nullable: true,
        description: columnDescriptions[name],
        resolve: (mapping) => mapping[name],
      }),
    ),
    ...buildFields(valueListNames, (name) =>
      t.stringList({
        nullable: true,
        description: valueLists[name],
        resolve: (mapping) => mapping[name],
      }),
    ),
  }),
});

export const StatementMappingInput = builder.inputType('StatementMappingInput', {
  description: `The mapping with which the tables of a bank are read: CSV files, Excel workbooks and HTML tables. ${columnText}`,
  fields: (t) => ({
    encoding: t.string({ required: true, description: formDescriptions.encoding }),
    delimiter: t.string({ required: true, description: formDescriptions.delimiter }),
    skipLines: t.int({ required: true, description: formDescriptions.skipLines }),
    hasHeader: t.boolean({ required: true, description: formDescriptions.hasHeader }),
    footerRows: t.int({ required: true, description: formDescriptions.footerRows }),
    decimalMark: t.string({ required: true, description: formDescriptions.decimalMark }),
    dateOrder: t.field({ type: DateOrder, required: true, description: formDescriptions.dateOrder }),
    hasBuddhistYears: t.boolean({ required: true, description: formDescriptions.hasBuddhistYears }),
    amountFormat: t.field({ type: AmountFormat, required: true, description: formDescriptions.amountFormat }),
    isCreditNegative: t.boolean({ description: formDescriptions.isCreditNegative }),
    sheet: t.string({ description: formDescriptions.sheet }),
    referenceColumns: t.stringList({ required: true, description: formDescriptions.referenceColumns }),
    dateColumn: t.string({ required: true, description: columnDescriptions.dateColumn }),
    ...buildFields(otherColumns, (name) => t.string({ description: columnDescriptions[name] })),
    ...buildFields(valueListNames, (name) => t.stringList({ description: valueLists[name] })),
  }),
});

builder.prismaObjectFields('ReceivingAccount', (t) => ({
  statementMapping: t.field({
    type: StatementMappingType,
    nullable: true,
    description:
      'The mapping with which tables of the account’s bank are read, such as CSV files. Null if no mapping has been saved.',
    resolve: ({ id }, _args, { service }) => findStatementMapping(service, id),
  }),
}));

function buildFields<Name extends string, Value>(
  names: readonly Name[],
  createField: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, createField(name)])) as Record<Name, Value>;
}
