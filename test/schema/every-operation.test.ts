import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';
import type pg from 'pg';
import { describe, expect, vi } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { checkCost } from '../../schema/server/limits.ts';
import { checkInvariants } from '../../src/domain/operations/check/check-invariants.ts';
import { toAuditRow } from '../../src/domain/platform/audit/record-audit.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { IdType } from '../../src/kit/id.ts';
import type { OnCleanup } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { fileTest } from '../setup/fixtures.ts';
import { type GraphqlApp, type Json, maskIds, setupGraphqlApp, toAuthorization } from '../setup/graphql.ts';
import { hostileValue, sampleInput, selectAllFields } from '../setup/graphql-values.ts';
import { seedApiKey, seedCharge } from '../setup/seed.ts';
import { seedOneOfEachType } from '../setup/seed-one-of-each-type.ts';
import { recordStatements } from '../setup/sent-statements.ts';
import { signInAs } from '../setup/sign-in.ts';
import type { Visitor } from '../setup/visitor.ts';

type Ask = (query: string, variables: object) => Promise<{ data: Json; errors: Json }>;

/** Each part has an application of its own, because the first one changes all objects. */
const extendWithApp = () =>
  fileTest
    .extend('app', { scope: 'file' }, ({ onFileCleanup }) => setupGraphqlApp(onFileCleanup))
    .extend('service', { scope: 'file' }, ({ app }) => app.context.service);

/**
 * The IDs of objects, callers with the most permissions, and the violations before the first test: some objects
 * were inserted directly.
 */
const inputTest = extendWithApp().extend('input', { scope: 'file' }, async ({ app }) => {
  const { service, clock } = app.context;
  const now = clock.now();
  const foreign = await seedCharge(service, app.otherMerchant, { now });
  const sandbox = await seedCharge(service, app.merchant, { mode: 'sandbox', now });
  const idsByType = await seedOneOfEachType(app);
  // This key may be revoked.
  const revocable = await seedApiKey(service, app.merchant, { now });
  const ownIds = Object.values({
    ...idsByType,
    apiKey: revocable.id,
    merchant: app.otherMerchant.merchant.id,
  });
  const ids = [...ownIds, foreign.id, sandbox.id];
  const byKey =
    (keys: GraphqlApp['merchant']['keys']['live'], headers = {}): Ask =>
    async (query, variables) => {
      const response = await app.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'content-type': 'application/json', ...toAuthorization(keys), ...headers },
        payload: JSON.stringify({ query, variables }),
      });
      return response.json();
    };
  const owner = await signInAs('owner', app, app.merchant);
  const operator = await signInAs('operator', app);
  const callers: Record<string, Ask> = {
    live: byKey(app.merchant.keys.live),
    // Both responses of a request that is repeated with an idempotency key.
    repeated: async (query, variables) => {
      const askWithKey = byKey(app.merchant.keys.live, { 'idempotency-key': randomUUID() });
      const [first, second] = [await askWithKey(query, variables), await askWithKey(query, variables)];
      return { data: first.data, errors: [...(first.errors ?? []), ...(second.errors ?? [])] };
    },
    sandbox: byKey(app.merchant.keys.sandbox),
    owner: (query, variables) => owner.ask(query, { variables }),
    operator: (query, variables) => operator.ask(query, { variables }),
  };
  return { ids, callers, violations: await checkInvariants(service) };
});

/** Mutations that end the sessions of the caller. */
const skipped = new Set(['signOutEverywhere']);

const getFieldsWithArguments = (type: GraphQLObjectType | null | undefined) =>
  Object.values(type?.getFields() ?? {}).filter(({ name, args }) => args.length > 0 && !skipped.has(name));

/** The arguments of a call as variables. */
const toArguments = (field: GraphQLField<unknown, unknown>, ids: string[]) =>
  fc.record(Object.fromEntries(field.args.map(({ name, type }) => [name, hostileValue(type, ids)])), {
    requiredKeys: field.args.filter(({ type }) => String(type).endsWith('!')).map(({ name }) => name),
  });

function toDocument(kind: string, field: GraphQLField<unknown, unknown>): string {
  const variables = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const args = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  return `${kind} (${variables}) { ${field.name}(${args}) ${selectAllFields(field.type, 1)} }`;
}

const findInternalErrors = (errors: Json): string[] =>
  (errors ?? [])
    .filter(({ extensions }: Json) => ['internal_error', 'unavailable'].includes(extensions.code))
    .map(({ path }: Json) => String(path));

type ForeignAsk = (query: string) => Promise<{ data: Json; errors: Json }>;

/** Tables whose rows mutations lock. */
const locked = [
  'api_key',
  'certificate',
  'charge',
  'merchant_user',
  'notification',
  'receiving_account',
  'refund',
  'subscription',
  'transfer',
  'user_invitation',
  'webhook',
];

