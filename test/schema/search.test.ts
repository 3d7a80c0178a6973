import { expect } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { eraseCustomer } from '../../src/domain/operations/customer-data/erase-customer.ts';
import { exportCustomer } from '../../src/domain/operations/customer-data/export-customer.ts';
import { buildSearchQuery } from '../../src/domain/operations/search/search-query.ts';
import { chargeCheckoutLink } from '../../src/domain/payments/checkout-link/charge-checkout-link.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { fakeTimeGraphqlTest } from '../setup/app-fixtures.ts';
import { seedCheckoutLink } from '../setup/checkout.ts';
import type { GraphqlApp, Json } from '../setup/graphql.ts';
import { noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { seedSubscription } from '../setup/subscriptions.ts';
import { payCharge, recordOne, transferInput } from '../setup/transfers.ts';

const test = fakeTimeGraphqlTest.extend('found', { scope: 'file' }, async ({ app, service }) => {
  const { merchant } = app;
  const charge = await seedCharge(service, merchant, {
    input: {
      email: 'Mei.Lin+shop@example.com',
      orders: [{ id: 'order-4710', name: 'Egg tarts' }],
      notifyPayload: Buffer.from('cart-8812').toString('base64'),
    },
  });
  await nameCustomer(service, charge, { firstName: 'Hoa', lastName: 'Nguyễn' });
  await payCharge(service, merchant, charge, { now: noon });
  const { refund } = await createRefund(service, {
    merchantId: merchant.merchant.id,
    mode: 'live',
    actor: 'key:test',
    input: { chargeId: charge.id, customerAmount: 28.5 },
    now: noon,
  });
  const input = transferInput({
    reference: 'INTEREST CREDIT',
    bankReference: 'BANK/77-A',
    money: { minor: 128_050n, currency: 'HKD' },
    payerName: '陳小明',
  });
  await recordOne(service, merchant, { receivingAccountId: charge.receivingAccountId, input });
  const unmatched = await service.prisma.transfer.findFirstOrThrow({ where: { bankReference: 'BANK/77-A' } });
  const { subscription } = await seedSubscription(service, merchant, { email: 'sub@example.com' });
  const invoice = await service.prisma.invoice.findFirst({ where: { subscriptionId: subscription.id } });
  return { charge, refund, unmatched, subscription, invoice };
});

/** Sets the names, which only checkout pages ask for. */
async function nameCustomer(
  service: Service,
  charge: Charge,
  names: { firstName: string; lastName?: string },
): Promise<void> {
  await service.prisma.charge.update({ where: { id: charge.id }, data: names });
  await service.prisma.customer.update({ where: { id: charge.customerId }, data: names });
}

const query = `query ($text: String!, $types: [SearchedType!]) { search(text: $text, types: $types) {
  charges { id } refunds { id } transfers { id } customers { id } subscriptions { id } invoices { id } } }`;

async function find(app: GraphqlApp, text: string, as?: object): Promise<string[]> {
  const { data, errors } = await app.ask(query, { variables: { text }, ...as });
  expect(errors).toBeUndefined();
  return Object.values(data.search as Json).flatMap((rows) => (rows as { id: string }[]).map(({ id }) => id));
}

test.for([
  'hoa',
  'nguyen',
  'NGUYỄN hoa',
  'mei',
  'lin',
  'shop@exam',
  'mei.lin+shop@example.com',
  '128.50',
  'HKD128.5',
  'hoa 128.50',
  'order-4710',
  '4710',
  '#4710',
  'egg tart',
  'cart-88',
  '8812',
])('search finds a charge by %s', async (text, { app, found }) => {
  expect(await find(app, text)).toContain(found.charge.id);
});

test('search finds a charge by its payment reference, also in groups, and by its ID', async ({
  app,
  found,
}) => {
  const { id, paymentReference } = found.charge;
  for (const text of [
    paymentReference,
    paymentReference.toLowerCase(),
    `${paymentReference.slice(0, 4)} ${paymentReference.slice(4)}`,
    id,
  ])
    expect(await find(app, text)).toContain(id);
});

test('search finds a charge by the name of its checkout link', async ({ app, service }) => {
  const link = await seedCheckoutLink(service, app.merchant, { now: noon, input: { name: 'Order 1023' } });
  const charge = await chargeCheckoutLink(service, {
    merchant: app.merchant.merchant,
    link,
    method: 'fps',
    customer: { email: 'aida@example.com' },
    visitor: { ipAddress: '192.0.2.1' },
    now: noon,
  });
  for (const text of ['1023', 'order 1023', 'aida 1023']) expect(await find(app, text)).toEqual([charge.id]);
});

test.for(['interest', 'bank/77', '77-a', '1,280.50', '陳小明', '陳'])(
  'search finds a transfer by %s',
  async (text, { app, found }) => {
    expect(await find(app, text)).toEqual([found.unmatched.id]);
  },
);

test('search finds amounts as the dashboard shows them in every language', async ({ app, service }) => {
  const merchant = await seedMerchant(service);
  const charge = await seedCharge(service, merchant, { input: { email: 'siti@example.com' } });
  const amounts: [string, bigint, string[]][] = [
    ['IDR', 12_850_000n, ['Rp 128.500', '128.500 Rp', 'Rp128.500', 'Rp 128,500', 'siti 128.500,00']],
    ['VND', 1_280_500n, ['₫1.280.500', '1.280.500 ₫', '1.280.500', 'VND 1,280,500']],
    ['HKD', 128_050n, ['HK$1.280,50', '1.280,50 HK$', 'HK$1,280.50', '1280,5']],
  ];
  for (const [currency, amount, texts] of amounts) {
    const customer = { customerCurrency: currency, customerAmount: amount };
    const money = { ...customer, merchantCurrency: currency, merchantAmount: amount };
    // Only a change of the indexed details writes the entry again.
    const data = { ...money, email: `siti@${currency}.example` };
    await service.prisma.charge.update({ where: { id: charge.id }, data });
    for (const text of texts)
      expect(await find(app, text, { as: merchant.keys.live }), text).toContain(charge.id);
    expect(await find(app, '128.50', { as: merchant.keys.live })).toEqual([]);
  }
});

test('search finds refunds, customers and subscriptions of a person, and a refund by its reference', async ({
  app,
  found,
}) => {
  const { charge, refund, subscription } = found;
  expect(await find(app, 'hoa')).toEqual([charge.id, refund.id, charge.customerId]);
  expect(await find(app, refund.payoutReference)).toEqual([refund.id]);
  expect(await find(app, 'sub@')).toEqual(expect.arrayContaining([subscription.id, subscription.customerId]));
});

test.for(['oa', 'h', '128.5 hoax', '28.51', "' & '", '\\', '""'])(
  'search finds nothing for %s',
  async (text, { app, found }) => {
    expect(await find(app, text)).not.toContain(found.charge.id);
  },
);

test('search finds nothing of another merchant or mode', async ({ app, found }) => {
  for (const as of [app.otherMerchant.keys.live, app.merchant.keys.sandbox])
    expect(await find(app, found.charge.id, { as })).toEqual([]);
  for (const as of [app.otherMerchant.keys.live, app.merchant.keys.sandbox])
    expect(await find(app, 'hoa', { as })).toEqual([]);
});

test('search finds charges and customers by the words of their notes, until they are erased', async ({
  app,
  service,
}) => {
  const merchant = await seedMerchant(service);
  const [as, now] = [merchant.keys.live, noon];
  const charge = await seedCharge(service, merchant, { input: { email: 'noted@example.com' } });
  const note = `No nuts! ${'x'.repeat(600)} Allergic`;
  const document = `mutation ($charge: ID!, $customer: ID!, $note: String) {
    updateChargeNote(input: { id: $charge, note: $note }) { ... on UpdateChargeNoteSuccess { charge { note } } }
    updateCustomerNote(input: { id: $customer, note: $note }) { ... on UpdateCustomerNoteSuccess { customer { note } } } }`;
  const variables = { charge: charge.id, customer: charge.customerId };
  const write = (text: string | null) => app.ask(document, { variables: { ...variables, note: text }, as });
  expect((await write(note)).data).toMatchObject({
    updateChargeNote: { charge: { note } },
    updateCustomerNote: { customer: { note } },
  });
  expect(await find(app, 'nuts', { as })).toEqual([charge.id, charge.customerId]);
  expect(await find(app, 'allergic', { as })).toEqual([charge.id, charge.customerId]);
  await write(null);
  expect(await find(app, 'nuts', { as })).toEqual([]);
  await write(note);
  const exported = await exportCustomer(service, { id: charge.customerId });
  expect(exported).toMatchObject({ customer: { note }, charges: [{ note }] });
  await eraseCustomer(service, { id: charge.customerId, now });
  expect(await find(app, 'nuts', { as })).toEqual([]);
  expect(await service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } })).toMatchObject({
    note: null,
  });
});

