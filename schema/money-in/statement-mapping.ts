import { findStatementMapping } from '../../src/domain/money-in/statement/statement-mapping.ts';
import {
  type CsvMapping,
  type csvAmountKinds,
  type csvDateOrders,
  csvDelimiters,
  csvEncodings,
} from '../../src/statement/csv-mapping.ts';
import { builder } from '../kit/builder.ts';

const AmountKind = builder.enumType('StatementAmountKind', {
  description: 'How a CSV file represents the amount and direction of a movement.',
  values: {
    signed: {
      description:
        'One signed column. Positive amounts are credits and negative amounts are debits, or the reverse with `creditIsNegative`.',
    },
    columns: { description: 'One column for credits and one for debits.' },
    direction: { description: 'One column for the amount and one for the direction.' },
  } satisfies Record<(typeof csvAmountKinds)[number], object>,
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
  date: 'The column of the date, with or without the time of day.',
  time: 'The column of the time of day, if it is separate from the date.',
  valueDate: 'The column of the value date.',
  amount: 'The column of the amount, for `signed` and `direction`.',
  credit: 'The column of credits, for `columns`.',
  debit: 'The column of debits, for `columns`.',
  direction: 'The column of the direction, for `direction`.',
  currency: 'The column of the currency. If omitted, all amounts are in the currency of the account.',
  payerName: 'The column of the counterparty’s name.',
  payerAccount: 'The column of the counterparty’s account.',
  bankReference: 'The column of the bank’s unique reference for each movement.',
  status: 'The column of the status, which shows whether a movement is booked.',
} as const;
type OtherColumn = Exclude<keyof typeof columnDescriptions, 'date'>;
const otherColumns = Object.keys(columnDescriptions).filter((name) => name !== 'date') as OtherColumn[];

/** Descriptions of the members that list cell values. */
const valueLists = {
  creditWords: 'The values of the `direction` column for credits. Case is ignored.',
  debitWords: 'The values of the `direction` column for debits. Any other value rejects the file.',
  bookedWords: 'The values of the `status` column for booked movements. Other rows are ignored.',
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
  buddhistYears: 'Whether years are in the Buddhist era, in which 2569 is 2026.',
  amountKind: 'How the file represents the amount and direction of a movement.',
  creditIsNegative: 'Whether credits are negative, for `signed`.',
  references: `The columns of everything that the payer can have written, joined in this order. ${columnText}`,
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
    buddhistYears: t.exposeBoolean('buddhistYears', { description: formDescriptions.buddhistYears }),
    amountKind: t.expose('amountKind', { type: AmountKind, description: formDescriptions.amountKind }),
    creditIsNegative: t.boolean({
      description: formDescriptions.creditIsNegative,
      resolve: ({ creditIsNegative }) => creditIsNegative ?? false,
    }),
    references: t.exposeStringList('references', { description: formDescriptions.references }),
    date: t.exposeString('date', { description: columnDescriptions.date }),
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
    buddhistYears: t.boolean({ required: true, description: formDescriptions.buddhistYears }),
    amountKind: t.field({ type: AmountKind, required: true, description: formDescriptions.amountKind }),
    creditIsNegative: t.boolean({ description: formDescriptions.creditIsNegative }),
    references: t.stringList({ required: true, description: formDescriptions.references }),
    date: t.string({ required: true, description: columnDescriptions.date }),
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