/** Locks the objects, because a request for an object of another merchant must not wait for a lock. */
async function lockObjects(onCleanup: OnCleanup, service: Service, ids: string[]): Promise<void> {
  const client = await service.pool.connect();
  onCleanup(async () => {
    await client.query('ROLLBACK');
    client.release();
  });
  await client.query('BEGIN');
  for (const table of locked)
    await client.query(`SELECT 1 FROM ${table} WHERE id = ANY($1) FOR NO KEY UPDATE`, [ids]);
}

type Ids = Partial<Record<IdType, string>>;

/** Locked objects of a merchant, and callers who cannot see them. */
const foreignTest = extendWithApp()
  .extend('ids', { scope: 'file' }, async ({ app, service, onFileCleanup }): Promise<Ids> => {
    const ids = await seedOneOfEachType(app);
    await lockObjects(onFileCleanup, service, Object.values(ids));
    return ids;
  })
  .extend('callers', { scope: 'file' }, async ({ app }): Promise<[string, ForeignAsk][]> => {
    const owner = await signInAs('owner', app, app.otherMerchant);
    return [
      ['a key of another merchant', (query) => app.ask(query, { as: app.otherMerchant.keys.live })],
      ['an owner of another merchant', (query) => owner.ask(query)],
      ['a key of the other mode', (query) => app.ask(query, { as: app.merchant.keys.sandbox })],
    ];
  });

/** Types of objects that belong to a merchant in both modes. */
const ofBothModes: IdType[] = ['user', 'merchant', 'userInvitation'];

/** Mutations of operators, who may call them for all merchants. */
const operators = [
  'setMerchantEnabled',
  'grantRestrictedAccess',
  'declineRestrictedAccess',
  'setOperationsEnabled',
];

/** Mutations that succeed for unknown IDs: a missing session has ended. */
const harmless = ['endUserSession'];

const mutations = Object.values(schema.getMutationType()!.getFields()).filter(
  (field) => getIdFields(field).length > 0 && ![...operators, ...harmless].includes(field.name),
);

function getInputFields(field: GraphQLField<unknown, unknown>) {
  const type = field.args[0] && getNamedType(field.args[0].type);
  return isInputObjectType(type) ? Object.values(type.getFields()) : [];
}

function getIdFields(field: GraphQLField<unknown, unknown>) {
  return getInputFields(field).filter(
    ({ type }) => String(getNamedType(type)) === 'ID' && !String(type).startsWith('['),
  );
}

/** The nouns of an ID by the name of its field, or else by that of the mutation. */
function getNouns(ids: Ids, mutation: string, name: string): IdType[] {
  const idTypes = Object.keys(ids) as IdType[];
  const text = name === 'id' ? mutation : name;
  const named = idTypes.filter((noun) => text.toLowerCase().includes(noun.toLowerCase()));
  return named.length > 0 ? named : idTypes;
}

/** Sizes of the requested pages. */
const sizes = [1, count(3, 10), count(12, 50)] as const;

const listTest = extendWithApp().extend('owner', { scope: 'file' }, async ({ app }): Promise<Visitor> => {
  const { merchant: _, ...ids } = await seedOneOfEachType(app);
  const { prisma, pool } = app.context.service;
  const owner = await signInAs('owner', app, app.merchant);
  // Refunds that await a payout are a list of their own.
  await prisma.refund.update({ where: { id: ids.refund! }, data: { status: 'processing' } });
  const ownRows = { where: { merchantId: app.merchant.merchant.id }, select: { id: true } };
  const [events, notifications] = await Promise.all([
    prisma.event.findMany(ownRows),
    prisma.notification.findMany(ownRows),
  ]);
  // The newest audit entries have the same kind of actor.
  const { id: audit } = await prisma.auditEntry.create({
    data: toAuditRow({
      merchantId: app.merchant.merchant.id,
      mode: 'live',
      actor: `user:${ids.user}`,
      action: 'settings.updated',
      now: new Date(),
    }),
  });
  const all = [...Object.values(ids), audit, ...[...events, ...notifications].map(({ id }) => id)];
  await copyRelated(pool, [...new Set(all)], sizes[2] - 1);
  return owner;
});

const lists = Object.values(schema.getQueryType()!.getFields()).filter(({ name, type }) => {
  // Only operators can read these lists.
  return getNamedType(type).name.endsWith('Connection') && name !== 'merchants';
});

const getNodeType = (connection: string) =>
  getNamedType(
    (schema.getType(connection) as GraphQLObjectType).getFields().nodes!.type,
  ) as GraphQLObjectType;

