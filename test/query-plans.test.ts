import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  getOperationAST,
  parse,
} from 'graphql';
import { describe, expect } from 'vitest';
import { schema } from '../schema/schema.ts';
import { checkCost } from '../schema/server/limits.ts';
import { startFeedPoller } from '../src/domain/money-in/feed/poll-bank-feed.ts';
import { findSuggestionCandidates } from '../src/domain/money-in/transfer/suggestions/find-suggestion-candidates.ts';
import { resetSandbox } from '../src/domain/operations/sandbox/reset-sandbox.ts';
import { readPartlyPaidCharges } from '../src/domain/payments/charge/outstanding-money.ts';
import { sumBySeller } from '../src/domain/payments/charge-list/sum-by-seller.ts';
import { type JobContext, serviceJobs } from '../src/jobs/definitions.ts';
import { dayMs } from '../src/kit/duration.ts';
import { idPrefixes } from '../src/kit/id.ts';
import { basicAuth } from './setup/api.ts';
import { isLongRun } from './setup/counts.ts';
import { fileTest } from './setup/fixtures.ts';
import type { GraphqlApp } from './setup/graphql.ts';
import { sampleInput, selectAllFields } from './setup/graphql-values.ts';
import { findPlanProblems, largeTablesTimeoutMs, setupLargeTables } from './setup/large-tables.ts';
import type { RecordedStatement } from './setup/record-statements.ts';
import { recordStatements } from './setup/sent-statements.ts';
import { signInAs } from './setup/sign-in.ts';
import type { Visitor } from './setup/visitor.ts';

type Ids = Record<string, string>;

const test = fileTest
  .extend('large', { scope: 'file' }, ({ onFileCleanup }) => setupLargeTables(onFileCleanup))
  .extend('app', { scope: 'file' }, ({ large }): GraphqlApp => large.app)
  .extend('ids', { scope: 'file' }, ({ large }): Ids => large.ids as Ids)
  .extend('owner', { scope: 'file' }, ({ app }): Promise<Visitor> => signInAs('owner', app, app.merchant));

/**
 * The problems of each statement that the work sends, without duplicates: it reads a whole growing table, or sorts more
 * than two pages.
 */
async function findProblemsDuring(app: GraphqlApp, work: () => Promise<unknown>): Promise<string[]> {
  const { sent } = await recordStatements(work);
  const statements = new Map(sent.map((statement) => [statement.text, statement]));
  const problems: string[] = [];
  for (const statement of statements.values()) {
    const planProblems = await findPlanProblems(app.context.service.pool, statement);
    if (planProblems.length > 0) problems.push(`${planProblems.join(', ')}: ${statement.text}`);
  }
  expect(statements.size).toBeGreaterThan(0);
  return problems;
}

const lists = Object.values(schema.getQueryType()!.getFields()).filter(
  ({ name, type }) => getNamedType(type).name.endsWith('Connection') && name !== 'merchants',
);

const values: Record<string, () => string> = {
  search: () => '"Tan"',
  customerEmail: () => '"ada@example.com"',
};

/** Each filter of a list alone, as GraphQL text. */
function renderFilters(ids: Ids, { args }: (typeof lists)[number]): string[] {
  const filter = args.find(({ name }) => name === 'filter');
  if (!filter) return [];
  const members = Object.values((getNamedType(filter.type) as GraphQLInputObjectType).getFields());
  return members.map(({ name, type }) => {
    const noun = name.replace(/Id$/, '');
    const value = values[name]?.() ?? (ids[noun] ? `"${ids[noun]}"` : sampleInput(type));
    return `filter: { ${name}: ${value} }`;
  });
}

const run = async (owner: Visitor, document: string) => {
  const { errors } = await owner.ask(document);
  expect([document, errors]).toEqual([document, undefined]);
};

/**
 * A count of events since a time reads all of them. Here every page of the table has events of the merchant, so
 * PostgreSQL may prefer to read the table.
 */
const countsEvents = /SELECT COUNT\(\*\).*"event"\."created_at" >= /;

