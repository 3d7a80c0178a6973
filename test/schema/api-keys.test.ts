import { beforeAll, describe, expect, test } from 'vitest';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { callApi } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, setupGraphqlApp } from '../setup/graphql.ts';
import { minutesAfter, noon, seedCharge } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import type { Visitor } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** Keys are made, changed, rotated and revoked by a signed-in owner alone. */

const clock = createFakeClock(noon);
let app: GraphqlApp;
let owner: Visitor;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock });
  owner = await signInAs('owner', app, app.merchant);
});

const keyFields =
  'apiKey { id name kind mode key permissions allowedOrigins status lastUsedAt expiresAt revokedAt replacedById }';
const failure = '__typename ... on UserError { code message } ... on InvalidRequestError { errors { path } }';
const createKey = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { ... on CreateApiKeySuccess { ${keyFields} secret } ${failure} } }`;
const updateKey = `mutation ($input: UpdateApiKeyInput!) {
  updateApiKey(input: $input) { ... on UpdateApiKeySuccess { ${keyFields} } ${failure} } }`;
const rotateKey = `mutation ($input: RotateApiKeyInput!) {
  rotateApiKey(input: $input) {
    ... on RotateApiKeySuccess { ${keyFields} secret previousApiKey { id status expiresAt replacedById } } ${failure} } }`;
const revokeKey = `mutation ($input: RevokeApiKeyInput!) {
  revokeApiKey(input: $input) { ... on RevokeApiKeySuccess { ${keyFields} } ${failure} } }`;

const run = async (query: string, input: object, mode: 'live' | 'sandbox' = 'live') => {
  const { data } = await owner.ask(query, { variables: { input }, mode });
  return Object.values(data as Json)[0] as Json;
};
const create = (input: object = {}, mode: 'live' | 'sandbox' = 'live') =>
  run(createKey, { name: 'Till', kind: 'secret', ...input }, mode);
const keysOf = ({ apiKey, secret }: Json): ModeKeys => ({
  apiKey: apiKey.key,
  apiSecret: secret,
  publishableKey: '',
});
const status = async (keys: ModeKeys, url = '/charges') =>
  (await callApi(app.app, { method: 'GET', url, keys })).status;
const entries = (id: string) =>
  app.context.service.prisma.auditEntry.findMany({ where: { objectId: id }, orderBy: { id: 'asc' } });

describe('createApiKey', () => {
  test('makes a key of the mode that is shown, which reads, writes and refunds; the secret is shown this once', async () => {
    for (const mode of ['live', 'sandbox'] as const) {
      const made = await create({}, mode);
      const word = mode === 'live' ? 'live' : 'test';
      expect(made.apiKey).toMatchObject({ mode, status: 'active', permissions: ['read', 'write', 'refund'] });
      expect(made.apiKey.key).toMatch(new RegExp(`^ck_${word}_[\\w-]{43}$`));
      expect(made.secret).toMatch(new RegExp(`^cs_${word}_[\\w-]{43}$`));
      const { json } = await callApi(app.app, { method: 'GET', url: '/charges', keys: keysOf(made) });
      expect(json.charges).toEqual([]);
      const row = await app.context.service.prisma.apiKey.findUniqueOrThrow({
        where: { id: made.apiKey.id },
      });
      const stored = JSON.stringify([row, await entries(row.id)]);
      expect(stored).not.toContain(made.secret);
      expect(stored).not.toContain(made.secret.slice(8));
    }
  });

  test('with permissions that are ticked, and with no others', async () => {
    const made = await create({ permissions: ['transfers', 'read'] });
    expect(made.apiKey.permissions).toEqual(['read', 'transfers']);
    const keys = keysOf(made);
    const body = { amount: 5, currency: 'HKD' };
    const answer = await callApi(app.app, { method: 'POST', url: '/sessions', keys, body });
    expect([answer.status, answer.json.code]).toEqual([403, 'permission_denied']);
    expect(await status(keys)).toBe(200);
  });

  test('a publishable key has no secret, and holds the checkout to its origins', async () => {
    const made = await create({
      kind: 'publishable',
      allowedOrigins: ['https://Shop.example.com:443/', 'https://shop.example.com'],
    });
    expect(made.secret).toBeNull();
    expect(made.apiKey).toMatchObject({ permissions: [], allowedOrigins: ['https://shop.example.com'] });
    expect(made.apiKey.key).toMatch(/^pk_live_/);
    const open = async (notifyUrl: string) => {
      const query = new URLSearchParams({
        apiKey: made.apiKey.key,
        amount: '20',
        currency: 'HKD',
        notifyUrl,
      });
      return (await app.app.inject(`/checkout?${query}`)).statusCode;
    };
    expect([await open('https://shop.example.com/paid'), await open('https://evil.example.com/')]).toEqual([
      200, 400,
    ]);
    const link = (redirectUrl: string) =>
      callApi(app.app, {
        method: 'POST',
        url: '/checkout-link',
        keys: app.merchant.keys.live,
        body: { amount: 20, currency: 'HKD', apiKey: made.apiKey.key, redirectUrl },
      });
    expect((await link('https://shop.example.com/thanks')).status).toBe(200);
    // The last one begins with an allowed origin as a text, and is another host.
    for (const other of ['https://evil.example.com/', 'https://shop.example.com.evil.example/']) {
      const refused = await link(other);
      expect([other, refused.status, refused.json.errors[0].path]).toEqual([other, 400, '/redirectUrl']);
    }
  });

  test.each([
    [{ name: ' ' }, '/name'],
    [{ name: 'x'.repeat(81) }, '/name'],
    [{ permissions: [] }, '/permissions'],
    [{ allowedOrigins: ['https://shop.example.com'] }, '/allowedOrigins'],
    [{ kind: 'publishable', permissions: ['read'] }, '/permissions'],
    [{ kind: 'publishable', allowedOrigins: ['https://shop.example.com/path'] }, '/allowedOrigins/0'],
    [{ kind: 'publishable', allowedOrigins: ['http://shop.example.com'] }, '/allowedOrigins/0'],
    [{ kind: 'publishable', allowedOrigins: ['https://a.example', '*'] }, '/allowedOrigins/1'],
  ])('%j is refused, naming %s', async (input, path) => {
    expect(await create(input)).toMatchObject({ __typename: 'InvalidRequestError', errors: [{ path }] });
  });
});

test('only a signed-in owner: no key of any permission, no other role, no page', async () => {
  const made = await create();
  const { id } = made.apiKey;
  const calls: [string, object][] = [
    [createKey, { name: 'Mine', kind: 'secret' }],
    [updateKey, { id, permissions: ['manage'] }],
    [rotateKey, { id }],
    [revokeKey, { id }],
  ];
  const developer = await signInAs('developer', app, app.merchant);
  const { service } = app.context;
  const page = { token: createClientToken(service.secrets, await seedCharge(service, app.merchant)) };
  for (const [query, input] of calls) {
    const variables = { input };
    const denied = { __typename: 'PermissionError', code: 'permission_denied' };
    for (const as of [app.merchant.keys.live, page]) {
      const byKey = (await app.ask(query, { variables, as })).data as Json;
      expect(Object.values(byKey)[0]).toMatchObject(denied);
    }
    const byDeveloper = (await developer.ask(query, { variables, mode: 'sandbox' })).data as Json;
    expect(Object.values(byDeveloper)[0]).toMatchObject(denied);
  }
  expect(await status(keysOf(made))).toBe(200);
});

test('a widened key may more from the next request on', async () => {
  const made = await create({ permissions: ['read'] });
  const { id } = made.apiKey;
  const ask = () =>
    callApi(app.app, {
      method: 'POST',
      url: '/sessions',
      keys: keysOf(made),
      body: { amount: 5, currency: 'HKD' },
    });
  expect((await ask()).status).toBe(403);
  const { apiKey } = await run(updateKey, { id, name: 'Till 2', permissions: ['write', 'read'] });
  expect(apiKey).toMatchObject({ name: 'Till 2', permissions: ['read', 'write'] });
  expect((await ask()).status).toBe(201);
});

describe('rotateApiKey', () => {
  test('the new key works at once, the old one until the chosen time', async () => {
    clock.set(noon);
    const made = await create({ permissions: ['read', 'manage'] });
    const until = minutesAfter(noon, 90);
    const turned = await run(rotateKey, { id: made.apiKey.id, previousKeyExpiresAt: until.toISOString() });
    expect(turned.apiKey).toMatchObject({ name: 'Till', permissions: ['read', 'manage'], status: 'active' });
    expect(turned.previousApiKey).toEqual({
      id: made.apiKey.id,
      status: 'expiring',
      expiresAt: until.toISOString(),
      replacedById: turned.apiKey.id,
    });
    expect([await status(keysOf(made)), await status(keysOf(turned))]).toEqual([200, 200]);
    clock.set(new Date(until.getTime() - 1));
    expect(await status(keysOf(made))).toBe(200);
    clock.set(until);
    expect([await status(keysOf(made)), await status(keysOf(turned))]).toEqual([401, 200]);
    const { data } = await owner.ask('query ($id: ID!) { apiKey(id: $id) { status } }', {
      variables: { id: made.apiKey.id },
    });
    expect(data.apiKey.status).toBe('expired');
    clock.set(noon);
  });

  test('without a time: 24 hours; beyond 90 days or in the past: refused', async () => {
    const { apiKey } = await create();
    const { previousApiKey: replaced } = await run(rotateKey, { id: apiKey.id });
    expect(replaced.expiresAt).toBe(minutesAfter(noon, 24 * 60).toISOString());
    for (const minutes of [-6, 90 * 24 * 60 + 1]) {
      const { apiKey: other } = await create();
      const input = { id: other.id, previousKeyExpiresAt: minutesAfter(noon, minutes).toISOString() };
      expect(await run(rotateKey, input)).toMatchObject({ errors: [{ path: '/previousKeyExpiresAt' }] });
    }
    const made = await create();
    const aMomentAgo = minutesAfter(noon, -1).toISOString();
    const turned = await run(rotateKey, { id: made.apiKey.id, previousKeyExpiresAt: aMomentAgo });
    expect(turned.previousApiKey).toMatchObject({ status: 'expired', expiresAt: noon.toISOString() });
    expect([await status(keysOf(made)), await status(keysOf(turned))]).toEqual([401, 200]);
  });

  test('by two at once: one new key; what was rotated, revoked or is over is not rotated', async () => {
    for (let round = 0; round < count(5, 50); round++) {
      const { apiKey } = await create();
      const results = await Promise.all([1, 2, 3].map(() => run(rotateKey, { id: apiKey.id })));
      expect(results.map((one) => one.__typename).sort()).toEqual([
        'ConflictError',
        'ConflictError',
        'RotateApiKeySuccess',
      ]);
      expect(results.find((one) => one.code)?.code).toBe('api_key_ended');
    }
    const { apiKey } = await create();
    await run(revokeKey, { id: apiKey.id });
    expect((await run(rotateKey, { id: apiKey.id })).code).toBe('api_key_ended');
  });

  test('a publishable key keeps its origins', async () => {
    const made = await create({ kind: 'publishable', allowedOrigins: ['https://shop.example.com'] });
    const turned = await run(rotateKey, { id: made.apiKey.id });
    expect(turned).toMatchObject({
      secret: null,
      apiKey: { kind: 'publishable', allowedOrigins: ['https://shop.example.com'] },
    });
  });
});

describe('revokeApiKey', () => {
  test('ends the key from the next request on; once more changes nothing', async () => {
    const made = await create();
    const { apiKey } = await run(revokeKey, { id: made.apiKey.id });
    expect(apiKey).toMatchObject({ status: 'revoked', revokedAt: noon.toISOString() });
    expect(await status(keysOf(made))).toBe(401);
    const again = await run(revokeKey, { id: made.apiKey.id });
    expect(again.apiKey.revokedAt).toBe(noon.toISOString());
    expect((await entries(made.apiKey.id)).map(({ action }) => action)).toEqual([
      'api_key.created',
      'api_key.revoked',
    ]);
  });

  test('knows no key of another merchant or the other mode', async () => {
    const made = await create({}, 'sandbox');
    const stranger = await app.context.service.prisma.apiKey.findFirstOrThrow({
      where: { merchantId: app.otherMerchant.merchant.id, mode: 'live' },
    });
    for (const id of [made.apiKey.id, stranger.id, 'key_none']) {
      for (const query of [revokeKey, rotateKey, updateKey]) {
        expect((await run(query, { id })).code).toBe('api_key_not_found');
      }
      const { data } = await owner.ask('query ($id: ID!) { apiKey(id: $id) { id } node(id: $id) { id } }', {
        variables: { id },
      });
      expect(data).toEqual({ apiKey: null, node: null });
    }
  });
});

test('the list pages through the keys of the mode, newest first, without secrets', async () => {
  const { data } = await owner.ask('{ apiKeys(first: 50) { totalCount nodes { id mode name } } }', {
    mode: 'sandbox',
  });
  expect(data.apiKeys.totalCount).toBe(data.apiKeys.nodes.length);
  expect(data.apiKeys.nodes.map(({ name }: Json) => name)).toContain('First key');
  expect(new Set(data.apiKeys.nodes.map(({ mode }: Json) => mode))).toEqual(new Set(['sandbox']));
});
