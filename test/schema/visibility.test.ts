import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { expect } from 'vitest';
import { getTypeName, typeNames } from '../../schema/kit/relay-options.ts';
import { schema } from '../../schema/schema.ts';
import { permissions } from '../../src/domain/accounts/api-key/permissions.ts';
import { merchantRoles } from '../../src/domain/accounts/user/roles.ts';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import type { IdType } from '../../src/kit/id.ts';
import { fakeTimeGraphqlTest } from '../setup/app-fixtures.ts';
import { type ApiAuth, type GraphqlApp, type Json, toAuthorization } from '../setup/graphql.ts';
import { sampleInput } from '../setup/graphql-values.ts';
import { noon, seedApiKey } from '../setup/seed.ts';
import { seedOneOfEachType } from '../setup/seed-one-of-each-type.ts';
import { password, signInAs } from '../setup/sign-in.ts';
import { createVisitor, publicOrigin } from '../setup/visitor.ts';

/**
 * Requests every field of the schema as every kind of caller, and compares the result with visibility.txt. A new field
 * fails until its visibility was decided; `-u` on this file writes it there.
 */

type CallerResponse = { status: number; data: Json; errors: Json };
/** A kind of caller with its credentials. */
type Caller = {
  name: string;
  headers: Record<string, string>;
  ask: (query: string) => Promise<CallerResponse>;
};

/** The first fields that fit into one document, also into one with a client token. */
function takeFields(fields: [name: string, text: string][]): [name: string, text: string][] {
  let length = 0;
  const count = fields.findIndex(([, text], i) => {
    length += text.length + 6;
    return i > 0 && (i === 50 || length > 3_900);
  });
  return count === -1 ? fields : fields.slice(0, count);
}

/** Requests each field with an alias, at most 50 in a document; returns those without an error. */
async function askEach(caller: Caller, fields: Map<string, string>): Promise<Map<string, Json>> {
  const responses = new Map<string, Json>();
  let remaining = [...fields];
  while (remaining.length > 0) {
    const part = takeFields(remaining);
    remaining = remaining.slice(part.length);
    const { data, errors } = await caller.ask(`{ ${part.map(([, text], i) => `f${i}: ${text}`).join(' ')} }`);
    const failed = new Set((errors ?? []).map(({ path }: Json) => path?.[0]));
    part.forEach(([name], i) => {
      if (data?.[`f${i}`] != null && !failed.has(`f${i}`)) responses.set(name, data[`f${i}`]);
    });
  }
  return responses;
}

type FieldResult = { result: Json; error: Json };

/**
 * Requests root fields, at most 50 in a document, and returns the result of each. If an error of one field leaves no
 * data, the others are requested again.
 */
async function askTogether(
  caller: Caller,
  kind: 'query' | 'mutation',
  fields: [name: string, text: string][],
): Promise<Map<string, FieldResult>> {
  const part = takeFields(fields);
  const { data, errors } = await caller.ask(
    `${kind} { ${part.map(([, text], i) => `f${i}: ${text}`).join(' ')} }`,
  );
  const responses = new Map<string, FieldResult>();
  part.forEach(([name], i) => {
    const fieldError = errors?.find(({ path }: Json) => path?.[0] === `f${i}`);
    // An error of the whole request has no path.
    const error = fieldError ?? errors?.find(({ path }: Json) => path === undefined);
    if (data || error) responses.set(name, { result: data?.[`f${i}`], error });
  });
  // Fields before the failed one were executed, and are repeated last, because attempts are limited.
  const failedIndex = part.findIndex(([name]) => responses.get(name)?.error);
  const remaining = [
    ...part.slice(failedIndex + 1),
    ...fields.slice(part.length),
    ...part.slice(0, Math.max(failedIndex, 0)),
  ].filter(([name]) => !responses.has(name));
  return remaining.length === 0
    ? responses
    : new Map([...responses, ...(await askTogether(caller, kind, remaining))]);
}

type Ids = Partial<Record<IdType, string>>;

