import fc, { type GeneratorValue } from 'fast-check';
import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
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

/** Texts that are valid GraphQL, but hostile or unusual. */

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

/** Generates values of an input type. `ids` are existing IDs of the caller and of others. */
export function hostileValue(type: GraphQLInputType, ids: string[]): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return hostileValue(type.ofType as GraphQLInputType, ids);
  if (isListType(type)) {
    const item = type.ofType as GraphQLInputType;
    const itemValue = isNonNullType(item) ? hostileValue(item, ids) : fc.option(hostileValue(item, ids));
    return fc.oneof(
      { weight: 9, arbitrary: fc.array(itemValue, { maxLength: 4 }) },
      { weight: 1, arbitrary: itemValue.map((value) => Array.from({ length: 200 }, () => value)) },
    );
  }
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (isInputObjectType(type)) return hostileObject(Object.values(type.getFields()), type.isOneOf, ids);
  if (type.name === 'ID')
    return fc.oneof(fc.constantFrom(...ids), fc.constantFrom(...oddTexts, 'ch_', 'ch_x'));
  return scalars[type.name] as fc.Arbitrary<unknown>;
}

function hostileObject(fields: GraphQLInputField[], isOneOf: boolean, ids: string[]): fc.Arbitrary<unknown> {
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

/** Returns a selection of all fields without required arguments, down to `depth`. */
export function selectAllFields(type: GraphQLOutputType, depth = 2): string {
  const namedType = getNamedType(type);
  if (isLeafType(namedType)) return '';
  if (isUnionType(namedType)) {
    const parts = namedType
      .getTypes()
      .map((member) => `... on ${member.name} ${selectAllFields(member, depth)}`);
    return `{ __typename ${parts.join(' ')} }`;
  }
  if (!isObjectType(namedType)) return '{ __typename }';
  const fields = Object.values(namedType.getFields()).filter((field) => !field.args.some(isRequiredArgument));
  const parts = fields.flatMap((field) => {
    if (isLeafType(getNamedType(field.type))) return field.name;
    return depth > 0 ? `${field.name} ${selectAllFields(field.type, depth - 1)}` : [];
  });
  return `{ __typename ${parts.join(' ')} }`;
}

const sampleScalars: Record<string, string> = {
  Boolean: 'true',
  Date: '"2026-11-20"',
  DateTime: '"2026-11-20T08:30:00Z"',
  Decimal: '"1"',
  CurrencyCode: '"HKD"',
  CountryCode: '"HK"',
  Int: '50',
  Float: '1.5',
};

/** Returns a minimal literal of an input type: without optional fields, and with empty lists. */
export function sampleInput(type: GraphQLInputType): string {
  const nullableType = getNullableType(type) as GraphQLInputType;
  if (isListType(nullableType)) return '[]';
  if (isEnumType(nullableType)) return nullableType.getValues()[0]?.name ?? '';
  if (!isInputObjectType(nullableType)) return sampleScalars[String(nullableType)] ?? '"x"';
  const fields = Object.values(nullableType.getFields());
  const required = nullableType.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
  return `{ ${required.map((field) => `${field.name}: ${sampleInput(field.type)}`).join(', ')} }`;
}

type Field = GraphQLField<unknown, unknown>;

/**
 * Returns a random document for the queries of a schema, with aliases, duplicate fields, fragments, interfaces, unions,
 * IDs and pages. The document may be invalid, because its parts may contradict each other.
 */
export function arbitraryDocument(schema: GraphQLSchema, draw: GeneratorValue, ids: string[]): string {
  const fragments: string[] = [];
  const pick = <T>(values: readonly T[]): T => values[draw(fc.nat, { max: values.length - 1 })]!;
  const chance = (percent: number) => draw(fc.nat, { max: 99 }) < percent;

  const toArguments = ({ args }: Field): string => {
    const values = args.flatMap(({ name }) => {
      if (name === 'id') return `id: ${JSON.stringify(pick(ids))}`;
      if (name === 'ids') return `ids: ${JSON.stringify([pick(ids), pick(ids)])}`;
      return name === 'first' && chance(50) ? `first: ${pick([0, 1, 3])}` : [];
    });
    return values.length > 0 ? `(${values.join(', ')})` : '';
  };
  const toField = (field: Field, depth: number, isAliased: boolean): string => {
    const fieldArguments = toArguments(field);
    // Fields of one name must have the same arguments.
    const alias =
      isAliased || fieldArguments !== '' || chance(10) ? `a${draw(fc.nat, { max: 9_999 })}: ` : '';
    const type = getNamedType(field.type);
    return `${alias}${field.name}${fieldArguments}${isLeafType(type) ? '' : ` ${selection(type, depth - 1)}`}`;
  };
  const toFields = (type: GraphQLNamedType, depth: number, isAliased = false): string => {
    const all = isObjectType(type) ? Object.values(type.getFields()).filter(needsOnlyId) : [];
    const usable = all.filter((field) => depth > 0 || isLeafType(getNamedType(field.type)));
    const chosen = Array.from({ length: draw(fc.nat, { max: 5 }) }, () => pick(['__typename', ...usable]));
    return [
      '__typename',
      ...chosen.map((field) => (typeof field === 'string' ? field : toField(field, depth, isAliased))),
    ].join(' ');
  };
  const selection = (type: GraphQLNamedType, depth: number): string => {
    if (isAbstractType(type)) {
      // Fields of one name must have the same type.
      const parts = schema.getPossibleTypes(type).map((member) => {
        return `... on ${member.name} { ${toFields(member, depth, true)} }`;
      });
      return `{ __typename ${parts.join(' ')} }`;
    }
    const fields = toFields(type, depth);
    if (chance(15)) {
      const name = `Part${fragments.length}`;
      fragments.push(`fragment ${name} on ${type.name} { ${toFields(type, depth)} }`);
      return `{ ${fields} ...${name} }`;
    }
    return chance(15)
      ? `{ ${fields} ... on ${type.name} { ${toFields(type, depth)} } ... { __typename } }`
      : `{ ${fields} }`;
  };
  const query = selection(schema.getQueryType()!, 5);
  return [`query ${query}`, ...fragments].join('\n');
}

/** Returns whether the field requires no argument but an ID. */
function needsOnlyId({ args }: Field): boolean {
  return args.every((arg) => !isRequiredArgument(arg) || arg.name === 'id' || arg.name === 'ids');
}
