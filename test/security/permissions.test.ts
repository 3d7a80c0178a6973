import { Readable } from 'node:stream';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect } from 'vitest';
import { permissions } from '../../src/domain/accounts/api-key/permissions.ts';
import { merchantRoles } from '../../src/domain/accounts/user/roles.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import {
  createClientToken,
  createPageToken,
  type PageKind,
  type PageObject,
} from '../../src/domain/payments/customer-page/page-tokens.ts';
import { storeUpload } from '../../src/domain/platform/upload/store-upload.ts';
import type { IdType } from '../../src/kit/id.ts';
import { operations } from '../../src/rest/operations.ts';
import { basicAuth } from '../setup/api.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { fileTest } from '../setup/fixtures.ts';
import { type Route, setupFullApp } from '../setup/full-app.ts';
import { noon, seedApiKey, seedCharge, seedMerchant } from '../setup/seed.ts';
import { seedOneOfEachType } from '../setup/seed-one-of-each-type.ts';
import { signInAs } from '../setup/sign-in.ts';
import { publicOrigin } from '../setup/visitor.ts';

type FullApp = Awaited<ReturnType<typeof setupFullApp>>;
type Ids = Partial<Record<IdType, string>>;
type Tokens = Record<string, string>;

const test = fileTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup }) =>
    setupFullApp(onFileCleanup, { clock: createFakeClock(noon) }),
  )
  .extend('ids', { scope: 'file' }, async ({ app }): Promise<Ids> => {
    const ids: Ids = await seedOneOfEachType(app);
    await seedFiles(app, ids);
    return ids;
  })
  .extend('tokens', { scope: 'file' }, ({ app, ids }): Promise<Tokens> => createTokens(app, ids))
  .extend('results', { scope: 'file' }, async ({ app, ids, tokens }): Promise<Result[]> => {
    const callers = await createCallers(app, ids);
    const results: Result[] = [];
    for (const route of app.routes.filter(isFirstOfName))
      for (const caller of callers) results.push(await requestRoute(app, ids, tokens, route, caller));
    return results;
  });

type Caller = { name: string; headers: Record<string, string>; tokens?: true };
type Result = { route: string; caller: string; outcome: string; status: number; headers: Headers };

/** Whether the file is the first of its group, because one file of each group is enough. */
function isFirstOfName(route: Route, index: number, all: Route[]): boolean {
  return all.findIndex((other) => toName(other) === toName(route)) === index;
}

function toName({ method, url }: Route): string {
  return `${method} ${url.replace(/^(\/assets|\/icons\/methods)\/.*/, '$1/…')}`;
}

/** A finished export, and a statement with its file. */
async function seedFiles(app: FullApp, ids: Ids): Promise<void> {
  const { prisma } = app.context.service;
  await prisma.export.update({ where: { id: ids.export! }, data: { status: 'completed', finishedAt: noon } });
  const upload = await storeUpload(app.context.service, {
    ...{
      merchantId: app.merchant.merchant.id,
      mode: 'live',
      fileName: 'march.xml',
      actor: 'user:test',
      now: noon,
    },
    source: Readable.from([Buffer.from('a file')]),
  });
  await prisma.statement.update({ where: { id: ids.statement! }, data: { uploadId: upload.id } });
}

/** Tokens of the customer's pages, by the page. */
async function createTokens(app: FullApp, ids: Ids): Promise<Record<string, string>> {
  const { secrets, prisma } = app.context.service;
  const link = await createSubscriptionLink(app.context.service, {
    merchant: app.merchant.merchant,
    mode: 'live',
    input: { subscriptionPlanId: ids.plan! },
    now: noon,
  });
  const refund = await prisma.refund.findUniqueOrThrow({ where: { id: ids.refund! } });
  const invoice = await prisma.invoice.findUniqueOrThrow({ where: { id: ids.invoice! } });
  const subscription = await prisma.subscription.findUniqueOrThrow({ where: { id: ids.subscription! } });
  const of = (kind: PageKind, object: PageObject) => createPageToken(secrets, kind, object);
  const pending = await seedCharge(app.context.service, app.merchant);
  return {
    charge: createClientToken(secrets, pending),
    enrol: of('enrol', link),
    refund: of('refund', refund),
    invoice: of('invoice', invoice),
    poster: of('poster', { id: ids.checkoutLink!, mode: 'live' }),
    subscription: of('subscription', subscription),
  };
}

