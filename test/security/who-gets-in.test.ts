import { Readable } from 'node:stream';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { permissions } from '../../src/domain/accounts/api-key/permissions.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import {
  createClientToken,
  createPageToken,
  type PageKind,
  type PageObject,
} from '../../src/domain/payments/checkout/page-tokens.ts';
import { storeUpload } from '../../src/domain/platform/upload/store-upload.ts';
import type { IdNoun } from '../../src/kit/id.ts';
import { operations } from '../../src/rest/operations.ts';
import { basicAuth } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type Route, setupFullApp } from '../setup/full-app.ts';
import type { GraphqlApp } from '../setup/graphql.ts';
import { noon, seedApiKey, seedCharge, seedMerchant } from '../setup/seed.ts';
import { seedEveryType } from '../setup/seed-every-type.ts';
import { signInAs } from '../setup/sign-in.ts';
import { publicOrigin } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/**
 * Every route of the service asked by every kind of caller, and held to the table in who-gets-in.txt. The routes are
 * those that the application registers: a new one fails until somebody has thought about who gets in; `-u` writes it
 * there.
 */

type Caller = { name: string; headers: Record<string, string>; tokens?: true };
type Asked = { route: string; caller: string; outcome: string; status: number; headers: Headers };

let app: GraphqlApp & { routes: Route[] };
let ids: Partial<Record<IdNoun, string>>;
let tokens: Record<string, string>;
let callers: Caller[];
let asked: Asked[];

beforeAll(async () => {
  app = await setupFullApp(onCleanup, { clock: createFakeClock(noon) });
  ids = await seedEveryType(app);
  await giveFiles();
  tokens = await pageTokens();
  callers = await everyCaller();
  asked = [];
  for (const route of app.routes.filter(isFirstOfItsKind))
    for (const caller of callers) asked.push(await ask(route, caller));
}, 120_000);

/** Of files that are served alike one stands for all. */
function isFirstOfItsKind(route: Route, at: number, all: Route[]): boolean {
  return all.findIndex((other) => nameOf(other) === nameOf(route)) === at;
}

function nameOf({ method, url }: Route): string {
  return `${method} ${url.replace(/^(\/assets|\/icons\/methods)\/.*/, '$1/…')}`;
}

/** A finished export, and a statement with its file. */
async function giveFiles(): Promise<void> {
  const { prisma } = app.context.service;
  await prisma.export.update({ where: { id: ids.export! }, data: { status: 'completed', finishedAt: noon } });
  const upload = await storeUpload(app.context.service, {
    ...{
      merchantId: app.merchant.merchant.id,
      mode: 'live',
      fileName: 'march.xml',
      actor: 'test',
      now: noon,
    },
    source: Readable.from([Buffer.from('a file')]),
  });
  await prisma.statement.update({ where: { id: ids.statement! }, data: { uploadId: upload.id } });
}

/** Tokens of the customer's pages, by the page. */
async function pageTokens(): Promise<Record<string, string>> {
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
    subscription: of('subscription', subscription),
  };
}

async function everyCaller(): Promise<Caller[]> {
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
  for (const one of permissions)
    ofOnePermission.push(
      byKey(one, basicAuth(await seedApiKey(service, app.merchant, { permissions: [one] }))),
    );
  const users: Caller[] = [];
  for (const role of ['owner', 'developer', 'support', 'operator'] as const) {
    const { cookie } = await signInAs(role, app, app.merchant);
    users.push({ name: role, headers: { cookie: cookie()!, origin: publicOrigin } });
  }
  const foreign = await signInAs('owner', app, app.otherMerchant);
  const forged = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  const bearer = `Bearer ${createClientToken(service.secrets, { id: ids.charge!, mode: 'live' })}`;
  return [
    { name: 'nobody', headers: {} },
    byKey('wrong', basicAuth({ ...live, apiSecret: 'cs_live_wrong' })),
    byKey('unknown', basicAuth({ ...live, apiKey: 'ck_live_unknown' })),
    byKey('publishable', basicAuth({ ...live, apiKey: live.publishableKey })),
    byKey('revoked', basicAuth(revoked)),
    byKey('expired', basicAuth(expired)),
    byKey('disabled', basicAuth(disabled.keys.live)),
    byKey('live', basicAuth(live)),
    byKey('sandbox', basicAuth(sandbox)),
    byKey('stranger', basicAuth(app.otherMerchant.keys.live)),
    ...ofOnePermission,
    ...users,
    { name: 'other-owner', headers: { cookie: foreign.cookie()!, origin: publicOrigin } },
    // Another site that has the browser of an owner or operator ask.
    { name: 'forged-owner', headers: { ...users[0]!.headers, ...forged } },
    { name: 'forged-operator', headers: { ...users[3]!.headers, ...forged } },
    byKey('page', bearer),
    { name: 'customer', headers: {}, tokens: true },
    { name: 'forged-customer', headers: { 'sec-fetch-site': 'cross-site' }, tokens: true },
  ];
}