test('search finds nothing by the data of a customer who was erased', async ({ app, service }) => {
  const merchant = await seedMerchant(service);
  const charge = await seedCharge(service, merchant, {
    input: { email: 'gone@example.com' },
  });
  await nameCustomer(service, charge, { firstName: 'Gone' });
  const as = merchant.keys.live;
  expect(await find(app, 'gone', { as })).toEqual([charge.id, charge.customerId]);
  await eraseCustomer(service, { id: charge.customerId, now: noon });
  expect(await find(app, 'gone', { as })).toEqual([]);
  expect(await find(app, '128.50', { as })).toEqual([charge.id]);
});

test('search finds a common word among the newest objects', async ({ app, service }) => {
  const merchant = await seedMerchant(service);
  const charge = await seedCharge(service, merchant, { input: { email: 'ada@common.example' } });
  const copy = `INSERT INTO charge SELECT (jsonb_populate_record(c, jsonb_build_object('id', c.id || lpad(n::text, 5, '0'),
    'payment_reference', 'COPY' || n))).* FROM charge c, generate_series(1, 2100) n WHERE id = $1`;
  await service.pool.query(copy, [charge.id]);
  const ids = await find(app, 'common', { as: merchant.keys.live });
  expect(ids.slice(0, 5)).toEqual([2100, 2099, 2098, 2097, 2096].map((n) => `${charge.id}0${n}`));
});

test('words are folded as in the database', async ({ service }) => {
  const scope = { merchantId: 'mer_1', mode: 'live' } as const;
  for (const text of [
    'Éclair',
    'ĐÀO',
    'Ｆｕｌｌ',
    '한국',
    'ไทย',
    'Straße',
    'o’Brien',
    "O'Brien-Smith",
    'ÀÉ@x.co',
    'a_b{c}|d~',
  ]) {
    const { rows } = await service.pool.query(
      `SELECT to_search_words(left(encode(sha256('mer_1livech'::bytea), 'hex'), 6), ARRAY[$1], '{}') @@ $2::tsquery AS found`,
      [text, buildSearchQuery(scope, 'charge', text)],
    );
    expect(rows[0].found, text).toBe(true);
  }
});
