import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/kit/id.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, type Json, setupGraphqlApp } from '../setup/graphql.ts';
import { minutesAfter, noon, seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/** Pages of transfers within a page of statements. */

let app: GraphqlApp;
/** Of each statement, newest first; by its id. */
const transfers = new Map<string, string[]>();

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  const { service } = app.context;
  for (const [i, size] of [5, 3, 0].entries()) {
    const now = minutesAfter(noon, 60 * i);
    const ids: string[] = [];
    let receivingAccountId = '';
    for (let n = 0; n < Math.max(size, 1); n++) {
      const at = minutesAfter(now, n);
      const charge = await seedCharge(service, app.merchant, {
        input: { email: `s${i}-${n}@example.com` },
        now: at,
      });
      receivingAccountId = charge.receivingAccountId;
      const { transferId } = await payCharge(service, app.merchant, charge, { minor: 100n, paidAt: at });
      if (size > 0) ids.unshift(transferId!);
    }
    const { id } = await service.prisma.statement.create({
      data: {
        id: newId('statement', now),
        merchantId: app.merchant.merchant.id,
        mode: 'live',
        receivingAccountId,
        format: 'camt.053',
        fileName: `${i}.xml`,
        fileHash: `hash ${i}`,
        importedBy: 'user:test',
        resultCounts: {},
        createdAt: now,
      },
    });
    await service.prisma.transfer.updateMany({ where: { id: { in: ids } }, data: { statementId: id } });
    transfers.set(id, ids);
  }
});

const list = async (args: string): Promise<Json[]> => {
  const { data, errors } = await app.ask(
    `{ statements { nodes { id transfers(${args}) { totalCount nodes { id statement { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`,
  );
  expect(errors).toBeUndefined();
  return data.statements.nodes;
};

test('each statement has its own, newest first, and its own total', async () => {
  const nodes = await list('first: 4');
  expect(nodes.map(({ id }) => id).sort()).toEqual([...transfers.keys()].sort());
  for (const { id, transfers: page } of nodes) {
    const all = transfers.get(id)!;
    expect(page.nodes).toEqual(all.slice(0, 4).map((own) => ({ id: own, statement: { id } })));
    expect([page.totalCount, page.pageInfo.hasNextPage]).toEqual([all.length, all.length > 4]);
  }
});

test('goes on after and before a cursor', async () => {
  const [id, all] = [...transfers][0]!;
  const own = (nodes: Json[]) => nodes.find((node) => node.id === id).transfers;
  const first = own(await list('first: 2'));
  const next = own(await list(`first: 2, after: "${first.pageInfo.endCursor}"`));
  expect(next.nodes.map((one: Json) => one.id)).toEqual(all.slice(2, 4));
  const back = own(await list(`last: 1, before: "${next.pageInfo.startCursor}"`));
  expect(back.nodes.map((one: Json) => one.id)).toEqual(all.slice(1, 2));
  expect(own(await list('last: 2')).nodes.map((one: Json) => one.id)).toEqual(all.slice(3, 5));
});

test('two pages in one request keep apart', async () => {
  const { data } = await app.ask(
    '{ statements { nodes { id one: transfers(first: 1) { nodes { id } } two: transfers(first: 2) { nodes { id amount } } } } }',
  );
  for (const { id, one, two } of data.statements.nodes) {
    expect([one.nodes.length, two.nodes.length]).toEqual(
      [1, 2].map((n) => Math.min(n, transfers.get(id)!.length)),
    );
  }
});
