import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { announceUserChange } from '../../src/domain/accounts/user/user-session.ts';
import { chargeCheckoutLink } from '../../src/domain/payments/checkout-link/charge-checkout-link.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { newId } from '../../src/kit/id.ts';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { desktop, readQr } from '../setup/browser.ts';
import { signInByForm } from '../setup/browser-sign-in.ts';
import { seedCheckoutLink } from '../setup/checkout.ts';
import { type DashboardSite, dashboardTest as test } from '../setup/dashboard-site.ts';
import { holdResponse } from '../setup/intercept-response.ts';
import { seedCharge } from '../setup/seed.ts';
import { setPublicUrl } from '../setup/service.ts';
import { payCharge } from '../setup/transfers.ts';

function seedNewCharge(site: DashboardSite, email: string, mode: Mode = 'live') {
  const input = { email, notifyUrl: 'http://127.0.0.1:9/callback' };
  return seedCharge(site.service, site.merchant, { mode, input, now: new Date() });
}

async function seedPaidCharge(
  { service, merchant }: DashboardSite,
  email: string,
  input: object,
  now = new Date(),
): Promise<void> {
  const charge = await seedCharge(service, merchant, { now, input: { email, ...input } });
  await payCharge(service, merchant, charge, { now });
}

/** Runs in the page and records when content disappears or is replaced by a placeholder. */
function recordFlicker(): void {
  const look = () => {
    const isThere = document.querySelector('[aria-label="Collected"]');
    if (!isThere || document.querySelector('[aria-busy=true]'))
      document.documentElement.dataset.flickered = '';
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}

const permissions = ['clipboard-read', 'clipboard-write'];

/** Expects that a closed dialog has returned the focus to its button. */
async function expectFocus(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
}

/** Runs in the page and returns the focused field with its error. */
function readFocusedError(): string {
  const field = document.activeElement as HTMLInputElement;
  const ids = (field.getAttribute('aria-describedby') ?? '').split(' ');
  const text = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  return field.ariaInvalid === 'true' ? `${field.labels?.[0]?.textContent}: ${text.trim()}` : 'no error';
}

test('a user signs in, follows a charge from creation to notification, loses a permission, and signs out', async ({
  site,
}) => {
  const { service } = site;
  // Without a mail server, receipts can’t be sent.
  service.settings.smtpUrl = 'smtp://127.0.0.1:1';
  onTestFinished(() => {
    service.settings.smtpUrl = undefined;
  });
  const { page } = await site.customer(desktop);
  await page.goto(`${site.url}/dashboard`);
  await page.getByRole('textbox', { name: 'Email' }).fill(site.merchant.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('The email or password is incorrect').waitFor();
  await signInByForm(page, site.merchant);

  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByText('No charges yet').waitFor();
  const charge = await seedNewCharge(site, 'walker@example.com');
  await page.getByRole('row', { name: 'walker@example.com Pending' }).waitFor();
  await page.getByRole('region', { name: 'Conversion rate' }).getByText('1 open').waitFor();

  await page.getByRole('link', { name: 'walker@example.com' }).click();
  await page.getByRole('heading', { level: 1, name: 'HK$128.50' }).waitFor();
  await page.getByRole('img', { name: 'QR code shown to the customer' }).waitFor();
  await page.getByText('Fictional account. It can’t receive payments.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/dashboard/charges/${charge.id}`);
  expect(await page.title()).toBe('Charge HK$128.50 · Causeway');

  await payCharge(service, site.merchant, charge, { minor: 10_000n });
  await page.getByText('Part payment received').waitFor();
  await page.getByText('HK$28.50 remaining').waitFor();
  await payCharge(service, site.merchant, charge, { minor: 2_850n });
  await page.getByRole('main').getByRole('status').getByText('Completed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy receipt link' }).waitFor();
  await page.getByRole('button', { name: 'Send receipt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send receipt' }).click();
  await page.getByText('The receipt is on its way to').waitFor();
  await page.getByRole('img', { name: 'QR code shown to the customer' }).waitFor({ state: 'hidden' });
  await page.getByText('No notifications sent').waitFor();
  await relayEvents(service, { now: new Date() });
  await page.getByRole('button', { name: /^CHARGE_COMPLETE Callback/ }).waitFor();

  // Actions disappear as soon as the user loses the permission.
  const refund = page.getByRole('button', { name: 'Refund' });
  await refund.waitFor();
  const { id } = await service.prisma.merchantUser.findFirstOrThrow({
    where: { email: site.merchant.email },
  });
  await transact(service, async (uow) =>
    announceUserChange(uow, await uow.tx.merchantUser.update({ where: { id }, data: { role: 'developer' } })),
  );
  await refund.waitFor({ state: 'hidden' });

  const signOut = async () => {
    await page.getByRole('button', { name: `Account of ${site.merchant.email}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await page.context().route('**/graphql', (route) => route.abort());
  await signOut();
  await page.getByRole('alert').getByText('You’re still signed in. Can’t reach the server').waitFor();
  await page.context().unroute('**/graphql');
  await signOut();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await page.getByText('Your session has expired').count()).toBe(0);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  const where = { user: { email: site.merchant.email } };
  expect(await service.prisma.userSession.count({ where })).toBe(0);
});

test('an accountant records the transfer of a live charge on its page', async ({ site }) => {
  const charge = await seedNewCharge(site, 'chat@example.com');
  const support = await site.open(`/charges/${charge.id}`, { mode: 'live' }, await site.newUser('support'));
  await support.getByText('Transfers are reported by a bank feed or a statement').waitFor();
  expect(await support.getByRole('button', { name: 'Record transfer' }).count()).toBe(0);
  const page = await site.open(`/charges/${charge.id}`, { mode: 'live' }, await site.newUser('accountant'));
  await page.getByRole('button', { name: 'Record transfer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record transfer' });
  expect(await dialog.getByLabel('Amount (HKD)').inputValue()).toBe('128.50');
  expect(await dialog.getByLabel('Reference').inputValue()).toBe(charge.paymentReference);
  expect(await findOverflow(page)).toEqual([]);
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Record' }).click();
  await page.getByRole('main').getByRole('status').getByText('Completed', { exact: true }).waitFor();
});

test('a partly paid charge of the sandbox is accepted as paid, not marked as paid', async ({ site }) => {
  const charge = await seedNewCharge(site, 'part@example.com', 'sandbox');
  const page = await site.open(`/charges/${charge.id}`, { ...desktop, mode: 'sandbox' });
  const markAsPaid = page.getByRole('button', { name: 'Mark as paid' });
  await markAsPaid.waitFor();
  await payCharge(site.service, site.merchant, charge, { minor: 10_000n, now: new Date() });
  await page.getByRole('button', { name: 'Accept as paid' }).waitFor();
  expect(await markAsPaid.count()).toBe(0);
});

test('sandbox charges are listed separately, and completed and cancelled manually on a phone', async ({
  site,
}) => {
  const done = await seedNewCharge(site, 'sandbox@example.com', 'sandbox');
  await seedNewCharge(site, 'dropped@example.com', 'sandbox');
  await seedNewCharge(site, 'walker@example.com');
  const page = await site.open('/charges');
  await page.getByRole('row', { name: 'walker@example.com' }).waitFor();
  await page.getByRole('button', { name: 'Navigation' }).click();
  await page.getByRole('radiogroup', { name: 'Mode' }).getByText('Sandbox').click();
  await page.getByText('No real money moves').waitFor();
  await page.getByRole('row', { name: 'sandbox@example.com Pending' }).waitFor();
  expect(await page.getByRole('row', { name: 'walker@example.com' }).count()).toBe(0);

  await page.getByRole('link', { name: 'sandbox@example.com' }).click();
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  const dialogOfCompletion = page.getByRole('dialog', { name: 'Mark this charge as paid?' });
  // The dialog shows the error of its action, so it stays open until the response arrives.
  const completion = await holdResponse(page, 'CompleteSandboxCharge');
  await dialogOfCompletion.getByRole('button', { name: 'Mark as paid' }).click();
  await page.keyboard.press('Escape');
  expect(await dialogOfCompletion.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await completion.release();
  await page.getByText('Marked as paid without a transfer').waitFor();
  await page.getByText(/ · by you$/).waitFor();
  expect(await page.getByRole('button', { name: 'Cancel charge' }).count()).toBe(0);
  const row = await site.service.prisma.charge.findUniqueOrThrow({ where: { id: done.id } });
  expect(row.status).toBe('completed');

  await page.getByRole('button', { name: 'Navigation' }).click();
  await page.getByRole('link', { name: 'Charges', exact: true }).first().click();
  await page.getByRole('link', { name: 'dropped@example.com' }).click();
  await page.getByRole('button', { name: 'Cancel charge' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this charge?' });
  await dialog.getByRole('button', { name: 'Cancel charge' }).click();
  await page.getByText('Cancelled', { exact: true }).first().waitFor();
  expect(await findOverflow(page)).toEqual([]);
});

test('the dashboard is in the language of the browser until the user selects another one', async ({
  site,
}) => {
  const page = await site.open('/charges', { ...desktop, locale: 'th-TH' });
  await page.getByRole('heading', { name: 'รายการเรียกเก็บ', level: 1 }).waitFor();
  await page.getByRole('button', { name: site.merchant.email }).click();
  await page.getByLabel('ภาษา').selectOption('Tiếng Việt');
  await page.getByRole('heading', { name: 'Khoản thu', level: 1 }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Khoản thu', level: 1 }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('vi');
});

test('the menu of a phone stays open when the page below it finishes loading', async ({ site }) => {
  const page = await site.open('/charges');
  const load = Promise.withResolvers<void>();
  await page.route(/home-page/, async (route) => {
    await load.promise;
    await route.continue();
  });
  await page.goto(`${site.url}/dashboard/`);
  await page.getByRole('button', { name: 'Navigation' }).click();
  load.resolve();
  await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Navigation', expanded: true }).waitFor();
  await page.getByRole('button', { name: 'Navigation' }).focus();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Navigation', expanded: false }).waitFor();
});

test('the list filters by status, method and text, and has pages in both orders', async ({ site }) => {
  for (let i = 10; i < 40; i++) {
    const input = { email: `c${i}@example.com`, method: i === 10 ? 'paynow' : 'fps', merchantAmount: i };
    await seedCharge(site.service, site.merchant, { input, now: new Date() });
  }
  const page = await site.open('/charges', desktop);
  const rows = page.getByRole('row');
  const firstCustomer = (name: string) => rows.nth(1).getByRole('link', { name }).waitFor();

  await firstCustomer('c39@example.com');
  await page.getByRole('button', { name: 'Next' }).click();
  await firstCustomer('c14@example.com');
  expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Previous' }).click();
  await firstCustomer('c39@example.com');
  // The first page has no previous one, also if the user came back to it.
  expect(await page.getByRole('button', { name: 'Previous' }).count()).toBe(0);

  await page.getByRole('combobox', { name: 'Sort' }).click();
  await page.getByRole('option', { name: 'Oldest first' }).click();
  await firstCustomer('c10@example.com');
  await page.getByRole('button', { name: 'Next' }).click();
  await firstCustomer('c35@example.com');
  await page.reload();
  await firstCustomer('c35@example.com');
  await page.getByRole('button', { name: 'Previous' }).click();
  await firstCustomer('c10@example.com');
  await page.getByRole('combobox', { name: 'Sort' }).click();
  await page.getByRole('option', { name: 'Newest first' }).click();
  await firstCustomer('c39@example.com');
  expect(new URL(page.url()).search).toBe('');

  await page.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: 'PayNow' }).click();
  await firstCustomer('c10@example.com');
  expect(await rows.count()).toBe(2);
  await page.goBack();
  await page.getByRole('searchbox', { name: 'Order or reference' }).fill('C12@example.com');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await firstCustomer('c12@example.com');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Expired' }).click();
  await page.getByText('No charges found').waitFor();
});

test('a charge shows your metadata, whose values link to the charges that have them', async ({ site }) => {
  const metadata = { channel: 'Market stall' };
  const seed = (email: string, more: object) =>
    seedCharge(site.service, site.merchant, { input: { email, ...more }, now: new Date() });
  const { id } = await seed('ada@example.com', { metadata });
  await seed('bo@example.com', { metadata, merchantAmount: 7 });
  await seed('cy@example.com', { merchantAmount: 8 });
  const page = await site.open(`/charges/${id}`, desktop);
  await page.getByText('channel: Market stall').waitFor();
  await page.getByRole('link', { name: 'Market stall' }).click();
  await page.getByText('2 charges', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'bo@example.com' }).waitFor();
});

test('Home displays what was collected in a period, by method and in one currency, live', async ({
  site,
}) => {
  const { service, merchant } = site;
  const page = await site.open('', desktop);
  const collected = page.getByRole('region', { name: 'Collected' });
  await collected.getByText('0 payments').waitFor();
  await page.getByText('No payments in this period').waitFor();
  await page.evaluate(recordFlicker);

  // Two amounts today, whose binary sum would not be exact, and one ten days ago.
  await seedPaidCharge(site, 'a@example.com', { merchantAmount: 0.1 });
  await seedPaidCharge(site, 'b@example.com', { merchantAmount: 0.2 });
  await collected.getByText('HK$0.30').waitFor();
  await collected.getByText('2 payments').waitFor();
  const earlier = new Date(Date.now() - 10 * dayMs);
  await seedPaidCharge(site, 'c@example.com', { merchantAmount: 1000 }, earlier);
  await seedPaidCharge(site, 'd@example.com', {
    method: 'paynow',
    merchantCurrency: 'SGD',
    merchantAmount: 45.2,
  });
  const methods = page.getByRole('table', { name: 'Payment methods' });
  await methods.getByRole('row', { name: /^FPS 3 payments HK\$1,000\.30/ }).waitFor();
  await methods.getByRole('row', { name: /^PayNow 1 payment S\$45\.20/ }).waitFor();
  await page.getByText(/Converted to HKD at the latest rates: 1 SGD = /).waitFor();

  await service.prisma.alert.create({
    data: {
      id: newId('alert', new Date()),
      merchantId: merchant.merchant.id,
      mode: 'live',
      kind: 'endpoint_failing',
      url: 'https://shop.example/hooks',
      detail: 'the endpoint responded with 500',
      dedupeKey: 'test',
      createdAt: new Date(),
    },
  });
  const charge = await seedCharge(service, merchant, { now: new Date(), input: { email: 'e@example.com' } });
  const paid = page.getByRole('region', { name: 'Conversion rate' });
  await paid.getByText('4 paid').waitFor();
  await paid.getByText('1 open').waitFor();
  await payCharge(service, merchant, charge, { minor: 100n, reference: 'no reference' });
  await page.getByRole('link', { name: '1 transfer needs review' }).waitFor();
  const alert = page.getByRole('link', { name: '1 alert about webhooks, bank feeds or receiving accounts' });
  await alert.waitFor();
  // The content stayed while it was updated.
  expect(await page.locator('html').getAttribute('data-flickered')).toBeNull();
  // Totals of the previous period are not shown for one that cannot be loaded.
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('query Home(') ? route.abort() : route.fallback(),
  );
  await page.getByText('Today', { exact: true }).click();
  await page.waitForURL(/\?days=1$/);
  await page.getByRole('alert').getByText('Can’t reach the server.').waitFor();
  expect(await methods.count()).toBe(0);
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await methods.getByRole('row', { name: /^FPS 2 payments HK\$0\.30/ }).waitFor();
  await alert.click();
  await page.getByText('Notifications aren’t arriving').waitFor();
});

test('a checkout link is created, copied, opened and deactivated', async ({ site }) => {
  const page = await site.open('/checkout-links', { ...desktop, permissions });
  await page.getByRole('button', { name: 'New link' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New checkout link' }).waitFor();
  await page.keyboard.type('12.555');
  await page.keyboard.press('Enter');
  const error = 'Did you mean 12555.00? HKD has 2 decimal places';
  await page.getByText(error).waitFor();
  expect(await page.evaluate(readFocusedError)).toBe(`Amount: ${error}`);
  await page.getByLabel('Amount', { exact: true }).fill('a lot');
  await page.keyboard.press('Enter');
  await page.getByText('Must be a decimal number, such as 12.50').waitFor();
  await page.getByLabel('Amount', { exact: true }).fill('1,128.50');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Dragon Well');
  await page.getByText('More options').click();
  expect(await page.getByLabel('Maximum payments').count()).toBe(0);
  await page.getByLabel('First name').fill('Mei');
  await page.getByRole('radio', { name: 'Many customers' }).check();
  expect(await page.getByLabel('First name').count()).toBe(0);
  await page.getByLabel('Maximum payments').fill('2');
  await page.keyboard.press('Enter');
  const ready = page.getByRole('dialog', { name: 'The link is ready' });
  await ready.getByRole('img', { name: 'QR code that opens the checkout page' }).waitFor();
  await ready.getByRole('link', { name: 'Print poster' }).waitFor();
  await expectFocus(page, 'Copy link');
  await page.keyboard.press('Escape');
  await ready.waitFor({ state: 'hidden' });
  await expectFocus(page, 'New link');
  const row = page.getByRole('row', { name: 'Dragon Well HK$1,128.50 0 paid Maximum 2' });
  await row.getByRole('button', { name: 'Share' }).click();
  const share = page.getByRole('dialog', { name: 'Share “Dragon Well”' });
  await share
    .getByRole('region', { name: 'Preview in messaging apps' })
    .getByText(/^Pay HK\$1,128\.50 to /)
    .waitFor();
  await share.getByLabel('Customers’ language').selectOption('Thai');
  await share.getByText(/^ชำระ.*1,128\.50/).waitFor();
  await share.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(new RegExp(`^${site.url}/checkout\\?link=lnk_.*&lang=th$`));
  expect((await site.app.inject(link.slice(site.url.length))).statusCode).toBe(200);
  await share.getByLabel('Second language on the poster').selectOption('Korean');
  const posterPath = await share.getByRole('link', { name: 'Print poster' }).getAttribute('href');
  expect(posterPath).toMatch(/lang=th&second=ko$/);
  expect((await site.app.inject(posterPath ?? '')).headers['content-type']).toBe('application/pdf');

  const code = page.getByRole('img', { name: 'QR code that opens the checkout page' });
  expect(await readQr({ context: page.context() }, await code.screenshot())).toBe(link);
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Deactivate' }).click();
  await page
    .getByRole('dialog', { name: 'Deactivate “Dragon Well”?' })
    .getByRole('button', { name: 'Deactivate link' })
    .click();
  await row.getByText('Deactivated').waitFor();
  expect((await site.app.inject(link.slice(site.url.length))).statusCode).toBe(410);
});

test('a checkout link is given a name and an end, and leads to its charges', async ({ site }) => {
  const { service, merchant } = site;
  const now = new Date();
  const link = await seedCheckoutLink(service, merchant, { now });
  const pay = async (email: string) => {
    const visitor = { ipAddress: '198.51.100.7' };
    const options = { link, method: 'fps', customer: { email }, visitor, now } as const;
    return chargeCheckoutLink(service, { merchant: merchant.merchant, ...options });
  };
  await payCharge(service, merchant, await pay('paid@example.com'));
  await pay('open@example.com');
  await seedCharge(service, merchant, { input: { email: 'other@example.com' }, now });
  const page = await site.open('/checkout-links', desktop);
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: /^Edit “/ });
  await dialog.getByLabel('Name').fill('Market stall');
  await dialog.getByLabel('Expires').fill('2020-01-01T12:00');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Must be in the future and within ten years').waitFor();
  const nextYear = now.getFullYear() + 1;
  await dialog.getByLabel('Expires').fill(`${nextYear}-12-07T12:00`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row', {
    name: new RegExp(`^Market stall HK\\$128.50 1 paid 1 open.*${nextYear}`),
  });
  await row.getByRole('link', { name: '1 paid' }).click();
  await page.getByRole('row', { name: /paid@example.com/ }).waitFor();
  await page.getByRole('row', { name: /open@example.com/ }).waitFor();
  expect(await page.getByRole('row', { name: /other@example.com/ }).count()).toBe(0);
  expect(await page.getByRole('combobox', { name: 'Link' }).inputValue()).toBe('Market stall');
  await page.goto(`${site.url}/dashboard/audit`);
  await page.getByText('Checkout link changed').waitFor();
});

test('a checkout link lets customers choose the amount', async ({ site }) => {
  const page = await site.open('/checkout-links', desktop);
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByRole('switch', { name: 'Customers choose the amount' }).press('Space');
  await page.getByLabel('Minimum').fill('20');
  await page.getByLabel('Maximum', { exact: true }).fill('10');
  await page.keyboard.press('Enter');
  await page.getByText('Must not be less than the minimum').waitFor();
  await page.getByLabel('Maximum', { exact: true }).fill('');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'The link is ready' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: 'Customer chooses from HK$20.00' }).waitFor();
});

test('a session is created and cancelled', async ({ site }) => {
  const page = await site.open('/sessions', { ...desktop, permissions });
  await page.getByRole('button', { name: 'New session' }).click();
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.getByLabel('Amount', { exact: true }).fill('86.40');
  await dialog.getByLabel('Name of item 1').fill('Porcelain gaiwan');
  await dialog.getByLabel('Quantity of item 1').fill('2');
  await dialog.getByText('More options').press('Enter');
  await dialog.getByRole('combobox', { name: 'Payment methods' }).click();
  await page.getByRole('option', { name: 'FPS' }).click();
  await dialog.getByLabel('First name').fill('Mei');
  await dialog.getByRole('textbox', { name: 'Email' }).fill('mei@example.com');
  await dialog.getByLabel('Code').fill('+852');
  await dialog.getByLabel('Phone').fill('12');
  await dialog.getByLabel('Return URL').fill('https://shop.example/thanks');
  await dialog.getByLabel('Callback URL').fill('https://shop.example/callback');
  await page.keyboard.press('Enter');
  await dialog.getByText('Enter a phone number with its country code').waitFor();
  await dialog.getByLabel('Phone').fill('5123 4567');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'The session is ready' }).waitFor();
  await page.getByRole('button', { name: 'Copy link' }).click();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect((await site.app.inject(address.slice(site.url.length))).body).toContain('mei@example.com');
  await page.keyboard.press('Escape');
  await page
    .getByRole('row', { name: 'Porcelain gaiwan Not opened HK$86.40' })
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: 'HK$86.40' }).waitFor();
  for (const text of [
    '2 × Porcelain gaiwan',
    'FPS',
    'Mei',
    '+85251234567',
    'https://shop.example/thanks',
    'https://shop.example/callback',
  ]) {
    await page.getByRole('region', { name: 'Details' }).getByText(text, { exact: true }).waitFor();
  }
  await page.getByRole('button', { name: 'Cancel session' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel session' }).click();
  await page.getByRole('main').getByText('Cancelled', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Copy', exact: true }).count()).toBe(0);
  expect((await site.app.inject(address.slice(site.url.length))).body).toContain(
    'This payment was cancelled',
  );
});

test('a page that fails to load displays the error, and loads on retry', async ({ site }) => {
  const input = { email: 'walker@example.com' };
  await seedCharge(site.service, site.merchant, { input, now: new Date() });
  const page = await site.open('', desktop);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.context().route('**/graphql', (route) => route.abort());
  await page.getByRole('link', { name: 'Statements' }).click();
  await page.getByRole('alert').getByText('Can’t reach the server').waitFor();
  await page.context().unroute('**/graphql');
  // A proxy responds with texts of its own.
  for (const [status, text] of [
    [503, 'temporarily unavailable'],
    [429, 'Too many requests. Wait'],
  ] as const) {
    await page.context().route('**/graphql', (route) => route.fulfill({ status, body: 'No.' }));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText(text).waitFor();
    await page.context().unroute('**/graphql');
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No statements yet').waitFor();

  // The previous rows stay, with the error of the new request.
  await page.getByRole('link', { name: 'Charges', exact: true }).click();
  await page.getByRole('row', { name: 'walker@example.com' }).waitFor();
  await page.context().route('**/graphql', (route) => route.abort());
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Expired' }).click();
  await page.getByRole('alert').getByText('Can’t reach the server').waitFor();
  expect(await page.getByRole('row', { name: 'walker@example.com' }).count()).toBe(1);
  await page.context().unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No charges found').waitFor();

  await page.context().route('**/assets/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Plans' }).click();
  await page.getByRole('alert').getByText('This page couldn’t be loaded').waitFor();
  await page.context().unroute('**/assets/**');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('No plans yet').waitFor();
});

test('a language whose texts cannot be loaded shows an error page with a button to reload', async ({
  site,
}) => {
  const { page } = await site.customer({ locale: 'th' });
  await page.context().route(/\/assets\/th-/, (route) => route.abort());
  await page.goto(`${site.url}/dashboard`);
  await page.getByRole('heading', { name: 'The dashboard couldn’t be loaded' }).waitFor();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await page.context().unroute(/\/assets\/th-/);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).waitFor();
});

test('the dashboard links to its public URL when it is opened at another address', async ({ site }) => {
  setPublicUrl(onTestFinished, site.service, 'https://pay.example.com');
  const { page } = await site.customer(desktop);
  await page.goto(`${site.url}/dashboard/charges`);
  const link = page.getByRole('link', { name: 'https://pay.example.com/dashboard' });
  expect(await link.getAttribute('href')).toBe('https://pay.example.com/dashboard/charges');
});