const test = fakeTimeGraphqlTest
  .extend('ids', { scope: 'file' }, ({ app }): Promise<Ids> => seedOneOfEachType(app))
  .extend('callers', { scope: 'file' }, ({ app, ids }) => setupCallers(app, ids));

async function setupCallers(app: GraphqlApp, ids: Ids): Promise<Caller[]> {
  const { service } = app.context;
  const byToken = (name: string, as: ApiAuth): Caller => ({
    name,
    headers: { ...toAuthorization(as) },
    ask: (query) => app.ask(query, { as }),
  });
  const keys: Caller[] = [];
  for (const permission of permissions)
    keys.push(byToken(permission, await seedApiKey(service, app.merchant, { permissions: [permission] })));
  const revoked = await seedApiKey(service, app.merchant);
  await service.prisma.apiKey.update({ where: { key: revoked.apiKey }, data: { revokedAt: noon } });
  return [
    byToken('key', app.merchant.keys.live),
    ...keys,
    ...(await signInEveryRole(app)),
    byToken('page', { token: createClientToken(service.secrets, { id: ids.charge!, mode: 'live' }) }),
    byToken('stranger', app.otherMerchant.keys.live),
    byToken('sandbox', app.merchant.keys.sandbox),
    byToken('nobody', null),
    byToken('revoked', revoked),
    {
      name: 'visitor',
      headers: { origin: publicOrigin },
      ask: createVisitor(app.app, { address: '203.0.113.1' }).ask,
    },
  ];
}

/** A user for each mode, because wrong passwords and codes are counted by session and address. */
async function signInEveryRole(app: GraphqlApp): Promise<Caller[]> {
  const users: Caller[] = [];
  for (const role of [...merchantRoles, 'operator'] as const) {
    for (const mode of role === 'operator' ? (['live'] as const) : (['live', 'sandbox'] as const)) {
      const user = await signInAs(role, app, app.merchant);
      users.push({
        name: mode === 'live' ? role : `sandbox-${role}`,
        headers: { cookie: user.cookie()!, origin: publicOrigin, 'causeway-mode': mode },
        ask: (query) => user.ask(query, { mode }),
      });
    }
  }
  return users;
}

/** The callers who see a field; for all others it is an error, null or absent. */
const table = new Map<string, string[]>();
const addCaller = (field: string, caller: string) => table.set(field, [...(table.get(field) ?? []), caller]);

const isNode = (type: unknown): type is GraphQLObjectType =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');

/** The path of each field and nested value; other objects are read by their ID. */
function* listPaths(type: GraphQLObjectType, prefix: string): Generator<[path: string, text: string]> {
  for (const field of Object.values(type.getFields())) {
    const inner = getNamedType(field.type);
    const path = `${prefix}.${field.name}`;
    if (field.args.some(isRequiredArgument)) continue;
    if (isLeafType(inner)) yield [path, field.name];
    else if (isNode(inner)) yield [path, `${field.name} { id }`];
    else if (isObjectType(inner))
      for (const [deeper, text] of listPaths(inner, path)) yield [deeper, `${field.name} { ${text} }`];
  }
}

const idsByType = (ids: Ids) =>
  new Map(Object.entries(ids).map(([noun, id]) => [typeNames[noun as IdType]!, id!]));

test('Every object type has one object', ({ ids }) => {
  const nodes = Object.values(schema.getTypeMap()).flatMap((type) => (isNode(type) ? [type.name] : []));
  const objects = [...idsByType(ids)].map(([name, id]) => [name, getTypeName(id)]);
  expect(objects.filter(([name, typeName]) => name !== typeName)).toEqual([]);
  // These types exist in the sandbox only.
  expect(nodes.filter((name) => !idsByType(ids).has(name))).toEqual(['TestClock']);
});