/** Counts the statements of a document, without the occasional update of the session. */
async function countStatements(owner: Visitor, document: string, first: number): Promise<string[]> {
  const { result, sent } = await recordStatements(() => owner.ask(document, { variables: { first } }));
  expect(result.errors).toBeUndefined();
  const [list] = Object.values(result.data) as { nodes: unknown[] }[];
  expect(list?.nodes).toHaveLength(first);
  return sent.map(({ text }) => text).filter((text) => !/^UPDATE "public"."user_session"/.test(text));
}

const fits = (document: string) => {
  try {
    const parsed = parse(document);
    const operation = getOperationAST(parsed)!;
    checkCost(schema, parsed, { operation, variables: { first: sizes[2] }, context: {} });
    return true;
  } catch {
    return false;
  }
};

/** A document for each object within the objects of a list, as deep as the cost limit allows. */
function toDocuments(list: string, node: GraphQLObjectType): [what: string, document: string][] {
  const fields = Object.values(node.getFields()).filter(({ args }) => !args.some(isRequiredArgument));
  const toDocument = (selection: string) =>
    `query ($first: Int!) { ${list}(first: $first) { nodes { id ${selection} } } }`;
  const values = fields.filter(({ type }) => isLeafType(getNamedType(type))).map(({ name }) => name);
  const objects = fields.filter(({ type }) => isObjectType(getNamedType(type)));
  const nested = objects.flatMap(({ name, type }): [string, string][] => {
    const deepest = [1, 0].map((depth) => toDocument(`${name} ${selectAllFields(type, depth)}`)).find(fits);
    return deepest ? [[name, deepest]] : [];
  });
  return [['its own values', toDocument(values.join(' '))], ...nested];
}

describe('Arbitrary input', () => {
  describe.each([
    ['query', getFieldsWithArguments(schema.getQueryType())],
    ['mutation', getFieldsWithArguments(schema.getMutationType())],
  ] as const)('every %s', (kind, fields) => {
    inputTest.for(fields.map((field) => [field.name, field] as const))(
      '%s returns no internal error',
      async ([_name, field], { app, input }) => {
        const log = vi.spyOn(app.app.log, 'error');
        const query = toDocument(kind, field);
        const call = fc.tuple(fc.constantFrom(...Object.keys(input.callers)), toArguments(field, input.ids));
        const property = fc.asyncProperty(call, async ([caller, variables]) => {
          const { data, errors } = await input.callers[caller]!(query, variables);
          expect(findInternalErrors(errors)).toEqual([]);
          expect(data || errors.length > 0).toBeTruthy();
        });
        await fc.assert(property, { numRuns: count(3, 100) });
        expect(log).not.toHaveBeenCalled();
        log.mockRestore();
      },
    );
  });

  inputTest('leaves no invariant violated and every caller signed in', async ({ app, input }) => {
    for (const caller of ['owner', 'operator'])
      expect(
        (await input.callers[caller]!('{ viewer { __typename } }', {})).data.viewer,
        caller,
      ).not.toBeNull();
    for (const caller of ['live', 'sandbox'])
      expect((await input.callers[caller]!('{ me { __typename } }', {})).errors, caller).toBeUndefined();
    // The objects are seeded without their events, and an operation may end such a violation.
    const known = new Map(input.violations.map((violation) => [violation.name, violation]));
    const added = (await checkInvariants(app.context.service)).filter(({ name, count, examples }) => {
      const before = known.get(name);
      return !before || count > before.count || examples.some((id) => !before.examples.includes(id));
    });
    expect(added).toEqual([]);
  });
});

describe('An id of another merchant or mode', () => {
  foreignTest('is an argument of more than 30 mutations', () => {
    expect(mutations.length).toBeGreaterThan(30);
  });

  foreignTest.for(mutations.map((field) => [field.name, field] as const))(
    '%s does not find it',
    async ([name, field], { ids, callers }) => {
      const parts = getInputFields(field).flatMap(({ name: member, type }) => {
        if (!isNonNullType(type)) return [];
        // Exports of payouts have a receiving account.
        if (name === 'createExport' && member === 'kind') return ['kind: payouts'];
        if (String(type).startsWith('[ID')) return [`${member}: ["${ids[getNouns(ids, name, 'id')[0]!]}"]`];
        return String(getNamedType(type)) === 'ID'
          ? []
          : [`${member}: ${sampleInput(type as GraphQLInputType)}`];
      });
      for (const { name: member } of getIdFields(field)) {
        for (const noun of getNouns(ids, name, member)) {
          const others = getIdFields(field)
            .filter((other) => other.name !== member && isNonNullType(other.type))
            .map((other) => `${other.name}: "${ids[getNouns(ids, name, other.name)[0]!]}"`);
          const input = [...parts, ...others].map((part) => `${part}, `).join('');
          const id = ids[noun]!;
          for (const [caller, ask] of callers) {
            if (caller === 'a key of the other mode' && ofBothModes.includes(noun)) continue;
            const what = `${caller} sends a ${noun} as ${member}`;
            const answerTo = async (argument: string) => {
              const { data, errors } = await ask(
                `mutation { ${name}(input: { ${input}${member}: "${argument}" }) { __typename ... on UserError { code message } } }`,
              );
              expect(errors, what).toBeUndefined();
              return maskIds(data[name]);
            };
            const response = await answerTo(id);
            expect(response.__typename, what).toMatch(/Error$/);
            expect(response, what).toEqual(await answerTo(`${id.slice(0, -4)}zzzz`));
          }
        }
      }
    },
  );
});

