import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  getOperationAST,
  parse,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../schema/schema.ts';
import { checkCost } from '../schema/server/limits.ts';
import { type JobContext, serviceJobs } from '../src/jobs/definitions.ts';
import { basicAuth } from './setup/api.ts';
import { cleanupAfterFile } from './setup/cleanup.ts';
import type { GraphqlApp } from './setup/graphql.ts';
import { sampleInput, selectAllFields } from './setup/graphql-values.ts';
import { findPlanProblems, largeTablesTimeoutMs, setupLargeTables } from './setup/large-tables.ts';
import { recordStatements } from './setup/sent-statements.ts';
import { signInAs } from './setup/sign-in.ts';
import type { Visitor } from './setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/**
 * How PostgreSQL carries out each statement of the service where tables are large: no table that grows is read from end
 * to end, and no more is sorted than a page or two.
 */

let app: GraphqlApp;
let owner: Visitor;
let ids: Record<string, string>;

beforeAll(async () => {
  ({ app, ids } = await setupLargeTables(onCleanup));
  owner = await signInAs('owner', app, app.merchant);
}, largeTablesTimeoutMs);

/** The faults of each statement that the work sends, told once. */
async function faultsWhile(work: () => Promise<unknown>): Promise<string[]> {
  const { sent } = await recordStatements(work);
  const statements = new Map(sent.map((one) => [one.text, one]));
  const faults: string[] = [];
  for (const one of statements.values()) {
    const found = await findPlanProblems(app.context.service.pool, one);
    if (found.length > 0) faults.push(`${found.join(', ')}: ${one.text}`);
  }
  expect(statements.size).toBeGreaterThan(0);
  return faults;
}

const lists = Object.values(schema.getQueryType()!.getFields()).filter(
  ({ name, type }) => getNamedType(type).name.endsWith('Connection') && name !== 'merchants',
);

const values: Record<string, () => string> = {
  search: () => '"Tan"',
  customerEmail: () => '"ada@example.com"',
};

/** Each filter of a list alone, as it stands in a document. */
function filtersOf({ args }: (typeof lists)[number]): string[] {
  const filter = args.find(({ name }) => name === 'filter');
  if (!filter) return [];
  const members = Object.values((getNamedType(filter.type) as GraphQLInputObjectType).getFields());
  return members.map(({ name, type }) => {
    const noun = name.replace(/Id$/, '');
    const value = values[name]?.() ?? (ids[noun] ? `"${ids[noun]}"` : sampleInput(type));
    return `filter: { ${name}: ${value} }`;
  });
}

const ask = async (document: string) => {
  const { errors } = await owner.ask(document);
  expect([document, errors]).toEqual([document, undefined]);
};

describe('lists of the GraphQL API', () => {
  test.each(lists.map((field) => [field.name, field] as const))('%s', async (name, field) => {
    const node = (getNamedType(field.type) as GraphQLObjectType).getFields().nodes!;
    const whole = [1, 0]
      .map((depth) => `{ ${name}(first: 50) { nodes ${selectAllFields(node.type, depth)} } }`)
      .find((document) => isAllowed(document))!;
    const page = (options: string, total = false) =>
      ask(`{ ${name}(${options}) { nodes { id } pageInfo { endCursor } ${total ? 'totalCount' : ''} } }`);
    const faults = await faultsWhile(async () => {
      await ask(whole);
      await page('first: 50', true);
      const isBackward = field.args.some(({ name }) => name === 'last');
      if (isBackward) await page('last: 50');
      for (const filter of filtersOf(field)) {
        await page(`first: 50, ${filter}`, true);
        if (isBackward) await page(`last: 50, ${filter}`);
      }
    });
    expect(faults).toEqual([]);
  });
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

describe('the REST API', () => {
  test.each([...paths, ...refundPaths, '/subscriptions?limit=50', '/subscription-plans?limit=50'])(
    'GET %s',
    async (path) => {
      const headers = { authorization: basicAuth(app.merchant.keys.live) };
      const faults = await faultsWhile(async () => {
        const { statusCode, body } = await app.app.inject({ url: path, headers });
        expect([statusCode, body.slice(0, 300)]).toEqual([200, expect.any(String)]);
      });
      expect(faults).toEqual([]);
    },
  );
});

/** These need a mail server, an endpoint or a file; what they claim is asked for in tests of their own. */
const others = [
  'deliver-notifications',
  'send-mail',
  'send-sms',
  'import-statements',
  'purge-jobs',
  'refresh-rates',
];

describe('the job', () => {
  test.each(serviceJobs.filter(({ name }) => !others.includes(name)).map((job) => [job.name, job] as const))(
    '%s',
    async (_name, { work }) => {
      const { service, clock } = app.context;
      const context = { service, clock, wake: () => {}, onError: () => {} } as unknown as JobContext;
      expect(await faultsWhile(async () => work(context, new AbortController().signal))).toEqual([]);
    },
  );
});
