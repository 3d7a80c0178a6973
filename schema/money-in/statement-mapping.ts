import { findStatementMapping } from '../../src/domain/money-in/statement/statement-mapping.ts';
import {
  type CsvMapping,
  type csvAmountFormats,
  type csvDateOrders,
  csvDelimiters,
  csvEncodings,
} from '../../src/statement/csv-mapping.ts';
import { builder } from '../kit/builder.ts';

const AmountKind = builder.enumType('StatementAmountFormat', {
  description: 'How a CSV file represents the amount and direction of a movement.',
  values: {
    signed: {
      description:
        'One signed column. Positive amounts are credits and negative amounts are debits, or the reverse with `isCreditNegative`.',
    },
    separate_columns: { description: 'One column for credits and one for debits.' },
    direction_column: { description: 'One column for the amount and one for the direction.' },
  } satisfies Record<(typeof csvAmountFormats)[number], object>,
});

const DateOrder = builder.enumType('StatementDateOrder', {
  description: 'The order of day, month and year. A four-digit year can come first regardless of this order.',
  values: {
    ymd: { description: 'Year, month, day, such as `2026-11-20`.' },
    dmy: { description: 'Day, month, year, such as `20/11/2026`.' },
    mdy: { description: 'Month, day, year, such as `11/20/2026`.' },
  } satisfies Record<(typeof csvDateOrders)[number], object>,
});

const columnText =
  'A column is named by the text of its header or by its number, such as `#3` for the third column.';

/** Descriptions of the members that name a column. */
const columnDescriptions = {
  dateColumn: 'The column of the date, with or without the time of day.',
  timeColumn: 'The column of the time of day, if it is separate from the date.',
  valueDateColumn: 'The column of the value date.',
  amountColumn: 'The column of the amount, for `signed` and `direction_column`.',
  creditColumn: 'The column of credits, for `separate_columns`.',
  debitColumn: 'The column of debits, for `separate_columns`.',
  directionColumn: 'The column of the direction, for `direction_column`.',
  currencyColumn: 'The column of the currency. If omitted, all amounts are in the currency of the account.',
  payerNameColumn: 'The column of the counterparty’s name.',
  payerAccountColumn: 'The column of the counterparty’s account.',
  bankReferenceColumn: 'The column of the bank’s unique reference for each movement.',
  statusColumn: 'The column of the status, which shows whether a movement is booked.',
} as const;
type OtherColumn = Exclude<keyof typeof columnDescriptions, 'dateColumn'>;
const otherColumns = Object.keys(columnDescriptions).filter((name) => name !== 'dateColumn') as OtherColumn[];

/** Descriptions of the members that list cell values. */
const valueLists = {
  creditValues: 'The values of the direction column for credits. Case is ignored.',
  debitValues: 'The values of the direction column for debits. Any other value rejects the file.',
  bookedValues: 'The values of the status column for booked movements. Other rows are ignored.',
} as const;
type ValueListName = keyof typeof valueLists;
const valueListNames = Object.keys(valueLists) as ValueListName[];

const formDescriptions = {
  encoding: `The character encoding of the file: ${csvEncodings.join(', ')}.`,
  delimiter: `The delimiter between columns: ${csvDelimiters.map((one) => JSON.stringify(one)).join(' ')}.`,
  skipLines: 'The number of lines before the header, or before the first row if there is no header.',
  hasHeader: 'Whether the first row contains the column names.',
  footerRows: 'The number of rows at the end that are not movements.',
  decimalMark: 'The decimal mark: `.` or `,`. The other character, spaces and apostrophes can group digits.',
  dateOrder: 'The order of day, month and year.',
  hasBuddhistYears: 'Whether years are in the Buddhist era, in which 2569 is 2026.',
  amountFormat: 'How the file represents the amount and direction of a movement.',
  isCreditNegative: 'Whether credits are negative, for `signed`.',
  referenceColumns: `The columns of everything that the payer can have written, joined in this order. ${columnText}`,
} as const;

export const StatementMappingType = builder.objectRef<CsvMapping>('StatementMapping').implement({
  description: `The mapping with which the CSV files of a bank are read. ${columnText}`,
  fields: (t) => ({
    encoding: t.exposeString('encoding', { description: formDescriptions.encoding }),
    delimiter: t.exposeString('delimiter', { description: formDescriptions.delimiter }),
    skipLines: t.exposeInt('skipLines', { description: formDescriptions.skipLines }),
    hasHeader: t.exposeBoolean('hasHeader', { description: formDescriptions.hasHeader }),
    footerRows: t.exposeInt('footerRows', { description: formDescriptions.footerRows }),
    decimalMark: t.exposeString('decimalMark', { description: formDescriptions.decimalMark }),
    dateOrder: t.expose('dateOrder', { type: DateOrder, description: formDescriptions.dateOrder }),
    hasBuddhistYears: t.exposeBoolean('hasBuddhistYears', { description: formDescriptions.hasBuddhistYears }),
    amountFormat: t.expose('amountFormat', { type: AmountKind, description: formDescriptions.amountFormat }),
    isCreditNegative: t.boolean({
      description: formDescriptions.isCreditNegative,
      resolve: ({ isCreditNegative }) => isCreditNegative ?? false,
    }),
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
  description: `The mapping with which the CSV files of a bank are read. ${columnText}`,
  fields: (t) => ({
    encoding: t.string({ required: true, description: formDescriptions.encoding }),
    delimiter: t.string({ required: true, description: formDescriptions.delimiter }),
    skipLines: t.int({ required: true, description: formDescriptions.skipLines }),
    hasHeader: t.boolean({ required: true, description: formDescriptions.hasHeader }),
    footerRows: t.int({ required: true, description: formDescriptions.footerRows }),
    decimalMark: t.string({ required: true, description: formDescriptions.decimalMark }),
    dateOrder: t.field({ type: DateOrder, required: true, description: formDescriptions.dateOrder }),
    hasBuddhistYears: t.boolean({ required: true, description: formDescriptions.hasBuddhistYears }),
    amountFormat: t.field({ type: AmountKind, required: true, description: formDescriptions.amountFormat }),
    isCreditNegative: t.boolean({ description: formDescriptions.isCreditNegative }),
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
      'The mapping with which the CSV files of the account’s bank are read. Null until it is known.',
    resolve: ({ id }, _args, { service }) => findStatementMapping(service, id),
  }),
}));

function buildFields<Name extends string, Value>(
  names: readonly Name[],
  createField: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, createField(name)])) as Record<Name, Value>;
}