async function askObjects(ids: Ids, callers: Caller[]): Promise<void> {
  for (const [name, id] of idsByType(ids)) {
    const paths = new Map(listPaths(schema.getType(name) as GraphQLObjectType, name));
    for (const path of paths.keys()) table.set(path, []);
    const of = (text: string) => `node(id: "${id}") { ... on ${name} { ${text} } }`;
    for (const caller of callers) {
      // One query for all fields; one query for each if there is an error.
      const { data, errors } = await caller.ask(`{ all: ${of([...paths.values()].join(' '))} }`);
      const each = new Map([...paths].map(([path, text]) => [path, of(text)]));
      // The error concerns the whole object.
      const isDenied = !errors || errors.some(({ path }: Json) => (path ?? []).length < 2);
      const visible = data?.all && !errors ? paths : isDenied ? [] : await askEach(caller, each);
      for (const [path] of visible) addCaller(path, caller.name);
    }
  }
  expect(table.size).toBeGreaterThan(200);
}

/** The fields of a charge and its related objects that a client token sees. */
async function askPage(ids: Ids, callers: Caller[]): Promise<void> {
  const page = callers.find(({ name }) => name === 'page')!;
  const visited = new Set<string>();
  const visit = async (type: GraphQLObjectType, wrap: (text: string) => string) => {
    visited.add(type.name);
    const fields = new Map([...listPaths(type, type.name)].map(([path, text]) => [path, wrap(text)]));
    const responses = await askEach(page, fields);
    for (const path of responses.keys()) addCaller(path, 'page');
    for (const field of Object.values(type.getFields())) {
      const inner = getNamedType(field.type);
      if (!isNode(inner) || visited.has(inner.name) || !responses.has(`${type.name}.${field.name}`)) continue;
      await visit(inner, (text) => wrap(`${field.name} { ${text} }`));
    }
  };
  await visit(
    schema.getType('Charge') as GraphQLObjectType,
    (text) => `charge(id: "${ids.charge}") { ${text} }`,
  );
  expect([...visited]).toContain('Refund');
}

/** The stranger has objects of its own. The sandbox has none, so that errors there depend on the caller only. */
const listOwnCallers = (callers: Caller[]) => callers.filter(({ name }) => name !== 'stranger');

test.for(['nobody', 'revoked'])(
  'The caller %s without valid credentials gets nothing',
  async (caller, { callers }) => {
    const { ask } = callers.find(({ name }) => name === caller)!;
    expect(await ask('{ viewer { __typename } }')).toMatchObject({ status: 401, errors: [{}] });
  },
);

async function askQueries(ids: Ids, callers: Caller[]): Promise<void> {
  const fields = Object.values(schema.getQueryType()!.getFields());
  for (const { name } of fields) table.set(`Query.${name}`, []);
  for (const caller of listOwnCallers(callers)) {
    const texts = fields.map((field): [string, string] => [field.name, buildRootField(ids, field)]);
    for (const [name, { result, error }] of await askTogether(caller, 'query', texts)) {
      if (!error && result !== null) addCaller(`Query.${name}`, caller.name);
    }
  }
}

async function callMutations(ids: Ids, callers: Caller[]): Promise<void> {
  // These start or end the session of the caller.
  const skipped = ['signIn', 'signOut', 'signOutEverywhere'];
  const fields = Object.values(schema.getMutationType()!.getFields()).filter(
    ({ name }) => !skipped.includes(name),
  );
  for (const { name } of fields) table.set(`Mutation.${name}`, []);
  for (const caller of listOwnCallers(callers)) {
    const texts = fields.map((field): [string, string] => [
      field.name,
      `${callText(ids, field)} { __typename ... on UserError { code } }`,
    ]);
    for (const [name, { result, error }] of await askTogether(caller, 'mutation', texts)) {
      expect(result?.code, `${name} by ${caller.name}`).not.toBe('rate_limited');
      // Any other error means that the caller was allowed.
      const isAllowed = result
        ? result.__typename !== 'PermissionError' && result.code !== 'unauthenticated'
        : false;
      if (isAllowed) addCaller(`Mutation.${name}`, caller.name);
      else
        expect(result?.code ?? error.extensions.code, `${name} by ${caller.name}: ${error?.message}`).toMatch(
          /^(permission_denied|unauthenticated|sandbox_only)$/,
        );
    }
  }
}