async function createCallers(app: FullApp, ids: Ids): Promise<Caller[]> {
  const { service } = app.context;
  const { live, sandbox } = app.merchant.keys;
  const disabled = await seedMerchant(service);
  await service.prisma.merchant.update({ where: { id: disabled.merchant.id }, data: { disabledAt: noon } });
  const byKey = (name: string, authorization: string): Caller => ({ name, headers: { authorization } });
  const [revoked, expired] = [
    await seedApiKey(service, app.merchant),
    await seedApiKey(service, app.merchant),
  ];
  await service.prisma.apiKey.update({ where: { id: revoked.id }, data: { revokedAt: noon } });
  await service.prisma.apiKey.update({ where: { id: expired.id }, data: { expiresAt: noon } });
  const ofOnePermission: Caller[] = [];
  for (const permission of permissions)
    ofOnePermission.push(
      byKey(permission, basicAuth(await seedApiKey(service, app.merchant, { permissions: [permission] }))),
    );
  const users: Caller[] = [];
  for (const role of [...merchantRoles, 'operator'] as const) {
    const { cookie } = await signInAs(role, app, app.merchant);
    users.push({ name: role, headers: { cookie: cookie()!, origin: publicOrigin } });
  }
  const foreign = await signInAs('owner', app, app.otherMerchant);
  const forged = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  const bearer = `Bearer ${createClientToken(service.secrets, { id: ids.charge!, mode: 'live' })}`;
  return [
    { name: 'anonymous', headers: {} },
    byKey('wrong', basicAuth({ ...live, apiSecret: 'cs_live_wrong' })),
    byKey('unknown', basicAuth({ ...live, apiKey: 'ck_live_unknown' })),
    byKey('publishable', basicAuth({ ...live, apiKey: live.publishableKey })),
    byKey('revoked', basicAuth(revoked)),
    byKey('expired', basicAuth(expired)),
    byKey('disabled', basicAuth(disabled.keys.live)),
    byKey('live', basicAuth(live)),
    byKey('sandbox', basicAuth(sandbox)),
    byKey('other-merchant', basicAuth(app.otherMerchant.keys.live)),
    ...ofOnePermission,
    ...users,
    { name: 'other-owner', headers: { cookie: foreign.cookie()!, origin: publicOrigin } },
    // Requests that another site sends in the browser of an owner or operator.
    { name: 'forged-owner', headers: { ...users[0]!.headers, ...forged } },
    { name: 'forged-operator', headers: { ...users.at(-1)!.headers, ...forged } },
    byKey('page', bearer),
    { name: 'customer', headers: {}, tokens: true },
    { name: 'forged-customer', headers: { 'sec-fetch-site': 'cross-site' }, tokens: true },
  ];
}

const nounOfPath: Record<string, IdType> = {
  charges: 'charge',
  sessions: 'session',
  statements: 'statement',
  exports: 'export',
  refunds: 'refund',
  subscriptions: 'subscription',
  'subscription-plans': 'plan',
};

