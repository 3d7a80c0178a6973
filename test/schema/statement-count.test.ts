import {
  type GraphQLObjectType,
  getNamedType,
  getOperationAST,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { checkCost } from '../../schema/server/limits.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { selectAllFields } from '../setup/graphql-values.ts';
import { seedEveryType } from '../setup/seed-every-type.ts';
import { recordStatements } from '../setup/sent-statements.ts';
import { signInAs } from '../setup/sign-in.ts';
import type { Visitor } from '../setup/visitor.ts';
import { copyTogether } from './copy-together.ts';

const onCleanup = cleanupAfterFile();

/**
 * Every list with everything nested in it: as many SQL statements for one object as for a few and for many. Made from the
 * schema, so that a field that reads row by row fails here when it is added.
 */

/** How many objects of a list are asked for. */
const sizes = [1, count(3, 10), count(12, 50)] as const;

let app: GraphqlApp;
let owner: Visitor;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  const { merchant: _, ...ids } = await seedEveryType(app);
  const { prisma, pool } = app.context.service;
  owner = await signInAs('owner', app, app.merchant);
  // Refunds that are to be paid are a list of their own.
  await prisma.refund.update({ where: { id: ids.refund! }, data: { status: 'processing' } });
  const own = { where: { merchantId: app.merchant.merchant.id }, select: { id: true } };
  const [events, notifications] = await Promise.all([
    prisma.event.findMany(own),
    prisma.notification.findMany(own),
  ]);
  const all = [...Object.values(ids), ...[...events, ...notifications].map(({ id }) => id)];
  await copyTogether(pool, [...new Set(all)], sizes[2] - 1);
});

const lists = Object.values(schema.getQueryType()!.getFields()).filter(({ name, type }) => {
  // Only operators read these.
  return getNamedType(type).name.endsWith('Connection') && name !== 'merchants';
});
const nodeOf = (connection: string) =>
  getNamedType(
    (schema.getType(connection) as GraphQLObjectType).getFields().nodes!.type,
  ) as GraphQLObjectType;

/** That the session was seen is written now and then, and not counted. */
async function statements(document: string, first: number): Promise<string[]> {
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

/** A document for each object within a list's objects, with all that is in it as deep as the cost allows. */
function documentsOf(list: string, node: GraphQLObjectType): [what: string, document: string][] {
  const fields = Object.values(node.getFields()).filter(({ args }) => !args.some(isRequiredArgument));
  const ask = (selection: string) =>
    `query ($first: Int!) { ${list}(first: $first) { nodes { id ${selection} } } }`;
  const values = fields.filter(({ type }) => isLeafType(getNamedType(type))).map(({ name }) => name);
  const objects = fields.filter(({ type }) => isObjectType(getNamedType(type)));
  const nested = objects.flatMap(({ name, type }): [string, string][] => {
    const deepest = [1, 0].map((depth) => ask(`${name} ${selectAllFields(type, depth)}`)).find(fits);
    return deepest ? [[name, deepest]] : [];
  });
  return [['its own values', ask(values.join(' '))], ...nested];
}

test.each(lists.map((field) => [field.name, getNamedType(field.type).name]))(
  `%s takes as many statements for ${sizes[2]} as for 1`,
  async (name, connection) => {
    for (const [what, document] of documentsOf(name, nodeOf(connection))) {
      const countAll = async () => {
        const counts: number[] = [];
        for (const first of sizes) counts.push((await statements(document, first)).length);
        return counts;
      };
      let counts = await countAll();
      // What is kept between requests is read again after five seconds: in the middle of this, now and then.
      if (counts[1] !== counts[2] || counts[0]! > counts[1]!) counts = await countAll();
      // The newest may have less within it than others.
      expect([what, counts]).toEqual([what, [expect.any(Number), counts[2], counts[2]]]);
      expect(counts[0]).toBeLessThanOrEqual(counts[1]!);
    }
  },
);

test.each(lists.map(({ name }) => name))('%s counts its total only where it is asked for', async (name) => {
  const page = (selection: string) => `query ($first: Int!) { ${name}(first: $first) { ${selection} } }`;
  const askBoth = async () => ({
    without: await statements(page('nodes { id } pageInfo { hasNextPage }'), 2),
    counting: await statements(page('totalCount nodes { id }'), 2),
  });
  let { without, counting } = await askBoth();
  // As above: now and then what is kept is read again in the middle.
  if (counting.length !== without.length + 1) ({ without, counting } = await askBoth());
  expect(without.filter((text) => /COUNT\(|SUM\(/i.test(text))).toEqual([]);
  expect(counting).toHaveLength(without.length + 1);
});
