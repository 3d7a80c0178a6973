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
  description: 'How a CSV file says how much, and which way.',
  values: {
    signed: { description: 'One column: positive came in, negative went out (or `creditIsNegative`).' },
    columns: { description: 'A column of what came in, and one of what went out.' },
    direction: { description: 'One column of amounts, and one that says which way.' },
  } satisfies Record<(typeof csvAmountKinds)[number], object>,
});

const DateOrder = builder.enumType('StatementDateOrder', {
  description: 'The order of day, month and year. A year of four digits may come first whatever this says.',
  values: {
    ymd: { description: '2026-11-20' },
    dmy: { description: '20/11/2026' },
    mdy: { description: '11/20/2026' },
  } satisfies Record<(typeof csvDateOrders)[number], object>,
});

/** What stands for a column. */
const columnText = 'The text of its header, or `#3` for the third column.';

/** Members that are columns, and what stands in them. */
const columns = {
  date: 'The column of the date, with or without the time of day.',
  time: 'The column of the time of day, where it has one of its own.',
  valueDate: 'The column of the value date.',
  amount: 'The column of the amount: `signed` and `direction`.',
  credit: 'The column of what came in: `columns`.',
  debit: 'The column of what went out: `columns`.',
  direction: 'The column that says which way: `direction`.',
  currency: 'The column of the currency; left out, all is in the account’s.',
  payerName: 'The column of the other side’s name.',
  payerAccount: 'The column of the other side’s account.',
  bankReference: 'The column of what the bank calls the movement by, one for each.',
  status: 'A column that says whether money has moved for good.',
} as const;
type OtherColumn = Exclude<keyof typeof columns, 'date'>;
const otherColumns = Object.keys(columns).filter((name) => name !== 'date') as OtherColumn[];

/** Lists of words, and what they say. */
const wordLists = {
  creditWords: '`direction`: what the column says of money that came in. Letter case does not matter.',
  debitWords: '`direction`: what the column says of money that went out. Any other word refuses the file.',
  bookedWords: 'What the column `status` says of money that has moved; other rows count nothing.',
} as const;
type WordListName = keyof typeof wordLists;
const wordListNames = Object.keys(wordLists) as WordListName[];

const form = {
  encoding: `Its encoding: ${csvEncodings.join(', ')}.`,
  delimiter: `What stands between columns: ${csvDelimiters.map((one) => JSON.stringify(one)).join(' ')}.`,
  skipLines: 'Lines before the header, or before the first row where there is none.',
  hasHeader: 'Whether the first row names the columns.',
  footerRows: 'Rows at the end that are no movements.',
  decimalMark: '`.` or `,`; the other one, spaces and apostrophes may group digits.',
  dateOrder: 'The order of day, month and year.',
  buddhistYears: 'Whether years are of the Buddhist era: 2569 is 2026.',
  amountKind: 'How it says how much, and which way.',
  creditIsNegative: '`signed`: whether what came in is written as negative.',
  references: `Columns of whatever the payer can have written, joined in this order. ${columnText}`,
} as const;

export const StatementMappingType = builder.objectRef<CsvMapping>('StatementMapping').implement({
  description: `How the CSV files of a bank are read. Of a column: ${columnText.charAt(0).toLowerCase()}${columnText.slice(1)}`,
  fields: (t) => ({
    encoding: t.exposeString('encoding', { description: form.encoding }),
    delimiter: t.exposeString('delimiter', { description: form.delimiter }),
    skipLines: t.exposeInt('skipLines', { description: form.skipLines }),
    hasHeader: t.exposeBoolean('hasHeader', { description: form.hasHeader }),
    footerRows: t.exposeInt('footerRows', { description: form.footerRows }),
    decimalMark: t.exposeString('decimalMark', { description: form.decimalMark }),
    dateOrder: t.expose('dateOrder', { type: DateOrder, description: form.dateOrder }),
    buddhistYears: t.exposeBoolean('buddhistYears', { description: form.buddhistYears }),
    amountKind: t.expose('amountKind', { type: AmountKind, description: form.amountKind }),
    creditIsNegative: t.boolean({
      description: form.creditIsNegative,
      resolve: ({ creditIsNegative }) => creditIsNegative ?? false,
    }),
    references: t.exposeStringList('references', { description: form.references }),
    date: t.exposeString('date', { description: columns.date }),
    ...membersOf(otherColumns, (name) =>
      t.string({ nullable: true, description: columns[name], resolve: (mapping) => mapping[name] }),
    ),
    ...membersOf(wordListNames, (name) =>
      t.stringList({
        nullable: true,
        description: wordLists[name],
        resolve: (mapping) => mapping[name],
      }),
    ),
  }),
});

export const StatementMappingInput = builder.inputType('StatementMappingInput', {
  description: `How the CSV files of a bank are read. Of a column: ${columnText.charAt(0).toLowerCase()}${columnText.slice(1)}`,
  fields: (t) => ({
    encoding: t.string({ required: true, description: form.encoding }),
    delimiter: t.string({ required: true, description: form.delimiter }),
    skipLines: t.int({ required: true, description: form.skipLines }),
    hasHeader: t.boolean({ required: true, description: form.hasHeader }),
    footerRows: t.int({ required: true, description: form.footerRows }),
    decimalMark: t.string({ required: true, description: form.decimalMark }),
    dateOrder: t.field({ type: DateOrder, required: true, description: form.dateOrder }),
    buddhistYears: t.boolean({ required: true, description: form.buddhistYears }),
    amountKind: t.field({ type: AmountKind, required: true, description: form.amountKind }),
    creditIsNegative: t.boolean({ description: form.creditIsNegative }),
    references: t.stringList({ required: true, description: form.references }),
    date: t.string({ required: true, description: columns.date }),
    ...membersOf(otherColumns, (name) => t.string({ description: columns[name] })),
    ...membersOf(wordListNames, (name) => t.stringList({ description: wordLists[name] })),
  }),
});

builder.prismaObjectFields('ReceivingAccount', (t) => ({
  statementMapping: t.field({
    type: StatementMappingType,
    nullable: true,
    description: 'How the CSV files of its bank are read, once that is known.',
    resolve: ({ id }, _args, { service }) => findStatementMapping(service, id),
  }),
}));

function membersOf<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}