describe('Lists of the GraphQL API', { timeout: largeTablesTimeoutMs }, () => {
  test.for(lists.map((field) => [field.name, field] as const))(
    '%s',
    async ([name, field], { app, ids, owner }) => {
      const node = (getNamedType(field.type) as GraphQLObjectType).getFields().nodes!;
      const pages = [1, 0]
        .map((depth) => `{ ${name}(first: 50) { nodes ${selectAllFields(node.type, depth)} } }`)
        .find((document) => isAllowed(document))!;
      const page = (options: string, total = false) =>
        run(
          owner,
          `{ ${name}(${options}) { nodes { id } pageInfo { endCursor } ${total ? 'totalCount' : ''} } }`,
        );
      const problems = await findProblemsDuring(app, async () => {
        await run(owner, pages);
        await page('first: 50', true);
        const hasArg = (argName: string) => field.args.some(({ name }) => name === argName);
        const orders = [
          ...(hasArg('last') ? ['last: 50'] : []),
          ...(hasArg('reverse') ? ['first: 50, reverse: true', 'last: 50, reverse: true'] : []),
        ];
        for (const order of orders) await page(order);
        for (const filter of renderFilters(ids, field)) {
          await page(`first: 50, ${filter}`, true);
          for (const order of orders) await page(`${order}, ${filter}`);
        }
      });
      expect(problems.filter((problem) => !countsEvents.test(problem))).toEqual([]);
    },
  );
});

function isAllowed(document: string): boolean {
  try {
    const parsed = parse(document);
    checkCost(schema, parsed, { operation: getOperationAST(parsed)!, variables: {}, context: {} });
    return true;
  } catch {
    return false;
  }
}

const dates = 'startDate=2026-11-01T00:00:00&endDate=2026-12-01T00:00:00';
const paths = [
  ...[
    '',
    'status=completed',
    'method=fps',
    'customerCurrency=HKD',
    dates,
    'page=3',
    `${dates}&status=expired`,
  ],
  ...['customerEmail=ada@example.com', 'customerPhone=85251234567', 'status=completed&method=fps'],
].map((query) => `/charges?limit=50&${query}`);
const refundPaths = [
  '',
  'status=initiated',
  dates,
  'customerCurrency=HKD',
  'customerEmail=ada@example.com',
].map((query) => `/refunds?limit=50&${query}`);

describe('The REST API', { timeout: largeTablesTimeoutMs }, () => {
  test.for([...paths, ...refundPaths, '/subscriptions?limit=50', '/subscription-plans?limit=50'])(
    'GET %s',
    async (path, { app }) => {
      const headers = { authorization: basicAuth(app.merchant.keys.live) };
      const problems = await findProblemsDuring(app, async () => {
        const { statusCode, body } = await app.app.inject({ url: path, headers });
        expect([statusCode, body.slice(0, 300)]).toEqual([200, expect.any(String)]);
      });
      expect(problems).toEqual([]);
    },
  );
});

test('Suggestions for a transfer, also of charges whose payment was undone', async ({ app, ids }) => {
  const { service } = app.context;
  const transfer = await service.prisma.transfer.findUniqueOrThrow({ where: { id: ids.transfer! } });
  const { merchantId, mode } = transfer;
  const readCandidates = () => findSuggestionCandidates(service, { merchantId, mode }, [transfer]);
  expect(await findProblemsDuring(app, readCandidates)).toEqual([]);
});

test('Partly paid charges of a bank account', async ({ app, ids }) => {
  const { service } = app.context;
  const { receivingAccount, createdAt: until } = await service.prisma.charge.findUniqueOrThrow({
    where: { id: ids.charge! },
    include: { receivingAccount: true },
  });
  const since = new Date(until.getTime() - dayMs);
  const read = () => readPartlyPaidCharges(service.prisma, receivingAccount, { since, until });
  expect(await findProblemsDuring(app, read)).toEqual([]);
});

test('Totals of the sales at the counter in a month, by seller', async ({ app, ids }) => {
  const { service } = app.context;
  const charge = await service.prisma.charge.findUniqueOrThrow({ where: { id: ids.charge! } });
  const { merchantId, mode, createdAt: before } = charge;
  const from = new Date(before.getTime() - 30 * dayMs);
  const sum = () => sumBySeller({ stale: service.prisma }, { merchantId, mode, from, before });
  expect(await findProblemsDuring(app, sum)).toEqual([]);
});

test('The reset of a sandbox', async ({ app }) => {
  const { service, clock } = app.context;
  const { id: merchantId } = app.merchant.merchant;
  const reset = () => resetSandbox(service, { merchantId, actor: 'operator', now: clock.now() });
  const problems = await findProblemsDuring(app, reset);
  // These are small: the catalog, and phone verifications, which are kept for a day.
  expect(problems.filter((problem) => !/FROM (?:pg_class|"phone_verification")/.test(problem))).toEqual([]);
});