const nounOf: Record<string, IdNoun> = {
  charges: 'charge',
  sessions: 'session',
  statements: 'statement',
  exports: 'export',
  refunds: 'refund',
  subscriptions: 'subscription',
  'subscription-plans': 'plan',
};

function addressOf({ url }: Route, { tokens: hasTokens }: Caller): string {
  const parts = url.split('/');
  const token = hasTokens ? (tokens[parts[2] ?? ''] ?? 'x') : `${tokens[parts[2] ?? '']?.split('.')[0]}.x`;
  const filled = parts.map((part, i) => {
    if (part === ':id') return ids[nounOf[parts[i - 1]!]!] ?? 'x';
    if (part === ':token') return token;
    return part.startsWith(':') || part === '*' ? 'x' : part;
  });
  const query: Record<string, string> = {
    '/forex': '?sourceCurrency=HKD&sourceAmount=1&destinationCurrency=HKD',
    '/translations': '?locale=en',
    '/graphql': '?query={viewer{__typename}}',
  };
  const opens = hasTokens && url.startsWith('/checkout');
  const own = opens ? `?charge=${tokens.charge}` : '';
  return filled.join('/') + (query[url] ?? own);
}

/** A body that works, and its type. */
function bodyOf({ method, url }: Route): { type?: string; body?: string } {
  if (method === 'GET' || method === 'OPTIONS') return {};
  const operation = operations[`${method} ${url.replace(':id', '{id}')}`];
  if (operation?.takesFile) return { type: 'application/octet-stream', body: 'a file' };
  if (url === '/graphql') return { type: 'application/json', body: '{"query":"{ viewer { __typename } }"}' };
  if (/^\/(?:pay|checkout)(?:\/|$)/.test(url))
    return { type: 'application/x-www-form-urlencoded', body: 'do=nothing' };
  if (operation && !operation.exampleRequest) return {};
  const own = { chargeId: ids.charge, subscriptionPlanId: ids.plan, planId: ids.plan };
  const known = (name: string, value: unknown) => own[name as keyof typeof own] ?? value;
  return { type: 'application/json', body: JSON.stringify(operation?.exampleRequest ?? {}, known) };
}

async function ask(route: Route, caller: Caller): Promise<Asked> {
  const { type, body } = bodyOf(route);
  const url = addressOf(route, caller);
  const headers = { ...caller.headers, ...(type && { 'content-type': type }) };
  const answer = streams.includes(route.url)
    ? await headOf(url, headers)
    : await app.app.inject({ method: route.method as 'GET', url, headers, ...(body && { payload: body }) });
  const outcome = outcomeOf(answer);
  return {
    ...{ route: nameOf(route), caller: caller.name, outcome, status: answer.statusCode },
    headers: new Headers(Object.entries(answer.headers).flatMap(([name, value]) => headersOf(name, value))),
  };
}

/** Answers without an end. */
const streams = ['/checkout/live', '/jobs/api/events'];

async function headOf(url: string, headers: Record<string, string>): Promise<Answer> {
  const answer = await fetch(app.url + url, { headers });
  await answer.body?.cancel();
  return { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body: '' };
}

function headersOf(name: string, value: Answer['headers'][string]): [string, string][] {
  return [value ?? []].flat().map((one) => [name, String(one)]);
}

type Answer = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body'>;

