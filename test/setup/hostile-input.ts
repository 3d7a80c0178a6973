import fc from 'fast-check';
import {
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
} from 'graphql';

/** Values that fit their type as GraphQL sees it, and are hostile, odd or absurd beyond that. */

const oddTexts = [
  '',
  ' ',
  '0',
  'x'.repeat(300),
  'x'.repeat(20_000),
  "' OR 1=1 --",
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '=cmd()',
  '%00',
  '\u202e\u0000',
  '👩‍👩‍👧‍👦é\u0301',
  '__proto__',
  'constructor',
  'javascript:alert(1)',
  'http://[::1',
  'https://exa mple.com',
  'NaN',
  '-',
  '\n',
];
const likelyTexts = [
  'ada@example.com',
  '+85251234567',
  '+852',
  '51234567',
  'https://example.com/back',
  'http://127.0.0.1:9/hook',
  'shop.example:',
  'Asia/Hong_Kong',
  'order-4711',
  'Ada',
  'CHARGE_COMPLETE',
  'createCharge',
  '123-456789-012',
  'FPS1234567',
  '012345',
];
const scalars: Record<string, fc.Arbitrary<unknown>> = {
  String: fc.oneof(fc.constantFrom(...likelyTexts), fc.constantFrom(...oddTexts), fc.string()),
  Boolean: fc.boolean(),
  Int: fc.oneof(fc.constantFrom(0, 1, 2, -1, 50, 51, 2_147_483_647, -2_147_483_648), fc.nat(100)),
  Float: fc.constantFrom(0, 0.1, -1, 1e300, 5e-324),
  Decimal: fc.constantFrom(
    ...['0', '1', '5.00', '128.5', '-5', '-0', '0.001', '00012', '1.10', '999999999999.99', '1000000000000'],
    ...[`${'9'.repeat(30)}.${'9'.repeat(30)}`, `0.${'0'.repeat(29)}1`, '0.02', '2'],
  ),
  DateTime: fc.constantFrom(
    ...[
      '2026-11-17T12:00:00Z',
      '2026-11-20T08:30:00.000Z',
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
    ],
    ...['9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00+23:59', '2026-02-28T23:59:59.999999999+08:00'],
  ),
  Date: fc.constantFrom('2026-11-20', '2026-11-17', '0001-01-01', '9999-12-31', '2024-02-29'),
  CurrencyCode: fc.constantFrom('HKD', 'THB', 'IDR', 'USD', 'XXX', 'AAA', 'KWD'),
  CountryCode: fc.constantFrom('HK', 'TH', 'AQ', 'GB'),
};

/** Values of an input type. `ids`: of objects that are there, the caller's own and others'. */
export function hostileValue(type: GraphQLInputType, ids: string[]): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return hostileValue(type.ofType as GraphQLInputType, ids);
  if (isListType(type)) {
    const item = type.ofType as GraphQLInputType;
    const one = isNonNullType(item) ? hostileValue(item, ids) : fc.option(hostileValue(item, ids));
    return fc.oneof(
      { weight: 9, arbitrary: fc.array(one, { maxLength: 4 }) },
      { weight: 1, arbitrary: one.map((value) => Array.from({ length: 200 }, () => value)) },
    );
  }
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (isInputObjectType(type)) return objectOf(Object.values(type.getFields()), type.isOneOf, ids);
  if (type.name === 'ID')
    return fc.oneof(fc.constantFrom(...ids), fc.constantFrom(...oddTexts, 'ch_', 'ch_x'));
  return scalars[type.name] as fc.Arbitrary<unknown>;
}

function objectOf(fields: GraphQLInputField[], isOneOf: boolean, ids: string[]): fc.Arbitrary<unknown> {
  if (isOneOf) {
    return fc.oneof(
      ...fields.map(({ name, type }) => hostileValue(type, ids).map((value) => ({ [name]: value }))),
    );
  }
  const shape = Object.fromEntries(
    fields.map(({ name, type }) => {
      const value = hostileValue(type, ids);
      return [name, isNonNullType(type) ? value : fc.option(value, { freq: 8 })];
    }),
  );
  const requiredKeys = fields.filter(isRequiredInputField).map(({ name }) => name);
  return fc.record(shape, { requiredKeys });
}

/** A selection of all values of a type, and of the objects within it. */
export function wholeOf(type: GraphQLOutputType, depth = 2): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isUnionType(named)) {
    const parts = named.getTypes().map((one) => `... on ${one.name} ${wholeOf(one, depth)}`);
    return `{ __typename ${parts.join(' ')} }`;
  }
  if (!isObjectType(named)) return '{ __typename }';
  const fields = Object.values(named.getFields()).filter((field) => !field.args.some(isRequiredArgument));
  const parts = fields.flatMap((field) => {
    if (isLeafType(getNamedType(field.type))) return field.name;
    return depth > 0 ? `${field.name} ${wholeOf(field.type, depth - 1)}` : [];
  });
  return `{ __typename ${parts.join(' ')} }`;
}
