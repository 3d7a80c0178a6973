import { getIntrospectionQuery } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { type GraphqlApp, graphqlApp } from '../setup/graphql.ts';

/** Introspection is open to everybody, who may ask for each thing once. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await graphqlApp();
});

/** As a page of our own asks, that nobody has signed in to. */
const ask = (query: string) =>
  app.ask(query, {
    as: null,
    headers: {
      accept: 'application/graphql-response+json',
      origin: app.context.service.settings.publicUrl,
    },
  });

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
      typeDepth: 9,
    }),
  ],
])('%s passes', async (_name, query) => {
  const { data, errors } = await ask(query);
  expect(errors).toBeUndefined();
  expect(data.__schema.types.length).toBeGreaterThan(100);
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
  expect(errors[0].message).toMatch(/^Introspection takes no/);
});