/** What is refused for who asks, or leads nowhere; `in` for all that was looked at. */
function outcomeOf({ statusCode: status, headers, body }: Answer): string {
  if (status < 300) return 'in';
  if (status < 400) return headers.location === '/dashboard' ? 'sign-in' : 'in';
  const isOfInput = [400, 409, 415, 422].includes(status) && String(headers['content-type']).includes('json');
  return isOfInput && !body.includes('"extensions"') ? 'in' : String(status);
}

test('every route by every caller is as the table says', async () => {
  const lines = Map.groupBy(asked, ({ route }) => route);
  const table = [...lines].map(([route, all]) => {
    const outcomes = [...Map.groupBy(all, ({ outcome }) => outcome)].sort(([a], [b]) => (a < b ? 1 : -1));
    if (outcomes.length === 1) return `${route}: ${outcomes[0]![0]} everybody`;
    return `${route}: ${outcomes.map(([name, who]) => `${name} ${who.map((one) => one.caller).join(' ')}`).join('; ')}`;
  });
  await expect(`${table.sort().join('\n')}\n`).toMatchFileSnapshot('who-gets-in.txt');
});

/** What changes its name with its content, and what everybody is shown for a while. */
const keptAnswers = /^GET \/(?:assets|icons|dashboard\/assets|docs\/static|graphql)/;

describe('every answer, whoever asks', () => {
  const faultsOf = (isGood: (one: Asked) => boolean) => [
    ...new Set(asked.filter((one) => !isGood(one)).map(({ route, status }) => `${route} ${status}`)),
  ];
  const header = ({ headers }: Asked, name: string) => headers.get(name) ?? '';

  test('is no 5xx', () => {
    // The job store tells of no changes here: Agendash asks again and again instead.
    expect(faultsOf(({ status }) => status < 500)).toEqual(['GET /jobs/api/events 501']);
  });

  test('stands in no frame', () => {
    expect(faultsOf((one) => header(one, 'x-frame-options') === 'DENY')).toEqual([]);
    const isUnframed = (one: Asked) =>
      header(one, 'content-security-policy').includes("frame-ancestors 'none'");
    expect(faultsOf(isUnframed)).toEqual([]);
  });

  test('runs no script but our files, GraphiQL apart, which is one page', () => {
    const runsOwn = (one: Asked) => {
      const policy = header(one, 'content-security-policy');
      return (
        policy.startsWith("default-src 'none'") && !/script-src[^;]*(?:unsafe|\*|data:|https?:)/.test(policy)
      );
    };
    expect(faultsOf(runsOwn).filter((fault) => !fault.startsWith('GET /graphql'))).toEqual([]);
  });

  test('loads nothing from another origin', () => {
    const own = [publicOrigin, publicOrigin.replace('http', 'ws')];
    const isOwn = (source: string) => /^(?:'[^']+'|data:|blob:)$/.test(source) || own.includes(source);
    const loadsOwn = (one: Asked) => {
      const directives = header(one, 'content-security-policy').split(';');
      return directives.every((directive) => directive.trim().split(' ').slice(1).every(isOwn));
    };
    expect(faultsOf(loadsOwn)).toEqual([]);
  });

  test('is what its type says, and tells other sites nothing of its address', () => {
    expect(faultsOf((one) => header(one, 'x-content-type-options') === 'nosniff')).toEqual([]);
    expect(
      faultsOf((one) => ['no-referrer', 'same-origin'].includes(header(one, 'referrer-policy'))),
    ).toEqual([]);
  });

  test('is kept by nobody, but files that are the same for all', () => {
    const isUnkept = (one: Asked) => header(one, 'cache-control') === 'no-store';
    expect(faultsOf(isUnkept).filter((fault) => !keptAnswers.test(fault))).toEqual([]);
  });

  test('may be read by other origins only where a client token is taken, and never with cookies', () => {
    const isShared = (one: Asked) => header(one, 'access-control-allow-origin') !== '';
    expect(asked.some((one) => isShared(one) && header(one, 'access-control-allow-credentials'))).toBe(false);
    const shared = new Set(asked.filter(isShared).map(({ route }) => route.split(' ')[1]));
    expect([...shared].sort()).toEqual(['/graphql', '/schema.graphql']);
    const isForeign = (one: Asked) => ['live', 'stranger'].includes(one.caller);
    expect(asked.some((one) => isShared(one) && isForeign(one))).toBe(false);
  });
});
