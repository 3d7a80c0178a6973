import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { GraphQLField, GraphQLObjectType } from 'graphql';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { checkInvariants } from '../../src/domain/operations/check/check-invariants.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { type GraphqlApp, type Json, setupGraphqlApp, toAuthorization } from '../setup/graphql.ts';
import { hostileValue, selectAllFields } from '../setup/graphql-values.ts';
import { seedApiKey, seedCharge } from '../setup/seed.ts';
import { seedEveryType } from '../setup/seed-every-type.ts';
import { signInAs } from '../setup/sign-in.ts';

const onCleanup = cleanupAfterFile();

/**
 * Every query and mutation with arguments made from the schema, as whoever may do the most. None is answered with an
 * error of ours, all that comes is read to its end, and the books hold afterwards.
 */

type Ask = (query: string, variables: object) => Promise<{ data: Json; errors: Json }>;

let app: GraphqlApp;
let ids: string[];
let askers: Record<string, Ask>;
/** What does not hold before: some of the objects were put there by hand. */
let violations: unknown;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  const { service, clock } = app.context;
  const now = clock.now();
  const foreign = await seedCharge(service, app.otherMerchant, { now });
  const sandbox = await seedCharge(service, app.merchant, { mode: 'sandbox', now });
  const nouns = await seedEveryType(app);
  // One that may be revoked.
  const spare = await seedApiKey(service, app.merchant, { now });
  const own = Object.values({ ...nouns, apiKey: spare.id, merchant: app.otherMerchant.merchant.id });
  ids = [...own, foreign.id, sandbox.id];
  const byKey =
    (keys: GraphqlApp['merchant']['keys']['live'], headers = {}): Ask =>
    async (query, variables) => {
      const answer = await app.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'content-type': 'application/json', ...toAuthorization(keys), ...headers },
        payload: JSON.stringify({ query, variables }),
      });
      return answer.json();
    };
  const owner = await signInAs('owner', app, app.merchant);
  const operator = await signInAs('operator', app);
  askers = {
    live: byKey(app.merchant.keys.live),
    // Both answers of a request that is repeated under one key.
    twice: async (query, variables) => {
      const ask = byKey(app.merchant.keys.live, { 'idempotency-key': randomUUID() });
      const [first, second] = [await ask(query, variables), await ask(query, variables)];
      return { data: first.data, errors: [...(first.errors ?? []), ...(second.errors ?? [])] };
    },
    sandbox: byKey(app.merchant.keys.sandbox),
    owner: (query, variables) => owner.ask(query, { variables }),
    operator: (query, variables) => operator.ask(query, { variables }),
  };
  violations = await checkInvariants(service);
});

/** It ends the session of who asks: from then on nobody would be signed in. */
const skipped = new Set(['signOutEverywhere']);
const fieldsOf = (type: GraphQLObjectType | null | undefined) =>
  Object.values(type?.getFields() ?? {}).filter(({ name, args }) => args.length > 0 && !skipped.has(name));

/** The arguments of one call, as variables. */
const callOf = (field: GraphQLField<unknown, unknown>) =>
  fc.record(Object.fromEntries(field.args.map(({ name, type }) => [name, hostileValue(type, ids)])), {
    requiredKeys: field.args.filter(({ type }) => String(type).endsWith('!')).map(({ name }) => name),
  });

function documentOf(kind: string, field: GraphQLField<unknown, unknown>): string {
  const variables = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const args = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  return `${kind} (${variables}) { ${field.name}(${args}) ${selectAllFields(field.type, 1)} }`;
}

const faults = (errors: Json): string[] =>
  (errors ?? [])
    .filter(({ extensions }: Json) => ['internal_error', 'unavailable'].includes(extensions.code))
    .map(({ path }: Json) => String(path));

describe.each([
  ['query', fieldsOf(schema.getQueryType())],
  ['mutation', fieldsOf(schema.getMutationType())],
] as const)('every %s', (kind, fields) => {
  test.each(fields.map((field) => [field.name, field] as const))(
    '%s answers whatever it is asked',
    async (_name, field) => {
      const log = vi.spyOn(app.app.log, 'error');
      const query = documentOf(kind, field);
      const call = fc.tuple(fc.constantFrom(...Object.keys(askers)), callOf(field));
      const property = fc.asyncProperty(call, async ([who, variables]) => {
        const { data, errors } = await askers[who]!(query, variables);
        expect(faults(errors)).toEqual([]);
        expect(data || errors.length > 0).toBeTruthy();
      });
      await fc.assert(property, { numRuns: count(3, 100) });
      expect(log).not.toHaveBeenCalled();
      log.mockRestore();
    },
  );
});

test('afterwards the books hold, and who asked may still', async () => {
  for (const who of ['owner', 'operator'])
    expect((await askers[who]!('{ viewer { __typename } }', {})).data.viewer, who).not.toBeNull();
  for (const who of ['live', 'sandbox'])
    expect((await askers[who]!('{ me { __typename } }', {})).errors, who).toBeUndefined();
  expect(await checkInvariants(app.context.service)).toEqual(violations);
});
