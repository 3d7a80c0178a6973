import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { invalidInputError } from '../kit/errors.ts';
import { toInputErrors } from '../kit/schema-errors.ts';

/** Encodings of bank exports, by their labels in the WHATWG Encoding standard. */
export const csvEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-kr',
  'tis-620',
] as const;
export type CsvEncoding = (typeof csvEncodings)[number];

export const csvDelimiters = [',', ';', '\t', '|', '^', ':'] as const;

export const csvDateOrders = ['ymd', 'dmy', 'mdy'] as const;
export const csvAmountFormats = ['signed', 'separate_columns', 'direction_column'] as const;

/** A column: its header text, or `#3` for the third column. */
const column = Type.String({ minLength: 1, maxLength: 200 });
const valueList = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: 50 });
const noOtherProperties = { additionalProperties: false } as const;
const stringEnum = <T extends string>(list: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...list] });

const mappingSchema = Type.Object(
  {
    encoding: stringEnum(csvEncodings),
    delimiter: stringEnum(csvDelimiters),
    /** The number of lines before the header, or before the first row if there is no header. */
    skipLines: Type.Integer({ minimum: 0, maximum: 1000 }),
    hasHeader: Type.Boolean(),
    /** The worksheet of an Excel workbook. Without it, the workbook must have only one sheet with movements. */
    sheet: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    /**
     * The number of rows at the end that need not be movements. A row with a date and an amount is always a
     * movement.
     */
    footerRows: Type.Integer({ minimum: 0, maximum: 1000 }),
    /** The other mark, spaces and apostrophes may group digits. */
    decimalMark: stringEnum(['.', ','] as const),
    dateOrder: stringEnum(csvDateOrders),
    /** Whether years are in the Buddhist era (2569 is 2026). */
    hasBuddhistYears: Type.Boolean(),
    dateColumn: column,
    /** Set if the time has its own column. */
    timeColumn: Type.Optional(column),
    valueDateColumn: Type.Optional(column),
    /** How the file expresses amount and direction. */
    amountFormat: stringEnum(csvAmountFormats),
    /** For `signed` and `direction_column`. */
    amountColumn: Type.Optional(column),
    /** For `separate_columns`; `debitColumn` is optional. */
    creditColumn: Type.Optional(column),
    debitColumn: Type.Optional(column),
    /** For `direction_column`: the direction column and its values for credits and debits. */
    directionColumn: Type.Optional(column),
    creditValues: Type.Optional(valueList),
    debitValues: Type.Optional(valueList),
    /** For `direction_column`: the values for rows that move no money on this account. */
    ignoredValues: Type.Optional(valueList),
    /** For `signed`: whether credits are negative. */
    isCreditNegative: Type.Optional(Type.Boolean()),
    /** Without this column, all amounts are in the account's currency. */
    currencyColumn: Type.Optional(column),
    /** The column with the number of the account itself, which is compared with the receiving account. */
    accountColumn: Type.Optional(column),
    /** The columns with text that the payer may have written. The texts are joined by spaces in this order. */
    referenceColumns: Type.Array(column, { maxItems: 20 }),
    payerNameColumn: Type.Optional(column),
    payerAccountColumn: Type.Optional(column),
    /** The bank's unique reference of each movement. */
    bankReferenceColumn: Type.Optional(column),
    /** The balance after each movement, which is checked line by line. */
    balanceColumn: Type.Optional(column),
    /** The status column and its values for booked movements. */
    statusColumn: Type.Optional(column),
    bookedValues: Type.Optional(valueList),
  },
  noOtherProperties,
);

/** The rules for reading a bank's tables: CSV files, Excel workbooks and HTML tables. */
export type CsvMapping = Static<typeof mappingSchema>;

const validator = Compile(mappingSchema);

/** The properties that each `amountFormat` requires. */
const requiredProperties: Record<CsvMapping['amountFormat'], (keyof CsvMapping)[]> = {
  signed: ['amountColumn'],
  separate_columns: ['creditColumn'],
  direction_column: ['amountColumn', 'directionColumn', 'creditValues', 'debitValues'],
};

export function checkCsvMapping(input: unknown, path = '/mapping'): CsvMapping {
  const mapping = withoutDefaults(input);
  if (!validator.Check(mapping)) {
    const [, violations] = validator.Errors(mapping);
    const [error = { path: '', message: 'is invalid' }] = violations.flatMap(toInputErrors);
    throw invalidInputError(path + error.path, error.message);
  }
  for (const name of requiredProperties[mapping.amountFormat]) {
    const value = mapping[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) {
      throw invalidInputError(`${path}/${name}`, `is required when amountFormat is ${mapping.amountFormat}`);
    }
  }
  if (mapping.statusColumn !== undefined && !mapping.bookedValues?.length) {
    throw invalidInputError(`${path}/bookedValues`, 'is required when statusColumn is set');
  }
  return mapping;
}

/** Removes default values, so that equivalent mappings are equal and can be recognized. */
function withoutDefaults(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const { referenceColumns, ...optional } = input as Record<string, unknown>;
  const properties = Object.entries(optional).filter(([name, value]) => !isDefault(name, value));
  return { ...Object.fromEntries(properties), ...(referenceColumns !== undefined && { referenceColumns }) };
}

/** Returns whether a property has its default value. GraphQL passes null for omitted fields. */
function isDefault(name: string, value: unknown): boolean {
  const isEmpty = Array.isArray(value) && value.length === 0;
  return value === null || value === undefined || isEmpty || (name === 'isCreditNegative' && value === false);
}
