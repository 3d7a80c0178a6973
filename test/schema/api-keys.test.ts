import { createPublicKey, createVerify } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ModeKeys, NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { callApi } from '../setup/api.ts';
import { fakeTimeGraphqlTest } from '../setup/app-fixtures.ts';
import { count } from '../setup/counts.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import type { FakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, mutate } from '../setup/graphql.ts';
import { seedEvent } from '../setup/notifications.ts';
import { startReceiver } from '../setup/receiver.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { type SignedInUser, signInAs } from '../setup/sign-in.ts';

const test = fakeTimeGraphqlTest
  .extend('owner', { scope: 'file' }, ({ app }) => signInAs('owner', app, app.merchant))
  .extend('merchant', ({ service }) => seedMerchant(service));

const keyFields =
  'apiKey { id name kind mode key permissions allowedOrigins status lastUsedAt expiresAt revokedAt replacedBy { id } }';

const failure = '__typename ... on UserError { code message } ... on InvalidRequestError { errors { path } }';

const createKey = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { ... on CreateApiKeySuccess { ${keyFields} secret } ${failure} } }`;

const updateKey = `mutation ($input: UpdateApiKeyInput!) {
  updateApiKey(input: $input) { ... on UpdateApiKeySuccess { ${keyFields} } ${failure} } }`;

const rotateKey = `mutation ($input: RotateApiKeyInput!) {
  rotateApiKey(input: $input) {
    ... on RotateApiKeySuccess { ${keyFields} secret previousApiKey { id status expiresAt replacedBy { id } } } ${failure} } }`;

const revokeKey = `mutation ($input: RevokeApiKeyInput!) {
  revokeApiKey(input: $input) { ... on RevokeApiKeySuccess { ${keyFields} } ${failure} } }`;

const run = async (owner: SignedInUser, query: string, input: object, mode: 'live' | 'sandbox' = 'live') => {
  const { data } = await owner.ask(query, { variables: { input }, mode });
  return Object.values(data as Json)[0] as Json;
};

const create = (owner: SignedInUser, input: object = {}, mode: 'live' | 'sandbox' = 'live') =>
  run(owner, createKey, { name: 'Checkout', kind: 'secret', ...input }, mode);

const toKeys = ({ apiKey, secret }: Json): ModeKeys => ({
  apiKey: apiKey.key,
  apiSecret: secret,
  publishableKey: '',
});

const getStatus = async (app: GraphqlApp, keys: ModeKeys, url = '/charges') =>
  (await callApi(app.app, { method: 'GET', url, keys })).status;

const findAuditEntries = (service: Service, id: string) =>
  service.prisma.auditEntry.findMany({ where: { objectId: id }, orderBy: { id: 'asc' } });

describe('createApiKey', () => {
  test('creates a key of the requested mode that reads, writes and refunds, and shows its secret once', async ({
    app,
    service,
    owner,
  }) => {
    for (const mode of ['live', 'sandbox'] as const) {
      const created = await create(owner, {}, mode);
      const modePart = mode === 'live' ? 'live' : 'test';
      expect(created.apiKey).toMatchObject({
        mode,
        status: 'active',
        permissions: ['read', 'write', 'refund'],
      });
      expect(created.apiKey.key).toMatch(new RegExp(`^ck_${modePart}_[\\w-]{43}$`));
      expect(created.secret).toMatch(new RegExp(`^cs_${modePart}_[\\w-]{43}$`));
      const { json } = await callApi(app.app, { method: 'GET', url: '/charges', keys: toKeys(created) });
      expect(json.charges).toEqual([]);
      const row = await service.prisma.apiKey.findUniqueOrThrow({
        where: { id: created.apiKey.id },
      });
      const stored = JSON.stringify([row, await findAuditEntries(service, row.id)]);
      expect(stored).not.toContain(created.secret);
      expect(stored).not.toContain(created.secret.slice(8));
    }
  });

  test('creates a key with the selected permissions only', async ({ app, owner }) => {
    const created = await create(owner, { permissions: ['transfers', 'read'] });
    expect(created.apiKey.permissions).toEqual(['read', 'transfers']);
    const keys = toKeys(created);
    const body = { amount: 5, currency: 'HKD' };
    const response = await callApi(app.app, { method: 'POST', url: '/sessions', keys, body });
    expect([response.status, response.json.code]).toEqual([403, 'permission_denied']);
    expect(await getStatus(app, keys)).toBe(200);
  });

  test('creates a publishable key without a secret that limits the checkout to its origins', async ({
    app,
    owner,
  }) => {
    const created = await create(owner, {
      kind: 'publishable',
      allowedOrigins: ['https://Shop.example.com:443/', 'https://shop.example.com'],
    });
    expect(created.secret).toBeNull();
    expect(created.apiKey).toMatchObject({ permissions: [], allowedOrigins: ['https://shop.example.com'] });
    expect(created.apiKey.key).toMatch(/^pk_live_/);
    const open = async (notifyUrl: string) => {
      const query = new URLSearchParams({
        apiKey: created.apiKey.key,
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
        body: { amount: 20, currency: 'HKD', apiKey: created.apiKey.key, redirectUrl },
      });
    expect((await link('https://shop.example.com/thanks')).status).toBe(200);
    // The last URL starts with an allowed origin, but is on another host.
    for (const other of ['https://evil.example.com/', 'https://shop.example.com.evil.example/']) {
      const rejected = await link(other);
      expect([other, rejected.status, rejected.json.errors[0].path]).toEqual([other, 400, '/redirectUrl']);
    }
  });

  test.for([
    [{ name: ' ' }, '/name'],
    [{ name: 'x'.repeat(81) }, '/name'],
    [{ permissions: [] }, '/permissions'],
    [{ allowedOrigins: ['https://shop.example.com'] }, '/allowedOrigins'],
    [{ kind: 'publishable', permissions: ['read'] }, '/permissions'],
    [{ kind: 'publishable', allowedOrigins: ['https://shop.example.com/path'] }, '/allowedOrigins/0'],
    [{ kind: 'publishable', allowedOrigins: ['http://shop.example.com'] }, '/allowedOrigins/0'],
    [{ kind: 'publishable', allowedOrigins: ['https://a.example', '*'] }, '/allowedOrigins/1'],
  ] as const)('rejects %j with the path %s', async ([input, path], { owner }) => {
    expect(await create(owner, input)).toMatchObject({
      __typename: 'InvalidRequestError',
      errors: [{ path }],
    });
  });
});

test('Only a signed-in owner manages API keys, not a key, another role or a page', async ({
  app,
  service,
  owner,
}) => {
  const created = await create(owner);
  const { id } = created.apiKey;
  const calls: [string, object][] = [
    [createKey, { name: 'Mine', kind: 'secret' }],
    [updateKey, { id, permissions: ['manage'] }],
    [rotateKey, { id }],
    [revokeKey, { id }],
  ];
  const developer = await signInAs('developer', app, app.merchant);
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
  expect(await getStatus(app, toKeys(created))).toBe(200);
});

test('Added permissions of a key apply from the next request', async ({ app, owner }) => {
  const created = await create(owner, { permissions: ['read'] });
  const { id } = created.apiKey;
  const readCharges = () =>
    callApi(app.app, {
      method: 'POST',
      url: '/sessions',
      keys: toKeys(created),
      body: { amount: 5, currency: 'HKD' },
    });
  expect((await readCharges()).status).toBe(403);
  const { apiKey } = await run(owner, updateKey, { id, name: 'Checkout 2', permissions: ['write', 'read'] });
  expect(apiKey).toMatchObject({ name: 'Checkout 2', permissions: ['read', 'write'] });
  expect((await readCharges()).status).toBe(201);
});

describe('rotateApiKey', () => {
  test('enables the new key immediately, and ends the old one after the requested hours', async ({
    app,
    clock,
    owner,
  }) => {
    const created = await create(owner, { permissions: ['read', 'manage'] });
    const until = minutesAfter(noon, 2 * 60);
    const rotated = await run(owner, rotateKey, { id: created.apiKey.id, overlapHours: 2 });
    expect(rotated.apiKey).toMatchObject({
      name: 'Checkout',
      permissions: ['read', 'manage'],
      status: 'active',
    });
    expect(rotated.previousApiKey).toEqual({
      id: created.apiKey.id,
      status: 'expiring',
      expiresAt: until.toISOString(),
      replacedBy: { id: rotated.apiKey.id },
    });
    expect([await getStatus(app, toKeys(created)), await getStatus(app, toKeys(rotated))]).toEqual([
      200, 200,
    ]);
    clock.set(new Date(until.getTime() - 1));
    expect(await getStatus(app, toKeys(created))).toBe(200);
    clock.set(until);
    expect([await getStatus(app, toKeys(created)), await getStatus(app, toKeys(rotated))]).toEqual([
      401, 200,
    ]);
    const { data } = await owner.ask('query ($id: ID!) { apiKey(id: $id) { status } }', {
      variables: { id: created.apiKey.id },
    });
    expect(data.apiKey.status).toBe('expired');
  });

  test('ends the old key after 24 hours by default, and rejects more than 90 days or a negative time', async ({
    app,
    owner,
  }) => {
    const { apiKey } = await create(owner);
    const { previousApiKey: replaced } = await run(owner, rotateKey, { id: apiKey.id });
    expect(replaced.expiresAt).toBe(minutesAfter(noon, 24 * 60).toISOString());
    for (const overlapHours of [-1, 90 * 24 + 1]) {
      const { apiKey: other } = await create(owner);
      expect(await run(owner, rotateKey, { id: other.id, overlapHours })).toMatchObject({
        errors: [{ path: '/overlapHours' }],
      });
    }
    const created = await create(owner);
    const rotated = await run(owner, rotateKey, { id: created.apiKey.id, overlapHours: 0 });
    expect(rotated.previousApiKey).toMatchObject({ status: 'expired', expiresAt: noon.toISOString() });
    expect([await getStatus(app, toKeys(created)), await getStatus(app, toKeys(rotated))]).toEqual([
      401, 200,
    ]);
  });

  test('creates one new key if three requests are concurrent, and none for a key that has ended', async ({
    owner,
  }) => {
    for (let round = 0; round < count(5, 50); round++) {
      const { apiKey } = await create(owner);
      const results = await Promise.all([1, 2, 3].map(() => run(owner, rotateKey, { id: apiKey.id })));
      expect(results.map((result) => result.__typename).sort()).toEqual([
        'ConflictError',
        'ConflictError',
        'RotateApiKeySuccess',
      ]);
      expect(results.find((result) => result.code)?.code).toBe('api_key_ended');
    }
    const { apiKey } = await create(owner);
    await run(owner, revokeKey, { id: apiKey.id });
    expect((await run(owner, rotateKey, { id: apiKey.id })).code).toBe('api_key_ended');
  });

  test('keeps the origins of a publishable key', async ({ owner }) => {
    const created = await create(owner, {
      kind: 'publishable',
      allowedOrigins: ['https://shop.example.com'],
    });
    const rotated = await run(owner, rotateKey, { id: created.apiKey.id });
    expect(rotated).toMatchObject({
      secret: null,
      apiKey: { kind: 'publishable', allowedOrigins: ['https://shop.example.com'] },
    });
  });
});

describe('revokeApiKey', () => {
  test('ends the key from the next request, and changes nothing if it is repeated', async ({
    app,
    service,
    owner,
  }) => {
    const created = await create(owner);
    const { apiKey } = await run(owner, revokeKey, { id: created.apiKey.id });
    expect(apiKey).toMatchObject({ status: 'revoked', revokedAt: noon.toISOString() });
    expect(await getStatus(app, toKeys(created))).toBe(401);
    const repeated = await run(owner, revokeKey, { id: created.apiKey.id });
    expect(repeated.apiKey.revokedAt).toBe(noon.toISOString());
    expect((await findAuditEntries(service, created.apiKey.id)).map(({ action }) => action)).toEqual([
      'api_key.created',
      'api_key.revoked',
    ]);
  });

  test('does not find a key of another merchant or of the other mode', async ({ app, service, owner }) => {
    const created = await create(owner, {}, 'sandbox');
    const stranger = await service.prisma.apiKey.findFirstOrThrow({
      where: { merchantId: app.otherMerchant.merchant.id, mode: 'live' },
    });
    for (const id of [created.apiKey.id, stranger.id, 'key_none']) {
      for (const query of [revokeKey, rotateKey, updateKey]) {
        expect((await run(owner, query, { id })).code).toBe('api_key_not_found');
      }
      const { data } = await owner.ask('query ($id: ID!) { apiKey(id: $id) { id } node(id: $id) { id } }', {
        variables: { id },
      });
      expect(data).toEqual({ apiKey: null, node: null });
    }
  });
});

test('The list contains the keys of the mode', async ({ owner }) => {
  const { data } = await owner.ask('{ apiKeys(first: 50) { totalCount nodes { id mode name } } }', {
    mode: 'sandbox',
  });
  expect(data.apiKeys.totalCount).toBe(data.apiKeys.nodes.length);
  expect(data.apiKeys.nodes.map(({ name }: Json) => name)).toContain('First key');
  expect(new Set(data.apiKeys.nodes.map(({ mode }: Json) => mode))).toEqual(new Set(['sandbox']));
});

const certificateFields = 'certificate { id status publicKey fingerprint signsFrom revokedAt }';

const changeCertificate = async (
  app: GraphqlApp,
  merchant: NewMerchant,
  name: string,
  input: object,
): Promise<Json> => {
  const response = await mutate(app, name, input, certificateFields, merchant.keys.live);
  return response.certificate ?? response;
};

const listStatuses = async (app: GraphqlApp, merchant: NewMerchant): Promise<Json> => {
  const { data } = await app.ask('{ certificates { nodes { status } } }', { as: merchant.keys.live });
  return data.certificates.nodes.map((node: Json) => node.status);
};

async function listCertificates(app: GraphqlApp, keys: ModeKeys): Promise<Json> {
  const { data } = await app.ask('{ certificates { nodes { id mode status } } }', { as: keys });
  return data.certificates.nodes;
}

/** Sends a callback and returns the certificate that signed it. */
async function findSigner(
  service: Service,
  merchant: NewMerchant,
  clock: FakeClock,
  certificates: Json[],
): Promise<string> {
  await using receiver = await startReceiver();
  await seedEvent(service, merchant, { callbackUrl: receiver.url, now: clock.now() });
  await relayEvents(service, { now: clock.now() });
  await deliverNotifications(service, { clock });
  const { body, headers } = receiver.requests[0]!;
  const { payload, signature } = JSON.parse(body);
  const signers = certificates.filter(({ publicKey }) =>
    createVerify('RSA-SHA256').update(JSON.stringify(payload)).verify(publicKey, signature, 'base64'),
  );
  expect(signers.map(({ id }) => id)).toEqual([headers['certificate-id']]);
  return signers[0].id;
}

test('Certificates rotate without a gap: a new one signs from its start, and the old one verifies until it is revoked', async ({
  app,
  service,
  merchant,
  clock,
}) => {
  const { data } = await app.ask(
    `{ certificates { nodes { ${certificateFields.slice('certificate { '.length, -2)} } } }`,
    { as: merchant.keys.live },
  );
  const [first] = data.certificates.nodes;
  expect(first).toMatchObject({ status: 'signing', revokedAt: null });
  expect(createPublicKey(first.publicKey).asymmetricKeyType).toBe('rsa');
  expect(first.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(await changeCertificate(app, merchant, 'revokeCertificate', { id: first.id })).toMatchObject({
    code: 'certificate_signing',
  });

  clock.set(minutesAfter(noon, 1));
  const second = await changeCertificate(app, merchant, 'createCertificate', {
    signsFrom: minutesAfter(noon, 60).toISOString(),
  });
  expect(second.status).toBe('upcoming');
  expect(second.fingerprint).not.toBe(first.fingerprint);
  expect(await findSigner(service, merchant, clock, [first, second])).toBe(first.id);
  expect(await changeCertificate(app, merchant, 'revokeCertificate', { id: first.id })).toMatchObject({
    code: 'certificate_signing',
  });

  clock.set(minutesAfter(noon, 60));
  expect(await listStatuses(app, merchant)).toEqual(['signing', 'verifying']);
  expect(await findSigner(service, merchant, clock, [first, second])).toBe(second.id);
  expect(await changeCertificate(app, merchant, 'revokeCertificate', { id: second.id })).toMatchObject({
    status: 'revoked',
  });
  expect(await findSigner(service, merchant, clock, [first, second])).toBe(first.id);
  const third = await changeCertificate(app, merchant, 'createCertificate', {});
  expect(await changeCertificate(app, merchant, 'revokeCertificate', { id: first.id })).toMatchObject({
    status: 'revoked',
  });
  expect(await findSigner(service, merchant, clock, [first, second, third])).toBe(third.id);
  expect(await listStatuses(app, merchant)).toEqual(['signing', 'revoked', 'revoked']);
});

test('One of two certificates stays if both are revoked concurrently', async ({ app, merchant }) => {
  const created = await changeCertificate(app, merchant, 'createCertificate', {});
  const { data } = await app.ask('{ certificates { nodes { id status } } }', { as: merchant.keys.live });
  const ids = data.certificates.nodes
    .filter(({ status }: Json) => status !== 'revoked')
    .map(({ id }: Json) => id);
  expect(ids).toContain(created.id);
  const results = await Promise.all(
    ids.map((id: string) => changeCertificate(app, merchant, 'revokeCertificate', { id })),
  );
  expect(results.filter(({ code }) => code === 'certificate_signing')).toHaveLength(1);
});

test('A certificate belongs to one merchant, and cannot start in the far future', async ({
  app,
  merchant,
}) => {
  const { data } = await app.ask('{ certificates { nodes { id } } }', { as: merchant.keys.live });
  const [{ id }] = data.certificates.nodes;
  const foreign = await app.ask(`{ certificate(id: "${id}") { id } }`, { as: app.otherMerchant.keys.live });
  expect(foreign.data.certificate).toBeNull();
  expect(
    await changeCertificate(app, merchant, 'createCertificate', { signsFrom: '2030-01-01T00:00:00.000Z' }),
  ).toMatchObject({
    code: 'invalid_request',
  });
  expect(await changeCertificate(app, merchant, 'revokeCertificate', { id: 'cert_0' })).toMatchObject({
    code: 'certificate_not_found',
  });
});

test('A developer and a sandbox key rotate the certificates of the sandbox, and not the live ones', async ({
  app,
  merchant,
  clock,
}) => {
  const developer = await signInAs('developer', app, merchant);
  const live = await listCertificates(app, merchant.keys.live);
  const inSandbox: Record<string, (query: string) => Promise<Json>> = {
    'a developer': (query) => developer.ask(query, { mode: 'sandbox' }),
    'a sandbox key': (query) => app.ask(query, { as: merchant.keys.sandbox }),
  };
  for (const [caller, ask] of Object.entries(inSandbox)) {
    clock.advance(1_000);
    const [before] = await listCertificates(app, merchant.keys.sandbox);
    const { data } = await ask(`mutation {
      createCertificate(input: {}) { ... on CreateCertificateSuccess { certificate { id mode status } } }
      own: revokeCertificate(input: { id: "${before.id}" }) { __typename }
      live: revokeCertificate(input: { id: "${live[0].id}" }) { ... on UserError { code } }
    }`);
    expect([caller, data]).toMatchObject([
      caller,
      {
        createCertificate: { certificate: { mode: 'sandbox', status: 'signing' } },
        own: { __typename: 'RevokeCertificateSuccess' },
        live: { code: 'certificate_not_found' },
      },
    ]);
  }
  expect(await listCertificates(app, merchant.keys.live)).toEqual(live);

  const { data } = await developer.ask(
    'mutation { createCertificate(input: {}) { ... on UserError { code } } }',
    {
      mode: 'live',
    },
  );
  expect(data.createCertificate).toEqual({ code: 'permission_denied' });
});

test('The only signing certificate of a mode cannot be revoked', async ({ app }) => {
  const [{ id }] = await listCertificates(app, app.otherMerchant.keys.sandbox);
  const { data } = await app.ask(
    `mutation { revokeCertificate(input: { id: "${id}" }) { ... on UserError { code } } }`,
    {
      as: app.otherMerchant.keys.sandbox,
    },
  );
  expect(data.revokeCertificate).toEqual({ code: 'certificate_signing' });
});

test('Ten certificates can be created in an hour, in each mode', async ({
  app,
  service,
  merchant,
  clock,
}) => {
  clock.set(minutesAfter(noon, 600));
  const { prisma } = service;
  const { id: _, ...certificate } = await prisma.certificate.findFirstOrThrow({
    where: { merchantId: merchant.merchant.id, mode: 'live' },
  });
  const certificates = Array.from({ length: 10 }, (_, i) => ({
    ...certificate,
    id: `cert_${i}`,
    createdAt: minutesAfter(noon, 550 + i),
  }));
  await prisma.certificate.createMany({ data: certificates });
  expect(await changeCertificate(app, merchant, 'createCertificate', {})).toMatchObject({
    code: 'rate_limited',
  });
  const { data } = await app.ask('mutation { createCertificate(input: {}) { __typename } }', {
    as: merchant.keys.sandbox,
  });
  expect(data.createCertificate.__typename).toBe('CreateCertificateSuccess');
  // The first of them is now an hour old.
  clock.set(minutesAfter(noon, 610));
  expect(await changeCertificate(app, merchant, 'createCertificate', {})).toMatchObject({
    status: 'signing',
  });
});