/** Jobs that need a mail server, an endpoint or a file; other tests check their statements. */
const others = [
  'deliver-notifications',
  'send-mail',
  'send-sms',
  'send-chat',
  'import-statements',
  'purge-jobs',
  'refresh-rates',
];

describe('The job', { timeout: largeTablesTimeoutMs }, () => {
  test.for(serviceJobs.filter(({ name }) => !others.includes(name)).map((job) => [job.name, job] as const))(
    '%s',
    async ([_name, { work }], { app }) => {
      const { service, clock } = app.context;
      const onError = () => {};
      const feedPoller = startFeedPoller(service, { clock, onError });
      const context = { service, clock, feedPoller, wake: () => {}, onError } as unknown as JobContext;
      expect(await findProblemsDuring(app, async () => work(context, new AbortController().signal))).toEqual(
        [],
      );
    },
  );
});

type IdsByPrefix = Map<string, string | undefined>;
const sentTest = test.extend(
  'idsByPrefix',
  { scope: 'file' },
  ({ large }): IdsByPrefix =>
    new Map(Object.entries(idPrefixes).map(([noun, prefix]) => [prefix, large.ids[noun]])),
);

/**
 * Checks the plans of all statements that the other tests send:
 *   STATEMENTS=/tmp/statements npm test && LONG=1 SENT=/tmp/statements npm test -- test/query-plans.test.ts
 */

const folder = process.env.SENT;

/** Files whose statements read whole tables, or all rows of a time range. */
const readsMuch = [
  ...[
    'src/domain/operations/check/check-invariants.ts',
    'src/domain/platform/secrets/',
    'src/domain/operations/backup/',
  ],
  ...[
    'src/domain/payments/charge-list/sum-collected.ts',
    'src/domain/money-in/reconciliation/',
    'src/event/find-changed-objects.ts',
  ],
  // Duplicates are searched in the transfers of some days.
  'src/domain/money-in/transfer/duplicates/find-duplicates.ts',
  // Attempts are read from an ID on, and all IDs have the same time here.
  'src/domain/operations/check/measure-backlog.ts',
];

describe.runIf(folder && isLongRun)('Statements of other tests', () => {
  const test = sentTest;
  test('read no table completely, and sort at most a page', {
    timeout: largeTablesTimeoutMs,
  }, async ({ app, idsByPrefix }) => {
    const problems = [];
    let count = 0;
    for (const { text, values, sender } of readStatements(folder!)) {
      if (readsMuch.some((part) => sender?.startsWith(part))) continue;
      const plan = await planStatement(
        app,
        text,
        values.map((value) => toLargeTableValue(idsByPrefix, value)),
      );
      if (!plan) continue;
      count++;
      if (plan.length > 0) problems.push(`${plan.join(', ')}: ${sender}: ${text}`);
    }
    expect(count).toBeGreaterThan(1_000);
    expect(problems).toEqual([]);
  });
});

/**
 * Plans a statement. Undefined if PostgreSQL rejects it (SQLSTATE 22… and 42…), because its table, column or
 * values exist in other tests only.
 */
async function planStatement(
  app: GraphqlApp,
  text: string,
  values: unknown[],
): Promise<string[] | undefined> {
  try {
    return await findPlanProblems(app.context.service.pool, { text, values });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code?.startsWith('22') || code?.startsWith('42')) return undefined;
    throw error;
  }
}

function readStatements(from: string): Iterable<RecordedStatement> {
  const lines = readdirSync(from).flatMap((file) =>
    readFileSync(join(from, file), 'utf8').trim().split('\n'),
  );
  const records = lines.map((line): RecordedStatement => JSON.parse(line));
  return new Map(records.map((record) => [record.text, record])).values();
}

/** Replaces an ID by one of the same type in the large tables. */
function toLargeTableValue(idsByPrefix: IdsByPrefix, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => toLargeTableValue(idsByPrefix, item));
  const [, prefix] = typeof value === 'string' ? (/^([a-z]+)_[0-9a-z]{20,}$/.exec(value) ?? []) : [];
  return (prefix && idsByPrefix.get(prefix)) || value;
}
