import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { operations } from '../../src/rest/operations.ts';
import { basicAuth } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { seedEveryType } from '../setup/seed-every-type.ts';
import { recordStatements } from '../setup/sent-statements.ts';
import { signInAs } from '../setup/sign-in.ts';
import type { Visitor } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** Whatever text a caller gives, it goes to PostgreSQL as a value: it stands in the text of no statement. */

/** Would end a text, a name and a statement in SQL; with what is found again whatever is escaped in between. */
const mark = 'zq7mark';
const hostile = `${mark}'"\`); DROP TABLE merchant; --\\`;

let app: GraphqlApp;
let ids: Record<string, string>;
let owner: Visitor;
let operator: Visitor;
/** How often it came to PostgreSQL at all. */
let arrived = 0;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  ids = (await seedEveryType(app)) as Record<string, string>;
  owner = await signInAs('owner', app, app.merchant);
  operator = await signInAs('operator', app);
});

async function expectValues(what: string, ask: () => Promise<unknown>): Promise<void> {
  const { sent } = await recordStatements(ask);
  const inText = sent.filter(({ text }) => text.toLowerCase().includes(mark));
  expect([what, ...inText.map(({ text }) => text)]).toEqual([what]);
  arrived += sent.filter(({ values }) => JSON.stringify(values ?? []).includes(mark)).length;
}

/** Each variant of a value with one of its texts made hostile. */
function* variants(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield hostile;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    for (const changed of variants(member)) {
      if (Array.isArray(value)) yield value.with(Number(name), changed);
      else yield { ...value, [name]: changed };
    }
  }
}

type Parameter = { name: string; in: string; schema: { enum?: string[]; type?: string } };
type Document = { paths: Record<string, Record<string, { parameters?: Parameter[] }>> };

test('of every parameter and body of REST', async () => {
  const { paths } = (await app.app.inject('/openapi.json')).json() as Document;
  const ask = (method: string, url: string, headers = {}, body?: unknown) =>
    expectValues(`${method} ${url}`, () =>
      app.app.inject({
        ...{ method: method as 'POST', url },
        headers: {
          authorization: basicAuth(app.merchant.keys.live),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      }),
    );
  for (const [path, methods] of Object.entries(paths)) {
    for (const [lower, { parameters = [] }] of Object.entries(methods)) {
      const method = lower.toUpperCase();
      const { exampleRequest } = operations[`${method} ${path}`]!;
      const at = path.replace('{id}', encodeURIComponent(hostile));
      await ask(method, at, { 'idempotency-key': hostile }, exampleRequest);
      for (const { name } of parameters.filter((one) => one.in === 'query'))
        await ask(method, `${at}?${name}=${encodeURIComponent(hostile)}`, {}, exampleRequest);
      const own = path.replace('{id}', ids.charge!);
      for (const body of variants(exampleRequest)) await ask(method, own, {}, body);
    }
  }
  expect(arrived).toBeGreaterThan(30);
});

/** A value that fits its type, with every member it may have. */
function whole(type: GraphQLInputType, name: string, depth = 0): unknown[] {
  const named = getNullableType(type) as GraphQLInputType;
  if (isListType(named)) return whole(named.ofType, name, depth).map((one) => [one]);
  if (isEnumType(named)) return [named.getValues()[0]!.name];
  if (isInputObjectType(named)) {
    const members = Object.values(named.getFields()).filter(
      (field) => depth < 4 || isNonNullType(field.type),
    );
    const each = members.map((field) => [field.name, whole(field.type, field.name, depth + 1)] as const);
    if (named.isOneOf)
      return each.flatMap(([member, values]) => values.map((value) => ({ [member]: value })));
    return [
      Object.fromEntries(
        each.flatMap(([member, values]) => (values.length > 0 ? [[member, values[0]]] : [])),
      ),
    ];
  }
  const known: Record<string, unknown> = {
    Boolean: true,
    Int: 1,
    Float: 1,
    Decimal: '1',
    Date: '2026-11-20',
    DateTime: '2026-11-20T08:30:00Z',
    CurrencyCode: 'HKD',
    CountryCode: 'HK',
    ID: ids[name.replace(/Id$/, '')] ?? ids.charge,
  };
  return [known[String(named)] ?? (/mail/i.test(name) ? 'ada@example.com' : 'text')];
}

/** All calls of a field with one text of its arguments made hostile each. */
function callsOf(field: GraphQLField<unknown, unknown>): object[] {
  return field.args.flatMap(({ name, type }) => {
    const others = Object.fromEntries(
      field.args
        .filter((arg) => isNonNullType(arg.type) && arg.name !== name)
        .map((arg) => [arg.name, whole(arg.type, arg.name)[0]]),
    );
    return whole(type, name).flatMap((value) =>
      [...variants(value)].map((changed) => ({ ...others, [name]: changed })),
    );
  });
}

function documentOf(kind: string, field: GraphQLField<unknown, unknown>, given: object): string {
  const used = field.args.filter(({ name }) => name in given);
  const variables = used.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const args = used.map(({ name }) => `${name}: $${name}`).join(', ');
  const isLeaf = isLeafType(getNamedType(field.type));
  return `${kind} (${variables}) { ${field.name}(${args})${isLeaf ? '' : ` { __typename ${kind === 'mutation' ? '... on UserError { code }' : ''} }`} }`;
}

/** They end the session that asks. */
const skipped = new Set(['signOut', 'signOutEverywhere']);

describe.each([
  ['query', schema.getQueryType()!],
  ['mutation', schema.getMutationType()!],
] as const)('of every %s', (kind, root) => {
  const fields = Object.values(root.getFields()).filter(
    ({ name, args }) => args.length > 0 && !skipped.has(name),
  );

  test('in GraphQL', async () => {
    const before = arrived;
    for (const field of fields) {
      // In the short run each third of them, the first of every field among them.
      const calls = callsOf(field).filter((_, i) => i % count(3, 1) === 0);
      for (const variables of calls) {
        const document = documentOf(kind, field, variables);
        await expectValues(`${field.name} ${JSON.stringify(variables)}`, async () => {
          const { data, errors } = await owner.ask(document, { variables });
          const code = data?.[field.name]?.code ?? errors?.[0].extensions.code;
          if (code === 'permission_denied') await operator.ask(document, { variables });
        });
      }
    }
    expect(arrived - before).toBeGreaterThan(count(8, 20));
  }, 120_000);
});
