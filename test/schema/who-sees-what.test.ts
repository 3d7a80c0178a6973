import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { getTypeName, typeNames } from '../../schema/kit/relay-options.ts';
import { schema } from '../../schema/schema.ts';
import { permissions } from '../../src/domain/accounts/api-key/permissions.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import type { IdNoun } from '../../src/kit/id.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import {
  type ApiAuth,
  type GraphqlApp,
  type Json,
  setupGraphqlApp,
  toAuthorization,
} from '../setup/graphql.ts';
import { sampleInput } from '../setup/graphql-values.ts';
import { noon, seedApiKey } from '../setup/seed.ts';
import { seedEveryType } from '../setup/seed-every-type.ts';
import { password, signInAs } from '../setup/sign-in.ts';
import { createVisitor, publicOrigin } from '../setup/visitor.ts';
import { askEach, askTogether, type Caller } from './ask-many.ts';

const onCleanup = cleanupAfterFile();

/**
 * Asks for every field of the schema as everybody, and holds what they get to the table in who-sees-what.txt. A field
 * that is new fails until somebody has thought about who may see it: `-u` on this file writes it there.
 */

let app: GraphqlApp;
let ids: Partial<Record<IdNoun, string>>;
let callers: Caller[];

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock: createFakeClock(noon) });
  ids = await seedEveryType(app);
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
  callers = [
    byToken('key', app.merchant.keys.live),
    ...keys,
    ...(await usersOfEveryRole()),
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
});

