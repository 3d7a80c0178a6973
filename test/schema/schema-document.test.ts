import { readFile } from 'node:fs/promises';
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLUnionType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isScalarType,
  printSchema,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { errorCatalog } from '../../src/kit/errors.ts';
import { methodCodes } from '../../src/method/catalogue.ts';

const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'));
const errorTypes = [
  'ConflictError',
  'InvalidRequestError',
  'NotFoundError',
  'PermissionError',
  'RateLimitedError',
  'UnprocessableError',
];

describe('the schema', () => {
  test('is the one printed in schema/schema.graphql', async () => {
    const printed = await readFile(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
    const hint = 'To update it: npx node scripts/print-schema.ts, and commit it with the change.';
    expect(`${printSchema(schema)}\n`, hint).toBe(printed);
  });

  test('describes every type, field, argument and enum value', () => {
    const undescribed = types.flatMap((type) => [
      ...(isScalarType(type) && ['Int', 'Float', 'String', 'Boolean'].includes(type.name) ? [] : [type]),
      ...(isEnumType(type) ? type.getValues() : []),
      ...(isObjectType(type) || isInterfaceType(type)
        ? Object.values(type.getFields()).flatMap((field) => [field, ...field.args])
        : []),
      ...(isInputObjectType(type) ? Object.values(type.getFields()) : []),
    ]);
    expect(undescribed.filter(({ description }) => !description).map(String)).toEqual([]);
  });

  test('has nullable root fields, so that a denied field does not take the others with it', () => {
    const fields = Object.values(schema.getQueryType()!.getFields());
    // Relay’s specification has `nodes` as non-null.
    expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual(['nodes']);
  });

  test('has a Node for every object with an id of ours', () => {
    const withId = types.filter(isObjectType).filter((type) => type.getFields().id);
    const nodes = withId.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
    expect(withId.filter((type) => !nodes.includes(type)).map(({ name }) => name)).toEqual([]);
  });

  test('tells the payment methods by their words, with _ for -', () => {
    const method = schema.getType('PaymentMethodCode');
    const names = isEnumType(method) ? method.getValues().map(({ name }) => name) : [];
    expect(names.sort()).toEqual(methodCodes.map((code) => code.replaceAll('-', '_')).sort());
  });
});

describe('errors', () => {
  test('are of exactly six types, whatever their codes', () => {
    const error = schema.getType('UserError');
    const implementers = isInterfaceType(error) ? schema.getPossibleTypes(error).map(({ name }) => name) : [];
    expect(implementers.sort()).toEqual(errorTypes);
  });

  test('have the codes of the catalogue', () => {
    const codes = schema.getType('ErrorCode');
    const names = isEnumType(codes) ? codes.getValues().map(({ name }) => name) : [];
    expect(names.sort()).toEqual(Object.keys(errorCatalog).sort());
  });
});

describe('every mutation', () => {
  const mutations = Object.values(schema.getMutationType()!.getFields());
  const withoutInput = ['requestRestrictedAccess', 'signOut'];

  test.each(mutations.map((field) => [field.name, field] as const))(
    '%s takes one input object, but for the two that need none, and answers its success or any of the six errors',
    (name, field) => {
      const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const args = field.args.map((arg) => `${arg.name}: ${arg.type}`);
      expect(args).toEqual(withoutInput.includes(name) ? [] : [`input: ${title}Input!`]);
      expect(String(field.type)).toBe(`${title}Result!`);
      const members = (schema.getType(`${title}Result`) as GraphQLUnionType).getTypes();
      expect(members.map((type) => type.name).sort()).toEqual([...errorTypes, `${title}Success`].sort());
    },
  );

  test('says who may call it, but for signing in and out', () => {
    const open = mutations.filter((field) => !scopesOf(field)).map(({ name }) => name);
    expect(open.sort()).toEqual(['signIn', 'signOut']);
  });
});

test('queries and live fields need the permission read, but for the few that others use too', () => {
  const roots = [schema.getQueryType()!, schema.getSubscriptionType()!];
  expect(roots.map((type) => scopesOf(type))).toEqual([{ permission: 'read' }, { permission: 'read' }]);
  const forOthers = roots.flatMap((type) =>
    Object.values(type.getFields()).filter((field) => optionsOf(field).skipTypeScopes),
  );
  expect(forOthers.map(({ name }) => name).sort()).toEqual([
    'charge',
    'chargeUpdated',
    'exchangeRates',
    'invitationPreview',
    'merchant',
    'merchants',
    'paymentMethods',
    'session',
    'sessionUpdated',
    'viewer',
  ]);
  expect(forOthers.filter((field) => !scopesOf(field)).map(({ name }) => name)).toEqual(['viewer']);
});

type Defined = GraphQLObjectType | GraphQLField<unknown, unknown>;

function optionsOf(defined: Defined): { authScopes?: unknown; skipTypeScopes?: boolean } {
  return (defined.extensions.pothosOptions ?? {}) as object;
}

function scopesOf(defined: Defined): unknown {
  return optionsOf(defined).authScopes;
}