describe('Number of SQL statements', () => {
  listTest.for(lists.map((field) => [field.name, getNamedType(field.type).name] as const))(
    `%s takes the same number of statements for ${sizes[2]} objects as for 1`,
    async ([name, connection], { owner }) => {
      for (const [what, document] of toDocuments(name, getNodeType(connection))) {
        const countAll = async () => {
          const counts: number[] = [];
          for (const first of sizes) counts.push((await countStatements(owner, document, first)).length);
          return counts;
        };
        let counts = await countAll();
        // The counts may differ if cached data expires between the requests.
        for (let repeats = 0; repeats < 3 && (counts[1] !== counts[2] || counts[0]! > counts[1]!); repeats++)
          counts = await countAll();
        // The newest object may have fewer nested objects than others.
        expect([what, counts]).toEqual([what, [expect.any(Number), counts[2], counts[2]]]);
        expect(counts[0]).toBeLessThanOrEqual(counts[1]!);
      }
    },
  );

  listTest.for(lists.map(({ name }) => name))(
    '%s counts its total only if it is selected',
    async (name, { owner }) => {
      const page = (selection: string) => `query ($first: Int!) { ${name}(first: $first) { ${selection} } }`;
      const askBoth = async () => ({
        without: await countStatements(owner, page('nodes { id } pageInfo { hasNextPage }'), 2),
        counting: await countStatements(owner, page('totalCount nodes { id }'), 2),
      });
      let { without, counting } = await askBoth();
      // The counts may differ if cached data expires between the requests.
      if (counting.length !== without.length + 1) ({ without, counting } = await askBoth());
      expect(without.filter((text) => /COUNT\(|SUM\(/i.test(text))).toEqual([]);
      expect(counting).toHaveLength(without.length + 1);
    },
  );
});

/** Copies related objects; the copies refer to each other. Triggers and foreign keys are bypassed. */
async function copyRelated(pool: pg.Pool, ids: string[], copies: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN; SET LOCAL session_replication_role = 'replica'");
    const { rows: tables } = await client.query<{ name: string; unique: string[] }>(`
      SELECT c.relname AS name, coalesce(array_agg(DISTINCT a.attname::text) FILTER (WHERE a.attname IS NOT NULL), '{}') AS unique
      FROM pg_class c JOIN pg_attribute own ON own.attrelid = c.oid AND own.attname = 'id' AND own.atttypid = 'text'::regtype
      LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisunique
      LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
        AND a.attname NOT IN ('id', 'merchant_id') AND a.atttypid IN ('text'::regtype, 'integer'::regtype, 'bigint'::regtype)
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY c.relname`);
    for (const { name, unique } of tables) {
      const { rows } = await client.query(`SELECT to_jsonb(t) AS row FROM "${name}" t WHERE id = ANY ($1)`, [
        ids,
      ]);
      for (const { row } of rows) {
        const copied = Array.from({ length: copies }, (_, i) => toCopy(row, { ids, unique, number: i + 1 }));
        await client.query(
          `INSERT INTO "${name}" SELECT p.* FROM jsonb_array_elements($1::jsonb) e, jsonb_populate_record(NULL::"${name}", e) p`,
          [JSON.stringify(copied)],
        );
      }
    }
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

type Row = Record<string, unknown>;

/** A copy of a row; other unique values are changed too. */
function toCopy(row: Row, { ids, unique, number }: { ids: string[]; unique: string[]; number: number }): Row {
  const suffix = `u${number.toString(36).padStart(2, '0')}`;
  let text = JSON.stringify(row);
  for (const id of ids) text = text.replaceAll(id, id + suffix);
  const copy: Row = JSON.parse(text);
  for (const name of unique) {
    const value = copy[name];
    if (value !== row[name]) continue;
    if (typeof value === 'number') copy[name] = value + number * 1_000;
    if (typeof value === 'string') copy[name] = value + suffix;
  }
  return copy;
}
