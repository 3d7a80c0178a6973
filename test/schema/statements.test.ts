import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { createRefund } from '../../src/domain/refund/create-refund.ts';
import { recordTransfers } from '../../src/domain/transfer/record-transfers.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { type GraphqlApp, graphqlApp, type Json } from '../setup/graphql.ts';
import { makeCharge, minutesAfter, noon } from '../setup/makers.ts';
import { makeWebhook } from '../setup/notifications.ts';
import { makeActiveSubscription, makePlan } from '../setup/subscriptions.ts';

/** However many rows and whatever is nested: an answer takes a fixed number of SQL statements. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await graphqlApp();
  const { service } = app.context;
  const { merchant } = app.merchant;
  const owner = { merchantId: merchant.id, mode: 'live' as const, actor: 'key:test', now: noon };
  await makeWebhook(service, app.merchant, { version: '1.0' });
  const charges = [];
  for (let i = 0; i < 50; i++) {
    const input = { email: `rows-${i}@example.com`, orders: [{ name: 'Tea' }, { name: 'Cup' }] };
    charges.push(await makeCharge(service, app.merchant, { input, now: minutesAfter(noon, i / 60) }));
  }
  // Each is paid in two parts, and a part of it given back.
  const items = charges.flatMap((charge) =>
    ['100.00', '28.50'].map((amount) => ({
      id: `bank-${charge.nonce}-${amount}`,
      receivingAccountId: charge.receivingAccountId,
      amount,
      currency: 'HKD',
      reference: charge.nonce,
      paidAt: noon.toISOString(),
    })),
  );
  const { mode, actor, now } = owner;
  await recordTransfers(service, { merchant, mode, actor, items, now });
  const refund = (chargeId: string, customerAmount: number) =>
    createRefund(service, { ...owner, input: { chargeId, customerAmount } });
  await Promise.all(charges.map(({ id }) => refund(id, 1)));
  await Promise.all(charges.slice(-3).map(({ id }) => refund(id, 2)));
  const plan = await makePlan(service, app.merchant);
  for (let i = 0; i < 10; i++)
    await makeActiveSubscription(service, app.merchant, { plan, email: `sub-${i}@example.com` });
  while ((await relayEvents(service, { now })) > 0);
});

const nested = `
  id orders { name } amountRefundable paidLate
  customer { id email } receivingAccount { id }
  refunds { id status charge { id } customer { id } }
  transfers { id allocations { id amount charge { id } } }
  allocations { id transfer { id } }
  session { id } checkoutLink { id } invoice { id } subscription { id plan { id } invoices { id } }
  notifications { id webhook { id } event { id } attempts { id } }`;

const lists: [string, string, number[]][] = [
  ['charges', nested, [1, 10, 50]],
  ['refunds', `id customer { id } charge { ${nested} }`, [1, 10, 50]],
  [
    'transfers',
    'id receivingAccount { id } allocations { id charge { id refunds { id } } } charges { id customer { id } }',
    [1, 10, 50],
  ],
  ['notifications', 'id event { id } webhook { id } attempts { id }', [1, 10, 50]],
  ['events', 'id notifications { id webhook { id } attempts { id } }', [1, 10, 50]],
  [
    'subscriptions',
    'id plan { id } customer { id } openInvoice { id } invoices { id } charges { id customer { id } }',
    [1, 10],
  ],
];

test.each(lists)('%s with all that is nested in them', async (list, selection, sizes) => {
  const counts: number[] = [];
  for (const size of sizes) {
    const query = `{ ${list}(first: ${size}) { totalCount nodes { ${selection} } } }`;
    // Once before, so that nothing is prepared for the first time.
    await ask(query);
    const { data, statements } = await counting(() => ask(query));
    expect(data[list].nodes).toHaveLength(size);
    counts.push(statements);
  }
  expect(new Set(counts), counts.join(', ')).toHaveLength(1);
  expect(counts[0]).toBeGreaterThan(3);
});

test('nested lists are full, so that the counts tell something', async () => {
  const filter = 'filter: { customerEmail: "rows-49@example.com" }';
  const { data } = await ask(`{ charges(first: 1, ${filter}) { nodes { ${nested} } } }`);
  const [charge] = data.charges.nodes;
  const lengths = ['orders', 'refunds', 'transfers', 'allocations'].map((name) => charge[name].length);
  expect(lengths).toEqual([2, 2, 2, 2]);
  expect(charge.notifications.length).toBeGreaterThan(0);
});

async function ask(query: string): Promise<{ data: Json }> {
  const { data, errors } = await app.ask(query);
  expect(errors).toBeUndefined();
  return { data };
}

/** How many statements PostgreSQL is sent meanwhile; nothing else runs in this process. */
async function counting<T extends object>(work: () => Promise<T>): Promise<T & { statements: number }> {
  const { query } = pg.Client.prototype;
  let statements = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    statements++;
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    const result = await work();
    return { ...result, statements };
  } finally {
    pg.Client.prototype.query = query;
  }
}
