import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { isCountryCode } from '../src/kit/contact.ts';
import { type Money, toDecimal } from '../src/kit/money.ts';
import { builder } from './kit/builder.ts';

/** Creates the input parsers of a string scalar. `readValue` returns undefined for an invalid text. */
function createTextParsers<Value>(format: string, readValue: (text: string) => Value | undefined) {
  const parse = (text: unknown, node?: ValueNode): Value => {
    const value = typeof text === 'string' ? readValue(text) : undefined;
    if (value === undefined) throw new GraphQLError(`must be ${format}`, { nodes: node ?? null });
    return value;
  };
  return {
    parseValue: (value: unknown) => parse(value),
    parseLiteral: (node: ValueNode) => parse(node.kind === Kind.STRING ? node.value : undefined, node),
  };
}

builder.scalarType('Decimal', {
  description:
    'An exact decimal number, serialized as a string, such as `"12.50"`. Amounts are in major units of their currency. In responses, they have as many decimal places as ISO 4217 defines for the currency.',
  serialize: (value) => value,
  ...createTextParsers('a decimal number in a string, such as "12.50"', (text) =>
    /^-?\d{1,30}(\.\d{1,30})?$/.test(text) ? text : undefined,
  ),
});

builder.scalarType('BigInt', {
  description: 'An integer of any size, serialized as a string, such as `"41"`.',
  serialize: String,
  parseValue: () => {
    throw new TypeError('a BigInt is not accepted as input');
  },
});

builder.scalarType('DateTime', {
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  description:
    'A point in time in ISO 8601 format, such as `2026-11-20T08:30:00.000Z`. Output is in UTC with milliseconds. Input without an offset is interpreted as UTC.',
  serialize: (value) => value.toISOString(),
  ...createTextParsers('an ISO 8601 time, such as "2026-11-20T08:30:00Z"', parseTime),
});

builder.scalarType('Date', {
  specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  description: 'A calendar date in ISO 8601 format, such as `2026-11-20`.',
  serialize: (value) => value,
  ...createTextParsers('a day such as "2026-11-20"', (text) => {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && parseTime(`${text}T00:00:00Z`) !== undefined;
    return isDay ? text : undefined;
  }),
});

builder.scalarType('CurrencyCode', {
  specifiedByURL: 'https://www.iso.org/iso-4217-currency-codes.html',
  description: 'An ISO 4217 currency code, such as `HKD`.',
  serialize: (value) => value,
  ...createTextParsers('an ISO 4217 currency code in a string, such as "HKD"', (text) =>
    /^[A-Z]{3}$/.test(text) ? text : undefined,
  ),
});

builder.scalarType('CountryCode', {
  specifiedByURL: 'https://www.iso.org/iso-3166-country-codes.html',
  description: 'An ISO 3166-1 alpha-2 country code, such as `HK`.',
  serialize: (value) => value,
  ...createTextParsers('an ISO 3166-1 country code in a string, such as "HK"', (text) =>
    /^[A-Z]{2}$/.test(text) && isCountryCode(text) ? text : undefined,
  ),
});

const timePattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/;

/** Rejects dates that do not exist, such as 30 February, instead of rolling over to the next month. */
function parseTime(text: string): Date | undefined {
  const [, day, clock, fraction = '', offset = 'Z'] = timePattern.exec(text.toUpperCase()) ?? [];
  const localTime = new Date(`${day}T${clock}Z`);
  if (Number.isNaN(localTime.getTime()) || !localTime.toISOString().startsWith(`${day}T${clock}`))
    return undefined;
  const time = new Date(`${day}T${clock}${fraction.slice(0, 4)}${offset}`);
  // Checks the year after applying the offset: PostgreSQL has no year 0, and responses have four-digit years.
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999 ? time : undefined;
}

/** Formats an amount in minor units as the scalar `Decimal`, in major units. */
export function toDecimalScalar(minor: bigint, currency: Money['currency']): string {
  return toDecimal({ minor, currency });
}
