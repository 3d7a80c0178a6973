import { beforeAll, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, type Json, readAllPages, setupGraphqlApp } from '../setup/graphql.ts';
import { minutesAfter, noon, seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
/** Newest first. */
const ids: string[] = [];

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  const { service } = app.context;
  for (let i = 0; i < 7; i++) {
    const input = { email: `C${i}@Example.com` };
    const charge = await seedCharge(service, app.merchant, { input, now: minutesAfter(noon, i) });
    ids.unshift(charge.customerId);
    await service.prisma.customer.update({
      where: { id: charge.customerId },
      data: { phone: `+8525123000${i}` },
    });
  }
  await seedCharge(service, app.otherMerchant, { input: { email: 'c1@example.com' } });
  await seedCharge(service, app.merchant, { mode: 'sandbox', input: { email: 'c1@example.com' } });
});

const list = async (args: string) => {
  const { data, errors } = await app.ask(
    `{ customers(${args}) { totalCount nodes { id email phone } pageInfo { hasNextPage endCursor } } }`,
  );
  expect(errors).toBeUndefined();
  return data.customers;
};

test('customers page through those of the merchant and mode, newest first', async () => {
  const seen = await readAllPages(async (cursor) => {
    const { nodes, pageInfo } = await list(`first: 3${cursor ? `, after: "${cursor}"` : ''}`);
    return {
      ids: nodes.map(({ id }: Json) => id),
      cursor: pageInfo.endCursor,
      hasMore: pageInfo.hasNextPage,
    };
  });
  expect(seen).toEqual(ids);
  expect((await list('first: 1')).totalCount).toBe(7);
});

test.each([
  ['email: "c3@EXAMPLE.com"', 3],
  ['phone: "+85251230004"', 4],
  ['phone: "85251230004"', 4],
])('customers(filter: { %s }) finds the one', async (filter, number) => {
  const { nodes, totalCount } = await list(`filter: { ${filter} }`);
  const found = { id: ids[6 - number], email: `c${number}@example.com`, phone: `+8525123000${number}` };
  expect([nodes, totalCount]).toEqual([[found], 1]);
});

test('customer(id) finds one, and nobody else’s', async () => {
  const query = `{ customer(id: "${ids[0]}") { id } }`;
  expect((await app.ask(query)).data).toEqual({ customer: { id: ids[0] } });
  for (const as of [app.otherMerchant.keys.live, app.merchant.keys.sandbox]) {
    expect((await app.ask(query, { as })).data).toEqual({ customer: null });
  }
});
