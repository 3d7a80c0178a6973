import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';

const onCleanup = cleanupAfterFile();

/** Callers with credentials may introspect each thing once; without, the documents that tools send are answered. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const accept = 'application/graphql-response+json';
const ask = (query: string) => app.ask(query, { headers: { accept } });
/** As one of our own pages without a session. */
const askSignedOut = (query: string) =>
  app.ask(query, { as: null, headers: { origin: app.context.service.settings.publicUrl } });

test.each([
  ['the introspection of clients', getIntrospectionQuery()],
  [
    'that of GraphiQL',
    getIntrospectionQuery({
      schemaDescription: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      inputValueDeprecation: true,
      oneOf: true,
    }),
  ],
])('%s is answered alike with and without credentials', async (_name, query) => {
  const { data, errors } = await ask(query);
  expect(errors).toBeUndefined();
  expect(data.__schema.types.length).toBeGreaterThan(100);
  expect((await askSignedOut(query)).data).toEqual(data);
});

test('without credentials no other introspection is answered', async () => {
  const { status, errors } = await askSignedOut('{ __schema { types { name } } }');
  expect([status, errors[0].extensions.code]).toEqual([401, 'unauthenticated']);
});

test('the address of the SDL answers the introspection of GraphiQL to those who accept JSON', async () => {
  const json = await fetch(`${app.url}/schema.graphql`, { headers: { accept: 'application/json' } });
  const { data } = await json.json();
  expect(printSchema(buildClientSchema(data))).toBe(printSchema(schema));
  const sdl = await fetch(`${app.url}/schema.graphql`);
  expect(await sdl.text()).toBe(`${printSchema(schema)}\n`);
});

test.each([
  ['an alias of the schema', '{ a: __schema { types { name } } }'],
  ['an alias of a type', '{ a: __type(name: "Charge") { name } }'],
  [
    'aliases of a type’s fields, in a fragment',
    '{ __schema { types { ...F } } } fragment F on __Type { a: fields { name } }',
  ],
  ['fields of the types of fields', '{ __schema { types { fields { type { fields { name } } } } } }'],
  [
    'the same by way of fragments',
    `{ __schema { types { ...A } } }
     fragment A on __Type { name ... on __Type { fields { type { ofType { ...B } } } } } fragment B on __Type { inputFields { name } }`,
  ],
])('introspection that asks for all again is refused: %s', async (_name, query) => {
  const { status, errors } = await ask(query);
  expect(status).toBe(400);
  expect(errors[0].message).toMatch(/^Introspection queries cannot/);
});
