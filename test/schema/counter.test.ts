import { describe, expect } from 'vitest';
import type { Mode, Prisma, UserRole } from '../../prisma/client/client.ts';
import { newId } from '../../src/kit/id.ts';
import { callApi } from '../setup/api.ts';
import { fakeTimeGraphqlTest as test } from '../setup/app-fixtures.ts';
import { payForm, seedCheckoutLink } from '../setup/checkout.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon } from '../setup/seed.ts';
import { type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { payCharge } from '../setup/transfers.ts';

const saleFields = `counterSale { id: sessionId status amount currency itemName checkoutUrl methodName
  offers { method customerAmount customerCurrency }
  payment { amount currency referencePlacement destination { qrCode accountName paymentReference } } }`;
const errorFields = '... on UserError { code message }';

const create = (user: SignedInUser, input: string) =>
  user.ask(`mutation { createCounterSale(input: { ${input} }) {
    ... on CreateCounterSaleSuccess { ${saleFields} } ${errorFields} } }`);

const pay = (user: SignedInUser, id: string, method: string) =>
  user.ask(`mutation { chooseCounterSaleMethod(input: { id: "${id}", method: ${method} }) {
    ... on ChooseCounterSaleMethodSuccess { ${saleFields} } ${errorFields} } }`);

const cancel = (user: SignedInUser, id: string) =>
  user.ask(`mutation { cancelCounterSale(input: { id: "${id}" }) {
    ... on CancelCounterSaleSuccess { ${saleFields} } ${errorFields} } }`);

const listSales = async (user: SignedInUser) =>
  (await user.ask('{ pointOfSale { sales { id: sessionId status amount itemName } } }')).data.pointOfSale
    .sales;

describe('a cashier', () => {
  test('sells an amount, and sees when the customer has paid', async ({ app, service }) => {
    const cashier = await signInAs('cashier', app, app.merchant);
    const { counterSale: sale } = (await create(cashier, 'amount: "86.40", currency: "HKD"')).data
      .createCounterSale;
    expect(sale).toMatchObject({ status: 'open', amount: '86.40', currency: 'HKD', itemName: null });
    expect(sale.checkoutUrl).toMatch(new RegExp(`/checkout\\?sessionId=${sale.id}$`));

    const customer = createPageVisitor(app.app);
    await customer.post(`/checkout?sessionId=${sale.id}`, payForm);
    expect(await listSales(cashier)).toMatchObject([{ id: sale.id, status: 'paying' }]);
    const charge = await service.prisma.charge.findFirstOrThrow({ where: { sessionId: sale.id } });
    await payCharge(service, app.merchant, charge, { now: noon });
    expect(await listSales(cashier)).toMatchObject([{ id: sale.id, status: 'paid' }]);
    expect((await cancel(cashier, sale.id)).data.cancelCounterSale.code).toBe('charge_not_pending');
  });

  test('shows the code of a payment scheme, and the customer pays without an email', async ({
    app,
    service,
    clock,
  }) => {
    const cashier = await signInAs('cashier', app, app.merchant);
    const { counterSale: sale } = (await create(cashier, 'amount: "86.40", currency: "HKD"')).data
      .createCounterSale;
    const offered = sale.offers.map(({ method }: { method: string }) => method);
    expect(offered).toEqual(expect.arrayContaining(['fps', 'paynow']));
    // An app cannot scan a bank transfer, and a camera opens the link of Toss.
    expect(offered).not.toContain('hk_bank_transfer');
    expect(offered).not.toContain('toss');
    expect(sale.payment).toBeNull();

    const { counterSale: byFps } = (await pay(cashier, sale.id, 'fps')).data.chooseCounterSaleMethod;
    expect(byFps).toMatchObject({ status: 'paying', methodName: 'FPS' });
    const { amount, currency, destination } = byFps.payment;
    expect([amount, currency]).toEqual(['86.40', 'HKD']);
    const { qrCode, paymentReference } = destination;
    expect(qrCode).toContain(paymentReference);
    expect((await pay(cashier, sale.id, 'fps')).data.chooseCounterSaleMethod.counterSale).toEqual(byFps);

    // Charges are ordered by time.
    clock.advance(1_000);
    // The customer names another scheme, and then scans the code of the page to choose one on the phone.
    const { counterSale: byPayNow } = (await pay(cashier, sale.id, 'paynow')).data.chooseCounterSaleMethod;
    expect(byPayNow.payment.currency).toBe('SGD');
    clock.advance(1_000);
    const customer = createPageVisitor(app.app);
    const url = `/checkout?sessionId=${sale.id}`;
    expect((await customer.get(`${url}&view=methods`)).status).toBe(200);
    await customer.post(url, { do: 'change', method: 'fps' });
    const charges = await service.prisma.charge.findMany({
      where: { sessionId: sale.id },
      orderBy: { id: 'asc' },
    });
    expect(charges.map(({ method, status, email }) => [method, status, email])).toEqual([
      ['fps', 'cancelled', null],
      ['paynow', 'cancelled', null],
      ['fps', 'pending', null],
    ]);
    const [first, second, charge] = charges;
    await service.prisma.merchant.update({
      where: { id: app.merchant.merchant.id },
      data: { emailReceipts: true },
    });
    await payCharge(service, app.merchant, charge!, { now: noon });
    const paid = (await listSales(cashier))[0];
    expect(paid).toMatchObject({ id: sale.id, status: 'paid' });
    expect((await pay(cashier, sale.id, 'paynow')).data.chooseCounterSaleMethod.code).toBe(
      'charge_not_pending',
    );
    expect(await service.prisma.message.count({ where: { kind: 'receipt' } })).toBe(0);
    const { json } = await callApi(app.app, {
      ...{ method: 'GET', url: `/charges/${charge!.id}`, keys: app.merchant.keys.live },
    });
    expect(json.customer).toEqual({ id: charge!.customerId });

    const audited = await service.prisma.auditEntry.findMany({
      where: { objectId: { in: [first!.id, second!.id, charge!.id] } },
      orderBy: { id: 'asc' },
    });
    expect(audited.map(({ action, objectId }) => [action, objectId])).toEqual([
      ['charge.created', first!.id],
      ['charge.cancelled', first!.id],
      ['charge.created', second!.id],
    ]);
  });

  test('starts a sale again after the payment window, but not the sale of a colleague', async ({
    app,
    service,
    clock,
  }) => {
    const cashier = await signInAs('cashier', app, app.merchant);
    const colleague = await signInAs('owner', app, app.merchant);
    const { id } = (await create(cashier, 'amount: "5", currency: "HKD"')).data.createCounterSale.counterSale;
    expect((await pay(colleague, id, 'fps')).data.chooseCounterSaleMethod.code).toBe('session_not_found');
    const first = (await pay(cashier, id, 'fps')).data.chooseCounterSaleMethod.counterSale;
    clock.set(minutesAfter(noon, 31));
    expect((await listSales(cashier))[0].status).toBe('expired');
    const { counterSale: again } = (await pay(cashier, id, 'fps')).data.chooseCounterSaleMethod;
    expect(again.status).toBe('paying');
    expect(again.payment.destination.paymentReference).not.toBe(first.payment.destination.paymentReference);
    expect((await cancel(cashier, id)).data.cancelCounterSale.counterSale).toMatchObject({
      status: 'cancelled',
      offers: [],
      payment: null,
    });
    await expectInvariants(service);
  });

  test('names the currency of the merchant’s own country first', async ({ app, service }) => {
    const { id } = app.merchant.merchant;
    await service.prisma.merchant.update({ where: { id }, data: { country: 'MY' } });
    const cashier = await signInAs('cashier', app, app.merchant);
    const { data } = await cashier.ask('{ pointOfSale { currencies } }');
    expect(data.pointOfSale.currencies.slice(0, 2)).toEqual(['MYR', 'HKD']);
    await service.prisma.merchant.update({ where: { id }, data: { country: '' } });
  });

  test('sells saved items, which are named links with a fixed amount', async ({ app, service, clock }) => {
    const seed = (input: object) => seedCheckoutLink(service, app.merchant, { now: noon, input });
    const tea = await seed({ name: 'Dragon Well', amount: 48 });
    await seed({ name: '', amount: 5 });
    await seed({ name: 'Reserved', amount: 5, usageLimit: 1 });
    await seed({ name: 'For Aida', amount: 5, customer: { email: 'aida@example.com' } });
    await seed({ name: 'Donation', amount: null, customAmount: {} });
    const offer = await seed({ name: 'Offer', amount: 7, expiresAt: minutesAfter(noon, 5) });
    const cashier = await signInAs('cashier', app, app.merchant);
    const listItems = async () =>
      (await cashier.ask('{ pointOfSale { items { id: checkoutLinkId name amount currency } } }')).data
        .pointOfSale.items;
    expect(await listItems()).toEqual([
      { id: tea.id, name: 'Dragon Well', amount: '48.00', currency: 'HKD' },
      { id: offer.id, name: 'Offer', amount: '7.00', currency: 'HKD' },
    ]);
    const { data } = await create(cashier, `itemId: "${tea.id}"`);
    expect(data.createCounterSale.counterSale).toMatchObject({ amount: '48.00', itemName: 'Dragon Well' });
    clock.set(minutesAfter(noon, 5));
    expect((await listItems()).map(({ name }: { name: string }) => name)).toEqual(['Dragon Well']);
    expect((await create(cashier, `itemId: "${offer.id}"`)).data.createCounterSale.code).toBe(
      'checkout_link_not_found',
    );
    expect((await create(cashier, 'currency: "HKD"')).data.createCounterSale.code).toBe('invalid_request');
  });

  test('cancels an open sale, and sees neither sales of others nor those of yesterday', async ({
    app,
    clock,
  }) => {
    const cashier = await signInAs('cashier', app, app.merchant);
    const colleague = await signInAs('owner', app, app.merchant);
    const sell = async () =>
      (await create(cashier, 'amount: "1", currency: "HKD"')).data.createCounterSale.counterSale.id;
    const first = await sell();
    expect(await listSales(colleague)).toEqual([]);
    expect((await cancel(colleague, first)).data.cancelCounterSale.code).toBe('session_not_found');
    expect((await cancel(cashier, first)).data.cancelCounterSale.counterSale.status).toBe('cancelled');
    expect((await cancel(cashier, first)).data.cancelCounterSale.code).toBe('session_cancelled');
    // The list is ordered by time.
    clock.advance(1_000);
    await sell();
    clock.set(minutesAfter(noon, 61));
    expect((await listSales(cashier)).map(({ status }: { status: string }) => status)).toEqual([
      'expired',
      'cancelled',
    ]);
  });

  test('sees a sale that can still be paid, after 50 newer ones', async ({ app, service, clock }) => {
    const cashier = await signInAs('cashier', app, app.merchant);
    const sell = async () => {
      // The list is ordered by time.
      clock.advance(1_000);
      return (await create(cashier, 'amount: "1", currency: "HKD"')).data.createCounterSale.counterSale.id;
    };
    const [open, paying, cancelled] = [await sell(), await sell(), await sell()];
    await pay(cashier, paying, 'fps');
    await cancel(cashier, cancelled);
    const row = await service.prisma.checkoutSession.findUniqueOrThrow({ where: { id: cancelled } });
    const newer = Array.from({ length: 50 }, (_, i) => {
      const createdAt = new Date(row.createdAt.getTime() + (i + 1) * 1_000);
      return { ...row, id: newId('session', createdAt), createdAt } as Prisma.CheckoutSessionCreateManyInput;
    });
    await service.prisma.checkoutSession.createMany({ data: newer });
    clock.set(minutesAfter(noon, 5));
    const sales = await listSales(cashier);
    expect(sales).toHaveLength(52);
    expect(sales.slice(-2)).toMatchObject([
      { id: paying, status: 'paying' },
      { id: open, status: 'open' },
    ]);
    clock.set(minutesAfter(noon, 61));
    expect(await listSales(cashier)).toHaveLength(50);
  });

  test('practises in the sandbox with a simulated payment of an own sale', async ({ app, service }) => {
    const cashier = await signInAs('cashier', app, app.merchant);
    const colleague = await signInAs('owner', app, app.merchant);
    const ask = async (user: SignedInUser, name: string, input: string, mode: Mode = 'sandbox') => {
      const success = `${name[0]!.toUpperCase()}${name.slice(1)}Success`;
      const text = `mutation { ${name}(input: { ${input} }) {
        ... on ${success} { counterSale { id: sessionId status } } ${errorFields} } }`;
      return (await user.ask(text, { mode })).data[name];
    };
    const { counterSale: sale } = await ask(cashier, 'createCounterSale', 'amount: "12", currency: "HKD"');
    const simulate = (user: SignedInUser, id = sale.id, mode?: Mode) =>
      ask(user, 'simulateCounterPayment', `id: "${id}"`, mode);
    expect((await simulate(cashier)).code).toBe('charge_not_pending');
    await ask(cashier, 'chooseCounterSaleMethod', `id: "${sale.id}", method: fps`);
    expect((await simulate(colleague)).code).toBe('session_not_found');
    expect((await simulate(cashier)).counterSale).toEqual({ id: sale.id, status: 'paid' });
    expect((await simulate(cashier)).code).toBe('charge_not_pending');
    const charge = await service.prisma.charge.findFirstOrThrow({ where: { sessionId: sale.id } });
    const entries = await service.prisma.auditEntry.findMany({ where: { objectId: charge.id } });
    expect(entries.map(({ action }) => action)).toEqual(['charge.created', 'transfer.simulated']);

    const { counterSale: live } = (await create(cashier, 'amount: "12", currency: "HKD"')).data
      .createCounterSale;
    await pay(cashier, live.id, 'fps');
    expect((await simulate(cashier, live.id, 'live')).code).toBe('sandbox_only');
  });

  test('can do nothing else', async ({ app }) => {
    const cashier = await signInAs('cashier', app, app.merchant);
    for (const query of [
      '{ me { id } }',
      '{ charges { nodes { id } } }',
      '{ sessions { nodes { id } } }',
      '{ checkoutLinks { nodes { id } } }',
      '{ customers { nodes { id } } }',
      '{ users { nodes { id } } }',
      `{ node(id: "${app.merchant.merchant.id}") { id } }`,
      '{ viewer { merchant { underpaymentTolerance } } }',
    ]) {
      const { errors } = await cashier.ask(query);
      expect([query, errors?.[0]?.extensions?.code]).toEqual([query, 'permission_denied']);
    }
    const write =
      'mutation { createSession(input: { amount: "1", currency: "HKD" }) { ... on UserError { code } } }';
    expect((await cashier.ask(write)).data.createSession.code).toBe('permission_denied');
    const { data } = await cashier.ask('{ viewer { permissions merchant { name } } }');
    expect(data.viewer).toEqual({ permissions: ['sell'], merchant: { name: app.merchant.merchant.name } });
  });
});

test.for<[UserRole, boolean]>([
  ['owner', true],
  ['developer', true],
  ['support', true],
  ['accountant', false],
  ['read_only', false],
])('the counter is open to the role %s: %s', async ([role, isOpen], { app }) => {
  const user = await signInAs(role, app, app.merchant);
  const { data, errors } = await user.ask('{ pointOfSale { currencies } }');
  expect(errors?.[0]?.extensions?.code).toBe(isOpen ? undefined : 'permission_denied');
  if (isOpen) expect(data.pointOfSale.currencies).toContain('HKD');
});

test('API keys have no point of sale', async ({ app }) => {
  const { errors } = await app.ask('{ pointOfSale { currencies } }');
  expect(errors?.[0]?.extensions?.code).toBe('permission_denied');
});
