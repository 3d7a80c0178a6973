import { expect, onTestFinished } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import {
  type CreateSubscriptionLinkInput,
  createSubscriptionLink,
} from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { getEnrolmentUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { updateSubscriptionPlan } from '../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { appTest } from '../setup/app-fixtures.ts';
import { concurrently } from '../setup/concurrently.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { createPageVisitor, type InjectedBrowser } from '../setup/page-visitor.ts';
import { retireAccounts } from '../setup/receiving-accounts.ts';
import { day, seedMerchant } from '../setup/seed.ts';
import { setPublicUrl, withMessageServers } from '../setup/service.ts';
import { readSubscription, seedPlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

const start = day('2026-01-31');
const test = appTest
  .extend('service', { scope: 'file' }, ({ app }) => withMessageServers(app.context.service))
  .extend('clock', ({ fileClock }) => {
    fileClock.set(start);
    return fileClock;
  });

const free = { initialPayment: { amount: 0, period: 'days', count: 14 } };

async function seedLink(
  service: Service,
  merchant: NewMerchant,
  input: NonNullable<Parameters<typeof seedPlan>[2]>['input'] = {},
  more: Partial<CreateSubscriptionLinkInput> = {},
  shop = merchant,
) {
  const plan = await seedPlan(service, shop, { input, now: start });
  const link = await createSubscriptionLink(service, {
    ...{ merchant: shop.merchant, mode: plan.mode, now: start },
    input: { subscriptionPlanId: plan.id, ...more },
  });
  return { plan, link, path: toPath(getEnrolmentUrl(service, link)) };
}

/** Opens the page and submits its form, `presses` times concurrently. */
async function enrol(visitor: InjectedBrowser, path: string, form: Record<string, string>, presses = 1) {
  const { text } = await visitor.get(path);
  const [, token = ''] = /name="formToken" value="([\w-]+)"/.exec(text) ?? [];
  const sent = Array.from({ length: presses }, () => visitor.post(path, { ...form, formToken: token }));
  const [first] = await Promise.all(sent);
  return first!;
}

/** The subscriptions of a link, each with its charges. */
async function listSubscriptions(service: Service, linkId: string) {
  const include = { charges: { orderBy: { id: 'asc' } } } as const;
  return service.prisma.subscription.findMany({ where: { linkId }, include, orderBy: { id: 'asc' } });
}

const toStates = (charges: Charge[]) => charges.map(({ method, status }) => `${method} ${status}`).sort();

test('the page displays what is paid now, next, how often and until when', async ({
  app,
  service,
  merchant,
}) => {
  const { path } = await seedLink(service, merchant, {
    numPayments: 12,
    initialPayment: { amount: 20, period: 'days', count: 14 },
  });
  const { status, main } = await createPageVisitor(app.app).get(path);
  expect(status).toBe(200);
  expect(main).toContain('HK$20.00 due today.');
  expect(main).toContain('Next payment of HK$100.00 due on 14 February 2026 .');
  expect(main).toContain('After that, HK$100.00 every month.');
  expect(main).toContain('Ends automatically after 12 payments.');
});

test('the page displays no payment and no invoice beyond the last one', async ({
  app,
  service,
  merchant,
}) => {
  const readTerms = async (input: Parameters<typeof seedLink>[2]) => {
    const { main } = await createPageVisitor(app.app).get((await seedLink(service, merchant, input)).path);
    return main.slice(main.search(/\S+( HKD)? due today/), main.indexOf('Choose how to pay')).trim();
  };
  const next = 'due on 28 February 2026 . Ends automatically after';
  const invoices = 'You’ll get an invoice each time; nothing is charged automatically.';
  expect(await readTerms({ numPayments: 1 })).toBe(
    'HK$100.00 due today. Ends automatically after one payment.',
  );
  expect(await readTerms({ numPayments: 2 })).toBe(
    `HK$100.00 due today. Next payment of HK$100.00 ${next} 2 payments. ${invoices}`,
  );
  expect(await readTerms({ numPayments: 1, ...free })).toBe(
    `Nothing due today. Next payment of HK$100.00 ${next.replace('28', '14')} one payment. ${invoices}`,
  );
  expect(await readTerms({ numPayments: 2, ...free })).toContain('After that, HK$100.00 every month.');
  const hasInvoiceHint = async (numPayments: number) => {
    const { path } = await seedLink(service, merchant, { numPayments, sendEmail: true });
    return (await createPageVisitor(app.app).get(path)).main.includes(
      'We’ll send your invoices to this address.',
    );
  };
  expect([await hasInvoiceHint(1), await hasInvoiceHint(2)]).toEqual([false, true]);
});

test('submitting the form enrols and redirects to the first charge, once when pressed twice', async ({
  app,
  service,
  merchant,
}) => {
  const existing = { email: 'gift@example.com', first_name: 'Ada', last_name: 'Wong' };
  const phone = { code: '+852', phone: '51234567' };
  const names = { firstName: 'Ada', lastName: 'Wong' };
  const { path, link } = await seedLink(service, merchant, {}, { customer: { ...existing, phone } });
  const customer = createPageVisitor(app.app);
  const { status, location } = await enrol(
    customer,
    path,
    { method: 'fps', ...names, email: 'ada@example.com', phone: '+852 5123 4567' },
    2,
  );
  expect(status).toBe(303);
  const [subscription, another] = await listSubscriptions(service, link.id);
  const details = { email: 'ada@example.com', phone: '+85251234567', firstName: 'Ada', lastName: 'Wong' };
  expect(subscription).toMatchObject({
    ...{ status: 'inactive', language: 'en', ...details },
    charges: [details],
  });
  expect([another, subscription!.charges.length]).toEqual([undefined, 1]);
  expect((await customer.get(location)).main).toContain('Pay with FPS');
});

test('a customer who returns and chooses another method keeps the subscription', async ({
  app,
  service,
  merchant,
}) => {
  const { path, link } = await seedLink(service, merchant);
  const customer = createPageVisitor(app.app);
  await enrol(customer, path, { method: 'fps', email: 'back@example.com' });
  const { location } = await enrol(customer, path, { method: 'hk-bank-transfer', email: 'back@example.com' });
  expect((await customer.get(location)).main).toContain('back@example.com');
  const subscriptions = await listSubscriptions(service, link.id);
  expect(subscriptions.map(({ charges }) => toStates(charges))).toEqual([
    ['fps cancelled', 'hk-bank-transfer pending'],
  ]);
});

test('after a part payment, another method redirects to the charge that has it', async ({
  app,
  service,
  merchant,
}) => {
  const { path, link } = await seedLink(service, merchant);
  const customer = createPageVisitor(app.app);
  const first = await enrol(customer, path, { method: 'fps', email: 'part@example.com' });
  const [subscription] = await listSubscriptions(service, link.id);
  await payCharge(service, merchant, subscription!.charges[0]!, { minor: 5_000n, now: start });
  const repeated = await enrol(customer, path, { method: 'hk-bank-transfer', email: 'part@example.com' });
  expect([repeated.status, repeated.location]).toEqual([303, first.location]);
  expect((await customer.get(repeated.location)).main).toContain('Still to pay');
});

test('a free start redirects to the active subscription, also when pressed twice', async ({
  app,
  service,
  merchant,
}) => {
  const { path, link } = await seedLink(service, merchant, free);
  const customer = createPageVisitor(app.app);
  expect((await customer.get(path)).main).toContain('Nothing due today.');
  const form = { method: 'fps', email: 'free@example.com' };
  const { location } = await enrol(customer, path, form, 2);
  expect(location).toMatch(/^\/pay\/subscription\//);
  const { main } = await customer.get(location);
  expect(main).toContain('Active. The next payment is due on 14 February 2026 .');
  expect((await enrol(customer, path, form)).location).toBe(location);
  expect((await listSubscriptions(service, link.id)).length).toBe(1);
});

test.for(['fps', 'hk-bank-transfer'])(
  'a known email gives no access to the enrolment of its owner, by %s',
  async (method, { app, service, merchant }) => {
    const email = `mei+${method}@example.com`;
    const { path, link } = await seedLink(service, merchant);
    const [owner, stranger] = [createPageVisitor(app.app), createPageVisitor(app.app)];
    const ownEnrolment = await enrol(owner, path, { method: 'fps', email });
    const other = await enrol(stranger, path, { method, email });
    expect(other.location).not.toBe(ownEnrolment.location);
    await stranger.post(other.location, { do: 'cancel' });
    const enrolled = await listSubscriptions(service, link.id);
    const first = enrolled.find(({ charges: [charge] }) => ownEnrolment.location.includes(charge!.id));
    const second = enrolled.find((id) => id !== first);
    expect([toStates(first!.charges), toStates(second!.charges)]).toEqual([
      ['fps pending'],
      [`${method} cancelled`],
    ]);
    await payCharge(service, merchant, first!.charges[0]!, { now: start });
    expect(await readSubscription(service, first!.id)).toMatchObject({ status: 'active' });
    const { text } = await owner.get(ownEnrolment.location);
    expect(text).toContain(`/pay/subscription/${first!.id}.`);
  },
);

test.for([{}, free])(
  'an earlier enrolment with the same email has no access to a later one: %o',
  async (terms, { app, service, merchant }) => {
    const { path, link } = await seedLink(service, merchant, terms);
    const [stranger, owner] = [createPageVisitor(app.app), createPageVisitor(app.app)];
    const form = { method: 'fps', email: 'late@example.com' };
    const [before, ownEnrolment] = [await enrol(stranger, path, form), await enrol(owner, path, form)];
    expect(ownEnrolment.location).not.toBe(before.location);
    expect((await listSubscriptions(service, link.id)).length).toBe(2);
    expect((await owner.get(ownEnrolment.location)).status).toBe(200);
  },
);

test.for(['%00.x', 'sub_1.x', '%E0%A4%A', ''])(
  'the invented cookie %j gives no access',
  async (cookie, { app, service, merchant }) => {
    const { path, link } = await seedLink(service, merchant);
    const form = { method: 'fps', email: 'made@example.com' };
    const headers = { 'sec-fetch-site': 'same-origin', cookie: `causeway_enrolled=${cookie}` };
    for (let i = 0; i < 2; i++)
      expect(
        (await createPageVisitor(app.app).post(path, { ...form, formToken: 'short' }, headers)).status,
      ).toBe(303);
    expect((await listSubscriptions(service, link.id)).length).toBe(2);
  },
);

test.for([
  [
    'http://127.0.0.1:4000',
    /^causeway_enrolled=sub_[\w.-]{70}; .*Path=\/pay\/enrol; HttpOnly; SameSite=Lax$/,
  ],
  [
    'https://pay.example',
    /^__Host-causeway_enrolled=sub_[\w.-]{70}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  ],
] as const)(
  'at %s the enrolment is in a cookie that other sites cannot read or set',
  async ([url, cookie], { app, service, merchant }) => {
    setPublicUrl(onTestFinished, service, url);
    const { path } = await seedLink(service, merchant, free);
    const { headers } = await enrol(createPageVisitor(app.app), path, {
      method: 'fps',
      email: 'kept@example.com',
    });
    expect(String(headers['set-cookie'])).toMatch(cookie);
  },
);

test('an invalid form displays its errors, and nothing is created', async ({ app, service, merchant }) => {
  const { path, link } = await seedLink(service, merchant);
  const { status, main } = await enrol(createPageVisitor(app.app), path, { method: 'fps', email: 'ada' });
  expect(status).toBe(400);
  expect(main).toContain('Enter a full email address');
  expect(await listSubscriptions(service, link.id)).toEqual([]);
});

test('an inactive plan returns 409 with a link back, and tokens of other pages return 404', async ({
  app,
  service,
  merchant,
}) => {
  const { path, plan, link } = await seedLink(
    service,
    merchant,
    {},
    { redirectUrl: 'https://shop.example/back' },
  );
  const customer = createPageVisitor(app.app);
  await customer.get(path);
  await updateSubscriptionPlan(service, {
    ...{ merchant: merchant.merchant, mode: plan.mode, id: plan.id, now: start },
    input: { status: 'inactive' },
  });
  for (const closed of [
    await customer.get(path),
    await customer.post(path, { method: 'fps', email: 'a@example.com' }),
  ]) {
    expect([closed.status, closed.main.includes('is closed to new subscribers')]).toEqual([409, true]);
    expect(closed.text).toContain('href="https://shop.example/back"');
  }
  expect((await customer.get(path.replace('enrol', 'subscription'))).status).toBe(404);
  expect((await customer.get(`/pay/enrol/${link.id}.x`)).status).toBe(404);
});

test('a plan without an active account returns 422 with a link back to the shop', async ({
  app,
  service,
  merchant,
}) => {
  const shop = await seedMerchant(service, {}, start);
  const { path } = await seedLink(service, merchant, {}, { redirectUrl: 'https://shop.example/back' }, shop);
  await retireAccounts(service, { merchantId: shop.merchant.id, mode: 'live' }, start);
  const { status, text } = await createPageVisitor(app.app).get(path);
  expect([status, text.includes('href="https://shop.example/back"')]).toEqual([422, true]);
});

test('a plan that is deactivated during the request returns 409', async ({ app, service, merchant }) => {
  const { path, plan, link } = await seedLink(service, merchant);
  const [sent] = await concurrently(
    service,
    ({ tx }) => tx.subscriptionPlan.update({ where: { id: plan.id }, data: { status: 'inactive' } }),
    () => createPageVisitor(app.app).post(path, { method: 'fps', email: 'close@example.com' }),
  );
  expect(sent).toMatchObject({ status: 409, main: expect.stringContaining('is closed to new subscribers') });
  expect(await listSubscriptions(service, link.id)).toEqual([]);
});

test('the enrolments keep the invariants of the database', async ({ service }) => {
  await expectInvariants(service);
});