/** The first event of a subscription, or the error. */
async function readFirstEvent(app: GraphqlApp, { headers }: Caller, query: string): Promise<Json> {
  const ended = new AbortController();
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
    signal: ended.signal,
  });
  let received = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    received += chunk;
    if (/^data: \{.*\n/m.test(received) || !response.headers.get('content-type')?.includes('event-stream'))
      break;
  }
  ended.abort();
  return JSON.parse(/^(?:data: )?(\{.*)$/m.exec(received)![1]!);
}

async function followAll(app: GraphqlApp, ids: Ids, callers: Caller[]): Promise<void> {
  const fields = Object.values(schema.getSubscriptionType()!.getFields());
  for (const field of fields) {
    const path = `Subscription.${field.name}`;
    table.set(path, []);
    // The sandbox has no objects and therefore no events.
    const liveCallers = listOwnCallers(callers).filter(({ name }) => !name.startsWith('sandbox'));
    for (const caller of field.args.some(isRequiredArgument) ? callers : liveCallers) {
      const { data, errors } = await readFirstEvent(
        app,
        caller,
        `subscription { ${field.name === 'eventAdded' ? 'eventAdded(after: "0")' : callText(ids, field)} { __typename } }`,
      );
      // Only its seller sees a sale; other callers get null.
      if (data?.[field.name] || (field.name === 'counterSaleUpdated' && !errors))
        addCaller(path, caller.name);
      else if (errors)
        expect(errors[0].extensions.code, caller.name).toMatch(/^(permission_denied|unauthenticated)$/);
      else expect(caller.name).toMatch(/^(stranger|page|sandbox.*)$/);
    }
  }
}

test('Every caller sees the fields and may use the operations that visibility.txt lists', async ({
  app,
  ids,
  callers,
}) => {
  await askObjects(ids, callers);
  await askPage(ids, callers);
  await askQueries(ids, callers);
  await callMutations(ids, callers);
  await followAll(app, ids, callers);
  const order = callers.map(({ name }) => name);
  const lines = [...table].map(([field, names]) => {
    const unique = order.filter((name) => names.includes(name));
    return `${field}: ${unique.join(' ') || '-'}`;
  });
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('visibility.txt');
}, 180_000);

/** Mutations that require the password. */
const passwordMutations = ['beginTwoFactorSetup', 'disableTwoFactor'];

function callText(ids: Ids, field: GraphQLField<unknown, unknown>): string {
  const args = field.args.filter(isRequiredArgument).map(({ name, type }) => {
    if (name === 'id') {
      // A statement is identified by the preview of its undo and by its pending entries, too.
      const typeName = getNamedType(field.type).name.replace(/UndoPreview|PendingEntry/, '');
      return `id: ${JSON.stringify(idsByType(ids).get(typeName) ?? ids.charge)}`;
    }
    // A wrong password has the same error as a missing permission.
    if (passwordMutations.includes(field.name)) return `${name}: { password: "${password}", code: "x" }`;
    // The preview checks the permission of callers only with an existing account and a text that is long enough.
    if (name === 'receivingAccountId')
      return `${name}: ${JSON.stringify(idsByType(ids).get('ReceivingAccount'))}`;
    if (name === 'text') return `${name}: "INTEREST"`;
    return `${name}: ${sampleInput(type)}`;
  });
  return args.length > 0 ? `${field.name}(${args.join(', ')})` : field.name;
}

/** A field with the objects of a list, because only reading them checks the permission. */
function buildRootField(ids: Ids, field: GraphQLField<unknown, unknown>): string {
  const { name } = getNamedType(field.type);
  if (name.endsWith('Connection')) return `${callText(ids, field)} { nodes { id } }`;
  return isLeafType(getNamedType(field.type))
    ? callText(ids, field)
    : `${callText(ids, field)} { __typename }`;
}