function toUrl(ids: Ids, tokens: Tokens, { url }: Route, { tokens: hasTokens }: Caller): string {
  const parts = url.split('/');
  const token = hasTokens ? (tokens[parts[2] ?? ''] ?? 'x') : `${tokens[parts[2] ?? '']?.split('.')[0]}.x`;
  const filled = parts.map((part, i) => {
    if (part === ':id') return ids[nounOfPath[parts[i - 1]!]!] ?? 'x';
    if (part === ':token') return token;
    return part.startsWith(':') || part === '*' ? 'x' : part;
  });
  const query: Record<string, string> = {
    '/forex': '?sourceCurrency=HKD&sourceAmount=1&destinationCurrency=HKD',
    '/translations': '?locale=en',
    '/graphql': '?query={viewer{__typename}}',
  };
  const opens = hasTokens && url.startsWith('/checkout');
  const chargeQuery = opens ? `?charge=${tokens.charge}` : '';
  return filled.join('/') + (query[url] ?? chargeQuery);
}

/** A valid body and its type. */
function toBody(ids: Ids, { method, url }: Route): { type?: string; body?: string } {
  if (method === 'GET' || method === 'OPTIONS') return {};
  const operation = operations[`${method} ${url.replace(':id', '{id}')}`];
  if (operation?.acceptsFile) return { type: 'application/octet-stream', body: 'a file' };
  if (url === '/graphql') return { type: 'application/json', body: '{"query":"{ viewer { __typename } }"}' };
  if (/^\/(?:pay|checkout)(?:\/|$)/.test(url))
    return { type: 'application/x-www-form-urlencoded', body: 'do=nothing' };
  if (operation && !operation.exampleRequest) return {};
  const ownIds = { chargeId: ids.charge, subscriptionPlanId: ids.plan, planId: ids.plan };
  const getValue = (name: string, value: unknown) => ownIds[name as keyof typeof ownIds] ?? value;
  return { type: 'application/json', body: JSON.stringify(operation?.exampleRequest ?? {}, getValue) };
}

async function requestRoute(
  app: FullApp,
  ids: Ids,
  tokens: Tokens,
  route: Route,
  caller: Caller,
): Promise<Result> {
  const { type, body } = toBody(ids, route);
  const url = toUrl(ids, tokens, route, caller);
  const headers = { ...caller.headers, ...(type && { 'content-type': type }) };
  const response = streams.includes(route.url)
    ? await readHead(app, url, headers)
    : await app.app.inject({ method: route.method as 'GET', url, headers, ...(body && { payload: body }) });
  const outcome = toOutcome(response);
  return {
    ...{ route: toName(route), caller: caller.name, outcome, status: response.statusCode },
    headers: new Headers(
      Object.entries(response.headers).flatMap(([name, value]) => toHeaderEntries(name, value)),
    ),
  };
}

/** Responses that do not end. */
const streams = ['/checkout/live', '/jobs/api/events'];

async function readHead(app: FullApp, url: string, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(app.url + url, { headers });
  await response.body?.cancel();
  return { statusCode: response.status, headers: Object.fromEntries(response.headers), body: '' };
}

function toHeaderEntries(name: string, value: Answer['headers'][string]): [string, string][] {
  return [value ?? []].flat().map((item) => [name, String(item)]);
}

type Answer = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body'>;

/** `allowed` for requests that passed authorization, otherwise the status. */
function toOutcome({ statusCode: status, headers, body }: Answer): string {
  if (status < 300) return 'allowed';
  if (status < 400) return headers.location === '/dashboard' ? 'sign-in' : 'allowed';
  const isOfInput = [400, 409, 415, 422].includes(status) && String(headers['content-type']).includes('json');
  return isOfInput && !body.includes('"extensions"') ? 'allowed' : String(status);
}

test('Every route has the documented outcome for every caller', async ({ results }) => {
  const lines = Map.groupBy(results, ({ route }) => route);
  const table = [...lines].map(([route, all]) => {
    const outcomes = [...Map.groupBy(all, ({ outcome }) => outcome)].sort(([a], [b]) => (a < b ? 1 : -1));
    if (outcomes.length === 1) return `${route}: ${outcomes[0]![0]} all`;
    return `${route}: ${outcomes.map(([name, who]) => `${name} ${who.map((result) => result.caller).join(' ')}`).join('; ')}`;
  });
  await expect(`${table.sort().join('\n')}\n`).toMatchFileSnapshot('permissions.txt');
});

