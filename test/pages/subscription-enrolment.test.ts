import { expect, onTestFinished, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import {
  type CreateSubscriptionLinkInput,
  createSubscriptionLink,
} from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { enrolmentUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { updateSubscriptionPlan } from '../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { concurrently } from '../setup/concurrently.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { createPageVisitor, type PageVisitor } from '../setup/page-visitor.ts';
import { retireAccounts } from '../setup/receiving-accounts.ts';
import { day, seedMerchant } from '../setup/seed.ts';
import { setPublicUrl } from '../setup/service.ts';
import { readSubscription, seedPlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

const start = day('2026-01-31');
const { app, context } = await setupApp(onCleanup, { clock: createFakeClock(start) });
const { service } = context;
const merchant = await seedMerchant(service, {}, start);
const free = { initialPayment: { amount: 0, period: 'days', count: 14 } };

async function makeLink(
  input: NonNullable<Parameters<typeof seedPlan>[2]>['input'] = {},
  more: Partial<CreateSubscriptionLinkInput> = {},
  shop = merchant,
) {
  const plan = await seedPlan(service, shop, { input, now: start });
  const link = await createSubscriptionLink(service, {
    ...{ merchant: shop.merchant, mode: plan.mode, now: start },
    input: { subscriptionPlanId: plan.id, ...more },
  });
  return { plan, link, path: toPath(enrolmentUrl(service, link)) };
}

/** Opens the page and sends its form, as often as it is pressed. */
async function enrol(visitor: PageVisitor, path: string, form: Record<string, string>, presses = 1) {
  const { text } = await visitor.get(path);
  const [, token = ''] = /name="form" value="([\w-]+)"/.exec(text) ?? [];
  const sent = Array.from({ length: presses }, () => visitor.post(path, { ...form, form: token }));
  const [first] = await Promise.all(sent);
  return first!;
}

/** The subscriptions of a link, each with its charges. */
async function enrolledBy(linkId: string) {
  const include = { charges: { orderBy: { id: 'asc' } } } as const;
  return service.prisma.subscription.findMany({ where: { linkId }, include, orderBy: { id: 'asc' } });
}

const told = (charges: Charge[]) => charges.map(({ method, status }) => `${method} ${status}`).sort();

test('the page says in plain words what is paid now, next, how often and until when', async () => {
  const { path } = await makeLink({
    numPayments: 12,
    initialPayment: { amount: 20, period: 'days', count: 14 },
  });
  const { status, main } = await createPageVisitor(app).get(path);
  expect(status).toBe(200);
  expect(main).toContain('$20.00 HKD due today.');
  expect(main).toContain('Next payment of $100.00 HKD due on February 14, 2026 .');
  expect(main).toContain('After that, $100.00 HKD every month.');
  expect(main).toContain('Ends automatically after 12 payments.');
});

test('it promises no payment and no invoice beyond the last one', async () => {
  const termsOf = async (input: Parameters<typeof makeLink>[0]) => {
    const { main } = await createPageVisitor(app).get((await makeLink(input)).path);
    return main.slice(main.search(/\S+( HKD)? due today/), main.indexOf('Choose how to pay')).trim();
  };
  const next = 'due on February 28, 2026 . Ends automatically after';
  const invoices = 'You’ll get an invoice each time; nothing is charged automatically.';
  expect(await termsOf({ numPayments: 1 })).toBe(
    '$100.00 HKD due today. Ends automatically after one payment.',
  );
  expect(await termsOf({ numPayments: 2 })).toBe(
    `$100.00 HKD due today. Next payment of $100.00 HKD ${next} 2 payments. ${invoices}`,
  );
  expect(await termsOf({ numPayments: 1, ...free })).toBe(
    `Nothing due today. Next payment of $100.00 HKD ${next.replace('28', '14')} one payment. ${invoices}`,
  );
  expect(await termsOf({ numPayments: 2, ...free })).toContain('After that, $100.00 HKD every month.');
  const hints = async (numPayments: number) => {
    const { path } = await makeLink({ numPayments, sendEmail: true });
    return (await createPageVisitor(app).get(path)).main.includes(
      'We’ll send your invoices to this address.',
    );
  };
  expect([await hints(1), await hints(2)]).toEqual([false, true]);
});

test('Pay enrols, and leads to the page of the first charge; pressed twice, once', async () => {
  const known = { email: 'gift@example.com', first_name: 'Ada', last_name: 'Wong' };
  const phone = { code: '+852', phone: '51234567' };
  const names = { firstName: 'Ada', lastName: 'Wong' };
  const { path, link } = await makeLink({}, { customer: { ...known, phone } });
  const customer = createPageVisitor(app);
  const { status, location } = await enrol(
    customer,
    path,
    { method: 'fps', ...names, email: 'ada@example.com', phone: '+852 5123 4567' },
    2,
  );
  expect(status).toBe(303);
  const [subscription, another] = await enrolledBy(link.id);
  const customerOf = { email: 'ada@example.com', phone: '+85251234567', firstName: 'Ada', lastName: 'Wong' };
  expect(subscription).toMatchObject({
    ...{ status: 'inactive', language: 'en', ...customerOf },
    charges: [customerOf],
  });
  expect([another, subscription!.charges.length]).toEqual([undefined, 1]);
  expect((await customer.get(location)).main).toContain('Pay with FPS');
});

test('who comes back to choose another way to pay keeps the subscription', async () => {
  const { path, link } = await makeLink();
  const customer = createPageVisitor(app);
  await enrol(customer, path, { method: 'fps', email: 'back@example.com' });
  const { location } = await enrol(customer, path, { method: 'hk-bank-transfer', email: 'back@example.com' });
  expect((await customer.get(location)).main).toContain('back@example.com');
  const subscriptions = await enrolledBy(link.id);
  expect(subscriptions.map(({ charges }) => told(charges))).toEqual([
    ['fps cancelled', 'hk-bank-transfer pending'],
  ]);
});

test('with a part paid, another way to pay leads on to the charge that has it', async () => {
  const { path, link } = await makeLink();
  const customer = createPageVisitor(app);
  const first = await enrol(customer, path, { method: 'fps', email: 'part@example.com' });
  const [subscription] = await enrolledBy(link.id);
  await payCharge(service, merchant, subscription!.charges[0]!, { minor: 5_000n, now: start });
  const again = await enrol(customer, path, { method: 'hk-bank-transfer', email: 'part@example.com' });
  expect([again.status, again.location]).toEqual([303, first.location]);
  expect((await customer.get(again.location)).main).toContain('Still to pay');
});

test('a free start leads to the page of the subscription, which is active, also pressed twice', async () => {
  const { path, link } = await makeLink(free);
  const customer = createPageVisitor(app);
  expect((await customer.get(path)).main).toContain('Nothing due today.');
  const form = { method: 'fps', email: 'free@example.com' };
  const { location } = await enrol(customer, path, form, 2);
  expect(location).toMatch(/^\/pay\/subscription\//);
  const { main } = await customer.get(location);
  expect(main).toContain('Active. The next payment is due on February 14, 2026 .');
  expect((await enrol(customer, path, form)).location).toBe(location);
  expect((await enrolledBy(link.id)).length).toBe(1);
});

test.each(['fps', 'hk-bank-transfer'])(
  'an address gives nobody a hold on what its owner has begun: by %s',
  async (method) => {
    const email = `mei+${method}@example.com`;
    const { path, link } = await makeLink();
    const [owner, stranger] = [createPageVisitor(app), createPageVisitor(app)];
    const own = await enrol(owner, path, { method: 'fps', email });
    const other = await enrol(stranger, path, { method, email });
    expect(other.location).not.toBe(own.location);
    await stranger.post(other.location, { do: 'cancel' });
    const enrolled = await enrolledBy(link.id);
    const first = enrolled.find(({ charges: [charge] }) => own.location.includes(charge!.id));
    const second = enrolled.find((one) => one !== first);
    expect([told(first!.charges), told(second!.charges)]).toEqual([['fps pending'], [`${method} cancelled`]]);
    await payCharge(service, merchant, first!.charges[0]!, { now: start });
    expect(await readSubscription(service, first!.id)).toMatchObject({ status: 'active' });
    const { text } = await owner.get(own.location);
    expect(text).toContain(`/pay/subscription/${first!.id}.`);
  },
);

test.each([{}, free])(
  'who gave the address first has no hold on what its owner begins: %o',
  async (terms) => {
    const { path, link } = await makeLink(terms);
    const [stranger, owner] = [createPageVisitor(app), createPageVisitor(app)];
    const form = { method: 'fps', email: 'late@example.com' };
    const [before, own] = [await enrol(stranger, path, form), await enrol(owner, path, form)];
    expect(own.location).not.toBe(before.location);
    expect((await enrolledBy(link.id)).length).toBe(2);
    expect((await owner.get(own.location)).status).toBe(200);
  },
);

test.each(['%00.x', 'sub_1.x', '%E0%A4%A', ''])('a cookie made up, %j, holds nothing', async (kept) => {
  const { path, link } = await makeLink();
  const form = { method: 'fps', email: 'made@example.com' };
  const headers = { 'sec-fetch-site': 'same-origin', cookie: `causeway_enrolled=${kept}` };
  for (let i = 0; i < 2; i++)
    expect((await createPageVisitor(app).post(path, { ...form, form: 'short' }, headers)).status).toBe(303);
  expect((await enrolledBy(link.id)).length).toBe(2);
});

test.each([
  [
    'http://127.0.0.1:4000',
    /^causeway_enrolled=sub_[\w.-]{70}; .*Path=\/pay\/enrol; HttpOnly; SameSite=Lax$/,
  ],
  [
    'https://pay.example',
    /^__Host-causeway_enrolled=sub_[\w.-]{70}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  ],
])(
  'at %s the browser keeps what it enrolled in a cookie that nobody else reads or sets',
  async (url, cookie) => {
    setPublicUrl(onTestFinished, service, url);
    const { path } = await makeLink(free);
    const { headers } = await enrol(createPageVisitor(app), path, {
      method: 'fps',
      email: 'kept@example.com',
    });
    expect(String(headers['set-cookie'])).toMatch(cookie);
  },
);

test('what is wrong with the form is said, and nothing is made', async () => {
  const { path, link } = await makeLink();
  const { status, main } = await enrol(createPageVisitor(app), path, { method: 'fps', email: 'ada' });
  expect(status).toBe(400);
  expect(main).toContain('Enter a full email address');
  expect(await enrolledBy(link.id)).toEqual([]);
});

test('a plan that takes nobody new says so, and leads back; a token of another page opens nothing', async () => {
  const { path, plan, link } = await makeLink({}, { redirectUrl: 'https://shop.example/back' });
  const customer = createPageVisitor(app);
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

test('a plan that nothing can be paid of just now leads back to the shop', async () => {
  const shop = await seedMerchant(service, {}, start);
  const { path } = await makeLink({}, { redirectUrl: 'https://shop.example/back' }, shop);
  await retireAccounts(service, { merchantId: shop.merchant.id, mode: 'live' }, start);
  const { status, text } = await createPageVisitor(app).get(path);
  expect([status, text.includes('href="https://shop.example/back"')]).toEqual([422, true]);
});

test('a plan that is closed while the form is on its way says so too', async () => {
  const { path, plan, link } = await makeLink();
  const [sent] = await concurrently(
    service,
    ({ tx }) => tx.subscriptionPlan.update({ where: { id: plan.id }, data: { status: 'inactive' } }),
    () => createPageVisitor(app).post(path, { method: 'fps', email: 'close@example.com' }),
  );
  expect(sent).toMatchObject({ status: 409, main: expect.stringContaining('is closed to new subscribers') });
  expect(await enrolledBy(link.id)).toEqual([]);
});

test('nothing above has broken a promise of the database', async () => {
  await expectInvariants(service);
});
