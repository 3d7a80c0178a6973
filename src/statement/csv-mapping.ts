import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { invalidInput } from '../kit/errors.ts';

/** Encodings of bank exports, by their names in the WHATWG Encoding standard. UTF-8 may begin with a byte order mark. */
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

export const csvDelimiters = [',', ';', '\t', '|'] as const;
export const csvDateOrders = ['ymd', 'dmy', 'mdy'] as const;
export const csvAmountKinds = ['signed', 'columns', 'direction'] as const;

/** A column: the text of its header, or `#3` for the third. */
const column = Type.String({ minLength: 1, maxLength: 200 });
const valueList = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: 20 });
const noExtraMembers = { additionalProperties: false } as const;
const stringEnum = <T extends string>(list: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...list] });

const mappingSchema = Type.Object(
  {
    encoding: stringEnum(csvEncodings),
    delimiter: stringEnum(csvDelimiters),
    /** Lines before the header, or before the first row where there is none. */
    skipLines: Type.Integer({ minimum: 0, maximum: 1000 }),
    hasHeader: Type.Boolean(),
    /** Rows at the end that are no movements. */
    footerRows: Type.Integer({ minimum: 0, maximum: 1000 }),
    /** The other of the two, spaces and apostrophes may group digits. */
    decimalMark: stringEnum(['.', ','] as const),
    dateOrder: stringEnum(csvDateOrders),
    /** Years are of the Buddhist era (2569 is 2026). */
    buddhistYears: Type.Boolean(),
    date: column,
    /** Where the time of day stands in a column of its own. */
    time: Type.Optional(column),
    valueDate: Type.Optional(column),
    /** How the file says how much, and which way. */
    amountKind: stringEnum(csvAmountKinds),
    /** `signed` and `direction`: the column of the amount. */
    amount: Type.Optional(column),
    /** `columns`: credits and debits in a column each; `debit` may be missing. */
    credit: Type.Optional(column),
    debit: Type.Optional(column),
    /** `direction`: the column that says which way, and what it says of money that came in and that went out. */
    direction: Type.Optional(column),
    creditWords: Type.Optional(valueList),
    debitWords: Type.Optional(valueList),
    /** `signed`: what came in is written as negative. */
    creditIsNegative: Type.Optional(Type.Boolean()),
    /** Left out: all is in the account's currency. */
    currency: Type.Optional(column),
    /** Whatever the payer can have written, joined by a space in this order. */
    references: Type.Array(column, { maxItems: 20 }),
    payerName: Type.Optional(column),
    payerAccount: Type.Optional(column),
    /** What the bank calls the movement by, one for each. */
    bankReference: Type.Optional(column),
    /** A column that says whether money has moved for good, and what it then says. */
    status: Type.Optional(column),
    bookedWords: Type.Optional(valueList),
  },
  noExtraMembers,
);

/** How a CSV file of a bank is read. */
export type CsvMapping = Static<typeof mappingSchema>;

const validator = Compile(mappingSchema);

/** Members that a kind of amount cannot do without. */
const requiredMembers: Record<CsvMapping['amountKind'], (keyof CsvMapping)[]> = {
  signed: ['amount'],
  columns: ['credit'],
  direction: ['amount', 'direction', 'creditWords', 'debitWords'],
};

/** A mapping as it was given, or 400 naming the place below `path`. */
export function checkCsvMapping(input: unknown, path = '/mapping'): CsvMapping {
  const mapping = withoutDefaults(input);
  if (!validator.Check(mapping)) {
    const [, [error]] = validator.Errors(mapping);
    const isUnknown = error?.message === 'the schema rejects every value';
    throw invalidInput(
      `${path}${error?.instancePath ?? ''}`,
      isUnknown ? 'is unknown' : (error?.message ?? 'is not a valid mapping'),
    );
  }
  for (const name of requiredMembers[mapping.amountKind]) {
    const value = mapping[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) {
      throw invalidInput(`${path}/${name}`, `is required when amountKind is ${mapping.amountKind}`);
    }
  }
  if (mapping.status !== undefined && !mapping.bookedWords?.length) {
    throw invalidInput(`${path}/bookedWords`, 'is required when status is set');
  }
  return mapping;
}

/** Without what says no more than if it were left out: files that are read alike have one mapping, by which they are known. */
function withoutDefaults(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const { references, ...optional } = input as Record<string, unknown>;
  const members = Object.entries(optional).filter(([name, value]) => !isDefault(name, value));
  return { ...Object.fromEntries(members), ...(references !== undefined && { references }) };
}

/** GraphQL gives null for what is left out. */
function isDefault(name: string, value: unknown): boolean {
  const isEmpty = Array.isArray(value) && value.length === 0;
  return value === null || value === undefined || isEmpty || (name === 'creditIsNegative' && value === false);
}