/** Files whose names contain a hash of their content, and pages that are the same for all. */
const cachedRoutes = /^GET \/(?:assets|icons|dashboard\/assets|docs\/static|embed|graphql)/;

describe('Every response to every caller', () => {
  const listRoutes = (results: Result[], isGood: (result: Result) => boolean) => [
    ...new Set(results.filter((result) => !isGood(result)).map(({ route, status }) => `${route} ${status}`)),
  ];
  const readHeader = ({ headers }: Result, name: string) => headers.get(name) ?? '';

  test('has no 5xx status', ({ results }) => {
    // The job store publishes no changes here: Agendash polls instead.
    expect(listRoutes(results, ({ status }) => status < 500)).toEqual(['GET /jobs/api/events 501']);
  });

  test('cannot be framed', ({ results }) => {
    expect(listRoutes(results, (result) => readHeader(result, 'x-frame-options') === 'DENY')).toEqual([]);
    const isUnframed = (result: Result) =>
      readHeader(result, 'content-security-policy').includes("frame-ancestors 'none'");
    expect(listRoutes(results, isUnframed)).toEqual([]);
  });

  test('allows only own script files, except GraphiQL, which is one page', ({ results }) => {
    const runsOwn = (result: Result) => {
      const policy = readHeader(result, 'content-security-policy');
      return (
        policy.startsWith("default-src 'none'") && !/script-src[^;]*(?:unsafe|\*|data:|https?:)/.test(policy)
      );
    };
    expect(
      listRoutes(results, runsOwn).filter((listedRoute) => !listedRoute.startsWith('GET /graphql')),
    ).toEqual([]);
  });

  test('loads nothing from another origin', ({ results }) => {
    const ownOrigins = [publicOrigin, publicOrigin.replace('http', 'ws')];
    const isOwn = (source: string) => /^(?:'[^']+'|data:|blob:)$/.test(source) || ownOrigins.includes(source);
    const loadsOwn = (result: Result) => {
      const directives = readHeader(result, 'content-security-policy').split(';');
      return directives.every((directive) => directive.trim().split(' ').slice(1).every(isOwn));
    };
    expect(listRoutes(results, loadsOwn)).toEqual([]);
  });

  test('forbids type sniffing, and sends no URL to other sites', ({ results }) => {
    expect(
      listRoutes(results, (result) => readHeader(result, 'x-content-type-options') === 'nosniff'),
    ).toEqual([]);
    expect(
      listRoutes(results, (result) =>
        ['no-referrer', 'same-origin'].includes(readHeader(result, 'referrer-policy')),
      ),
    ).toEqual([]);
  });

  test('is not cached, except files that are the same for all', ({ results }) => {
    const isUncached = (result: Result) => readHeader(result, 'cache-control') === 'no-store';
    expect(listRoutes(results, isUncached).filter((listedRoute) => !cachedRoutes.test(listedRoute))).toEqual(
      [],
    );
  });

  test('can be read by other origins only where a client token is accepted, and never with cookies', ({
    results,
  }) => {
    const isShared = (result: Result) => readHeader(result, 'access-control-allow-origin') !== '';
    expect(
      results.some((result) => isShared(result) && readHeader(result, 'access-control-allow-credentials')),
    ).toBe(false);
    const shared = new Set(results.filter(isShared).map(({ route }) => route.split(' ')[1]));
    expect([...shared].sort()).toEqual([
      '/embed/texts',
      '/embed/v1.js',
      '/graphql',
      '/openapi.json',
      '/schema.graphql',
    ]);
    const isForeign = ({ caller, route }: Result) =>
      ['live', 'other-merchant'].includes(caller) && !/^GET \/(?:openapi\.json|embed)/.test(route);
    expect(results.some((result) => isShared(result) && isForeign(result))).toBe(false);
  });
});