/** In each mode somebody else: wrong passwords and codes are counted by session and address. */
async function usersOfEveryRole(): Promise<Caller[]> {
  const users: Caller[] = [];
  for (const role of ['owner', 'developer', 'support', 'operator'] as const) {
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

/** Whoever gets something; the other fields of a table of everybody are refusals, null, or nothing at all. */
const table = new Map<string, string[]>();
const note = (field: string, caller: string) => table.set(field, [...(table.get(field) ?? []), caller]);

const isNode = (type: unknown): type is GraphQLObjectType =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');

/** A field asked for by itself: values within it each by itself too, other objects by their id. */
function* pathsOf(type: GraphQLObjectType, prefix: string): Generator<[path: string, text: string]> {
  for (const field of Object.values(type.getFields())) {
    const inner = getNamedType(field.type);
    const path = `${prefix}.${field.name}`;
    if (field.args.some(isRequiredArgument)) continue;
    if (isLeafType(inner)) yield [path, field.name];
    else if (isNode(inner)) yield [path, `${field.name} { id }`];
    else if (isObjectType(inner))
      for (const [deeper, text] of pathsOf(inner, path)) yield [deeper, `${field.name} { ${text} }`];
  }
}

const idsByType = () => new Map(Object.entries(ids).map(([noun, id]) => [typeNames[noun as IdNoun]!, id!]));

test('every object type is asked of one object', () => {
  const nodes = Object.values(schema.getTypeMap()).flatMap((type) => (isNode(type) ? [type.name] : []));
  const known = [...idsByType()].map(([name, id]) => [name, getTypeName(id)]);
  expect(known.filter(([name, own]) => name !== own)).toEqual([]);
  // Of the sandbox alone.
  expect(nodes.filter((name) => !idsByType().has(name))).toEqual(['TestClock']);
});

/** Who sees which field of an object. */
async function askObjects(): Promise<void> {
  for (const [name, id] of idsByType()) {
    const paths = new Map(pathsOf(schema.getType(name) as GraphQLObjectType, name));
    for (const path of paths.keys()) table.set(path, []);
    const of = (text: string) => `node(id: "${id}") { ... on ${name} { ${text} } }`;
    for (const caller of callers) {
      // All at once; each by itself where something is refused.
      const { data, errors } = await caller.ask(`{ all: ${of([...paths.values()].join(' '))} }`);
      const each = new Map([...paths].map(([path, text]) => [path, of(text)]));
      // The object itself is refused, or is none of theirs.
      const isRefused = !errors || errors.some(({ path }: Json) => (path ?? []).length < 2);
      const seen = data?.all && !errors ? paths : isRefused ? [] : await askEach(caller, each);
      for (const [path] of seen) note(path, caller.name);
    }
  }
  expect(table.size).toBeGreaterThan(200);
}

/** What a page with a client token sees of its charge and all that hangs on it. */
async function askPage(): Promise<void> {
  const page = callers.find(({ name }) => name === 'page')!;
  const seen = new Set<string>();
  const visit = async (type: GraphQLObjectType, wrap: (text: string) => string) => {
    seen.add(type.name);
    const fields = new Map([...pathsOf(type, type.name)].map(([path, text]) => [path, wrap(text)]));
    const answers = await askEach(page, fields);
    for (const path of answers.keys()) note(path, 'page');
    for (const field of Object.values(type.getFields())) {
      const inner = getNamedType(field.type);
      if (!isNode(inner) || seen.has(inner.name) || !answers.has(`${type.name}.${field.name}`)) continue;
      await visit(inner, (text) => wrap(`${field.name} { ${text} }`));
    }
  };
  await visit(
    schema.getType('Charge') as GraphQLObjectType,
    (text) => `charge(id: "${ids.charge}") { ${text} }`,
  );
  expect([...seen]).toContain('Refund');
}

/** The stranger has objects of its own. In the sandbox there are none: what is refused there is so for who asks. */
const ofMerchant = () => callers.filter(({ name }) => name !== 'stranger');

test.each(['nobody', 'revoked'])('whoever has no credentials that count gets nothing: %s', async (who) => {
  const { ask } = callers.find(({ name }) => name === who)!;
  expect(await ask('{ viewer { __typename } }')).toMatchObject({ status: 401, errors: [{}] });
});

async function askQueries(): Promise<void> {
  const fields = Object.values(schema.getQueryType()!.getFields());
  for (const { name } of fields) table.set(`Query.${name}`, []);
  for (const caller of ofMerchant()) {
    const texts = fields.map((field): [string, string] => [field.name, rootText(field)]);
    for (const [name, { answer, error }] of await askTogether(caller, 'query', texts)) {
      if (!error && answer !== null) note(`Query.${name}`, caller.name);
    }
  }
}

async function callMutations(): Promise<void> {
  // They end or begin the very session that asks; their own tests tell who may.
  const skipped = ['signIn', 'signOut', 'signOutEverywhere'];
  const fields = Object.values(schema.getMutationType()!.getFields()).filter(
    ({ name }) => !skipped.includes(name),
  );
  for (const { name } of fields) table.set(`Mutation.${name}`, []);
  for (const caller of ofMerchant()) {
    const texts = fields.map((field): [string, string] => [
      field.name,
      `${callText(field)} { __typename ... on UserError { code } }`,
    ]);
    for (const [name, { answer, error }] of await askTogether(caller, 'mutation', texts)) {
      expect(answer?.code, `${name} by ${caller.name}`).not.toBe('rate_limited');
      // A refusal for any other reason tells that it was looked at.
      const isAllowed = answer
        ? answer.__typename !== 'PermissionError' && answer.code !== 'unauthenticated'
        : false;
      if (isAllowed) note(`Mutation.${name}`, caller.name);
      else
        expect(answer?.code ?? error.extensions.code, `${name} by ${caller.name}: ${error?.message}`).toMatch(
          /^(permission_denied|unauthenticated|sandbox_only)$/,
        );
    }
  }
}

/** What comes first of what goes on: an event, or a refusal. */
async function firstOf({ headers }: Caller, query: string): Promise<Json> {
  const ended = new AbortController();
  const answer = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
    signal: ended.signal,
  });
  let got = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    got += chunk;
    if (/^data: \{.*\n/m.test(got) || !answer.headers.get('content-type')?.includes('event-stream')) break;
  }
  ended.abort();
  return JSON.parse(/^(?:data: )?(\{.*)$/m.exec(got)![1]!);
}

async function followAll(): Promise<void> {
  const fields = Object.values(schema.getSubscriptionType()!.getFields());
  for (const field of fields) {
    const path = `Subscription.${field.name}`;
    table.set(path, []);
    // Of nothing of one's own nothing is told: others are asked for one object alone.
    const having = ofMerchant().filter(({ name }) => !name.startsWith('sandbox'));
    for (const caller of field.args.length > 0 ? callers : having) {
      const { data, errors } = await firstOf(caller, `subscription { ${callText(field)} { __typename } }`);
      if (data?.[field.name]) note(path, caller.name);
      else if (errors)
        expect(errors[0].extensions.code, caller.name).toMatch(/^(permission_denied|unauthenticated)$/);
      else expect(caller.name).toMatch(/^(stranger|page|sandbox.*)$/);
    }
  }
}

test('everybody sees of every object, may ask, call and follow what the table says', async () => {
  await askObjects();
  await askPage();
  await askQueries();
  await callMutations();
  await followAll();
  const order = callers.map(({ name }) => name);
  const lines = [...table].map(([field, names]) => {
    const unique = order.filter((name) => names.includes(name));
    return `${field}: ${unique.join(' ') || '-'}`;
  });
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('who-sees-what.txt');
}, 180_000);

/** They ask for the password first. */
const proved = ['beginTwoFactorSetup', 'disableTwoFactor'];

function callText(field: GraphQLField<unknown, unknown>): string {
  const args = field.args.filter(isRequiredArgument).map(({ name, type }) => {
    if (name === 'id')
      return `id: ${JSON.stringify(idsByType().get(getNamedType(field.type).name) ?? ids.charge)}`;
    // A wrong password would be refused as those are who may not.
    if (proved.includes(field.name)) return `${name}: { password: "${password}", code: "x" }`;
    return `${name}: ${sampleInput(type)}`;
  });
  return args.length > 0 ? `${field.name}(${args.join(', ')})` : field.name;
}

/** Of a list its objects: of a list that is not read nobody hears whether they may. */
function rootText(field: GraphQLField<unknown, unknown>): string {
  const { name } = getNamedType(field.type);
  if (name.endsWith('Connection')) return `${callText(field)} { nodes { id } }`;
  return isLeafType(getNamedType(field.type)) ? callText(field) : `${callText(field)} { __typename }`;
}
