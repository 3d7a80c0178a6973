import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { dayMs, hourMs } from '../../src/kit/duration.ts';
import { findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';
import { retireAccounts } from '../setup/receiving-accounts.ts';
import {
  completeCharge,
  readCharges,
  readInvoices,
  seedActiveSubscription,
  seedPlan,
  seedSubscription,
} from '../setup/subscriptions.ts';

const permissions = ['clipboard-read', 'clipboard-write'];

/** Waits until the focus is on an element with this tag and text. */
async function expectFocus(page: Page, tag: string, text: string) {
  const readFocus = () =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);
  await expect.poll(readFocus).toBe(`${tag} ${text}`);
}

test('a plan is created by keyboard with errors at the fields, and its terms are fixed once a customer has enrolled', async ({
  site,
}) => {
  const page = await site.open('/plans', desktop);
  await page.getByText('No plans yet').waitFor();
  await page.getByRole('button', { name: 'New plan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Tea club');
  await dialog.getByLabel('Amount', { exact: true }).fill('100.005');
  await dialog.getByText('More options').click();
  await dialog.getByLabel('First payment', { exact: true }).fill('0');
  await dialog.getByLabel('First period', { exact: true }).fill('14');
  await dialog.getByLabel('Number of payments').fill('12');
  await page.keyboard.press('Enter');
  await dialog.getByText('Did you mean 100005.00? HKD has 2 decimal places').waitFor();
  await dialog.getByLabel('Amount', { exact: true }).fill('1,100');
  await dialog.getByRole('button', { name: 'Add item' }).click();
  await dialog.getByLabel('Name of item 1').fill('Dragon Well');
  await dialog.getByLabel('Quantity of item 1').fill('2');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { level: 1, name: 'Tea club' }).waitFor();
  const terms = page.getByRole('region', { name: 'Terms' });
  for (const text of [
    'HK$1,100.00 every month',
    'Free, next payment after 14 days',
    '12 payments',
    '2 days before the due date',
    '2 × Dragon Well',
  ]) {
    await terms.getByText(text, { exact: true }).waitFor();
  }
  await page.getByText('No subscribers yet. You can still edit the terms.').waitFor();

  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByRole('dialog').getByLabel('First name').fill('Mei');
  await page.getByRole('dialog').getByLabel('Email').fill('mei@example.com');
  await page.keyboard.press('Enter');
  const localUrl = await page.getByRole('dialog').getByText(`${site.url}/pay/enrol/`).textContent();
  // A merchant without a country has customers who read English.
  const [link = '', language] = (localUrl as string).split('?lang=');
  expect(language).toBe('en');
  await page.getByRole('dialog').getByRole('img', { name: 'QR code' }).waitFor();
  await page.getByRole('dialog').getByLabel('Customers’ language').selectOption('th');
  await page.getByRole('dialog').getByText(`${link}?lang=th`).waitFor();
  const whatsApp = page.getByRole('dialog').getByRole('link', { name: 'Send by WhatsApp' });
  expect(new URL((await whatsApp.getAttribute('href'))!).searchParams.get('text')).toBe(
    `Tea club\n${link}?lang=th`,
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  const { page: enrolment } = await site.customer();
  await enrolment.goto(link);
  await enrolment.getByRole('radio', { name: /FPS/ }).check();
  expect(await enrolment.getByLabel('Your email').inputValue()).toBe('mei@example.com');
  await enrolment.getByRole('button').last().click();
  await enrolment.waitForURL(/\/pay\/subscription\//);

  await page.reload();
  await page.getByText('1 enrolled so far. The terms can no longer be changed.').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page
    .getByRole('dialog')
    .getByText('Customers have enrolled, so the terms can no longer be changed.')
    .waitFor();
  expect(await page.getByRole('dialog').getByRole('group', { name: 'Terms' }).count()).toBe(0);
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Tea circle');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Tea circle' }).waitFor();

  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close plan' }).click();
  await page.getByText('This plan is closed to new subscribers.').waitFor();
  expect(await page.getByRole('button', { name: 'New link' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Reopen' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reopen plan' }).click();
  await page.getByRole('button', { name: 'New link' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create plan' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tea circle (copy)' }).waitFor();
  await terms.getByText('HK$1,100.00 every month').waitFor();
});

test('editing a plan preserves a method without an active account', async ({ site }) => {
  const { service, merchant } = site;
  const plan = await seedPlan(service, merchant, { input: { methods: ['paynow', 'fps'] } });
  const retired = { merchantId: merchant.merchant.id, mode: 'live', method: 'paynow' } as const;
  await retireAccounts(service, retired, new Date());
  const page = await site.open(`/plans/${plan.id}`, desktop);
  const terms = page.getByRole('region', { name: 'Terms' });
  await terms.getByText('PayNow (currently unavailable) · FPS', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Amount', { exact: true }).fill('90');
  await page.keyboard.press('Enter');
  await terms.getByText('HK$90.00 every month', { exact: true }).waitFor();
  const { methods } = await service.prisma.subscriptionPlan.findUniqueOrThrow({ where: { id: plan.id } });
  expect(methods).toEqual(['paynow', 'fps']);
});

test('the test clock is advanced by a month, and the subscription displays its invoice and is cancelled', async ({
  site,
}) => {
  const { service } = site;
  const plan = await seedPlan(service, site.merchant, { mode: 'sandbox', now: new Date() });
  // After the first move of the clock, so that a month later the payment is due on every day of the year.
  const now = new Date(Date.now() + 6 * hourMs);
  const subscription = await seedActiveSubscription(service, site.merchant, { plan, now });
  const page = await site.open('/test-clock', { ...desktop, mode: 'sandbox' });
  await page.getByText('same as real time').waitFor();
  const inHours = new Date(Date.now() + 5.5 * hourMs).toISOString().slice(0, 16);
  await page.getByLabel('Move to (UTC)').fill(inHours);
  await page.getByRole('button', { name: 'Move forward', exact: true }).click();
  await page.getByText(/5 h \d+ min ahead of real time/).waitFor();
  await page.getByLabel('Move to (UTC)').fill('2020-01-01T00:00');
  await page.getByLabel('Move to (UTC)').evaluate((field) => field.removeAttribute('min'));
  await page.getByRole('button', { name: 'Move forward', exact: true }).click();
  await page.getByRole('alert').getByText('must be after').waitFor();
  await page.getByRole('button', { name: '1 month' }).click();
  await page.getByText('Everything due by then has been processed').waitFor();
  await page.getByText(/(28|29|30|31) days ahead of real time/).waitFor();

  await page.getByRole('link', { name: 'Subscriptions', exact: true }).click();
  await page
    .getByRole('row', { name: 'ada@example.com Active Tea of the month HK$100.00 every month' })
    .waitFor();
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByText('Invoice 1 of HK$100.00 created').waitFor();
  await page.getByText('Next payment due').waitFor();

  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  const pauseUntil = page.getByRole('dialog').getByLabel('Pause until');
  const toDate = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
  // The field has a minimum of the real time until the time of the test clock has arrived.
  await expect.poll(async () => (await pauseUntil.getAttribute('min'))! > toDate(20)).toBe(true);
  await pauseUntil.evaluate((field) => field.removeAttribute('min'));
  await pauseUntil.fill(toDate(1));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('Must be after the current time').waitFor();
  expect(await pauseUntil.getAttribute('aria-invalid')).toBe('true');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  const charges = await readCharges(service, subscription.id);
  const [invoice] = await readInvoices(service, subscription.id);
  await completeCharge(service, charges.at(-1)!, invoice!.dueAt);
  await page.getByRole('row', { name: 'Invoice 1 Paid HK$100.00' }).waitFor();
  await page.getByRole('link', { name: 'Invoice 1' }).click();
  await page.getByRole('heading', { level: 1, name: 'Invoice 1' }).waitFor();
  expect(await page.getByRole('link', { name: 'PDF' }).getAttribute('href')).toContain(
    `${site.url}/pay/invoice/`,
  );
  await page.goBack();

  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Cancel subscription' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('main').getByText('Cancelled', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Actions' }).click();
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Replace links…']);
});

test('replacing the links of a subscription offers the new link, and closes the earlier one', async ({
  site,
}) => {
  const { service } = site;
  const { id } = await seedActiveSubscription(service, site.merchant, { now: new Date() });
  const page = await site.open(`/subscriptions/${id}`, { ...desktop, permissions });
  const { page: customer } = await site.customer();
  const copyLink = async () => {
    await page.getByRole('button', { name: 'Copy link to the customer’s page' }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await expect.poll(copyLink).toContain('/pay/subscription/');
  const earlierLink = await copyLink();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Replace links' }).click();
  await page.getByRole('dialog').getByText('Afterwards, copy the new link').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace links' }).click();
  await page.getByText('Links replaced. The new link is under “Customer’s page”.').waitFor();
  await expect.poll(copyLink).not.toBe(earlierLink);
  await customer.goto(earlierLink);
  await customer.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  await customer.goto(await copyLink());
  await customer.getByText('Tea of the month').first().waitFor();
});

test('a subscription is paused, resumed, skipped and given another price, and its invoice is voided', async ({
  site,
}) => {
  const { service } = site;
  const start = new Date(Date.now() - 29 * dayMs);
  const { id } = await seedActiveSubscription(service, site.merchant, { now: start });
  await renewSubscriptions(service, { now: new Date() });
  const page = await site.open(`/subscriptions/${id}`, desktop);
  const choose = async (item: string, button: string) => {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Change plan or price' }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Price per payment/)
    .fill('1.500');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('Did you mean').waitFor();
  await page
    .getByRole('dialog')
    .getByLabel(/^Price per payment/)
    .fill('120');
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByText('HK$120.00 every month', { exact: true }).waitFor();
  await page.getByText('Price changed from HK$100.00 to HK$120.00').waitFor();

  await page.getByRole('link', { name: 'Invoice 1' }).click();
  await page.getByRole('heading', { level: 1, name: 'Invoice 1' }).waitFor();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Void' }).click();
  await page.getByText('your current details and an amount of HK$120.00.').waitFor();
  expect(await page.getByText('The plan and the amount are the same').count()).toBe(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Void invoice' }).click();
  await page.getByRole('main').getByText('Void', { exact: true }).first().waitFor();
  await expectFocus(page, 'H1', 'Invoice 1');
  await page.getByText('Voided', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Invoice 2' }).waitFor();
  expect(await page.getByText('Payment page').count()).toBe(0);
  await page.goBack();
  await page.getByRole('row', { name: 'Invoice 2 Open HK$120.00' }).waitFor();

  await choose('Skip next payment', 'Skip payment');
  await page.getByRole('row', { name: 'Invoice 2 Void' }).waitFor();
  await page.getByText(/^Skipped the payment due /).waitFor();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  const until = new Date(Date.now() + 30 * dayMs).toISOString().slice(0, 10);
  await page.getByRole('dialog').getByLabel('Pause until').fill(until);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // By keyboard, the focus returns to the button of the menu, and the menu starts with its first item.
  await expectFocus(page, 'BUTTON', 'Actions');
  await page.keyboard.press('Enter');
  await expectFocus(page, 'BUTTON', 'Change plan or price…');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page
    .getByRole('dialog')
    .getByText(/^Next payment: \d+ days after you resume$/)
    .waitFor();
  await page.getByRole('dialog').getByLabel('Pause until').fill(until);
  await page
    .getByRole('dialog')
    .getByText(/^Next payment: .* 20\d\d$/)
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Paused by you').first().waitFor();
  expect(await page.getByText('Resumes automatically').count()).toBe(2);
  await page.getByText('Next payment', { exact: true }).waitFor();
  await page.getByText('Next payment due', { exact: true }).waitFor();
  expect(await service.prisma.subscription.findUniqueOrThrow({ where: { id } })).toMatchObject({
    // The start of the day in the time zone of the browser.
    resumesAt: new Date(`${until}T00:00:00+08:00`),
  });
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByText('Paused by you').first().waitFor({ state: 'detached' });
  await expectFocus(page, 'H1', 'ada@example.com');
  expect(await service.prisma.subscription.findUniqueOrThrow({ where: { id } })).toMatchObject({
    status: 'active',
    pausedAt: null,
  });
});

test('an open invoice is marked as paid, and a plan with tax shows what customers pay', async ({ site }) => {
  const { service } = site;
  const start = new Date(Date.now() - 29 * dayMs);
  const input = { tax: { name: 'GST', rate: '9', isInclusive: false } };
  const plan = await seedPlan(service, site.merchant, { input, now: start });
  const { id } = await seedActiveSubscription(service, site.merchant, { plan, now: start });
  await renewSubscriptions(service, { now: new Date() });
  const [invoice] = await readInvoices(service, id);
  const page = await site.open(`/invoices/${invoice!.id}`);
  await page.getByText('HK$9.00 (GST, 9%)').waitFor();
  expect(await findOverflow(page)).toEqual([]);
  await page.getByRole('button', { name: 'Actions' }).click();
  const sendAgain = page.getByRole('menuitem', { name: /^Send again.*Email isn’t set up$/ });
  expect(await sendAgain.isDisabled()).toBe(true);
  await page.getByRole('menuitem', { name: 'Void' }).click();
  await page.getByText('The plan and the amount are the same as in this invoice.').waitFor();
  await page.getByText('Email isn’t set up, so the customer won’t be notified.').waitFor();
  await page.getByRole('link', { name: 'plan or price of the subscription' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Mark as paid' }).click();
  await page.getByRole('dialog').getByText('Use this if you received HK$109.00 elsewhere').waitFor();
  await page.getByRole('dialog').getByLabel('Note').fill('cash');
  await page.keyboard.press('Enter');
  await page.getByText('None: the invoice was marked as paid').waitFor();
  await expectFocus(page, 'H1', 'Invoice 1');
  await page.goto(`${site.url}/dashboard/plans/${plan.id}`);
  await page.getByText('GST 9%, not included in the prices. HK$109.00 with tax.').waitFor();
});

test('Home summarizes subscriptions on a phone, and the lists filter, are updated live, and have no overflow', async ({
  site,
}) => {
  const { service } = site;
  const now = new Date();
  const longAgo = new Date(now.getTime() - 40 * dayMs);
  await seedActiveSubscription(service, site.merchant, { email: 'paused@example.com', now: longAgo });
  await renewSubscriptions(service, { now });
  await seedActiveSubscription(service, site.merchant, { email: 'active@example.com', now });
  const page = await site.open('/');
  const summary = page.getByRole('region', { name: 'Subscriptions' });
  await summary.getByText('HK$100.00').waitFor();
  const findFigure = (title: string) => summary.getByText(title, { exact: true }).locator('..');
  for (const [title, value] of [
    ['Active', '1'],
    ['Paused', '1'],
    ['Due within 7 days', '0'],
  ] as const) {
    expect(await findFigure(title).textContent()).toBe(`${title}${value}`);
  }
  await summary.getByRole('link', { name: 'All subscriptions' }).click();
  await page.getByRole('row', { name: 'paused@example.com Paused: unpaid' }).waitFor();
  await seedSubscription(service, site.merchant, { email: 'new@example.com', now });
  await page.getByRole('row', { name: 'new@example.com Not paid yet' }).waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Active', exact: true }).click();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByText('1 subscription', { exact: true }).waitFor();
  await page.goto(`${site.url}/dashboard/subscriptions?to=2020-01-01`);
  await page.getByText('No subscriptions found').waitFor();
  for (const path of ['/subscriptions', '/plans', '/invoices']) {
    await page.goto(`${site.url}/dashboard${path}`);
    await page.getByRole('row').first().waitFor();
    expect(await findOverflow(page)).toEqual([]);
  }
  await page.getByRole('row', { name: 'Invoice 1 paused@example.com Overdue' }).waitFor();
  await page.getByText('1 invoice', { exact: true }).waitFor();
  await page.goto(`${site.url}/dashboard/invoices?status=overdue`);
  await page.getByRole('row', { name: 'Invoice 1 paused@example.com Overdue' }).waitFor();
  await page.goto(`${site.url}/dashboard/invoices?status=paid`);
  await page.getByText('No invoices found').waitFor();
});

test('support users see plans and subscriptions, but cannot change them', async ({ site }) => {
  const { service } = site;
  await seedActiveSubscription(service, site.merchant, { now: new Date() });
  const page = await site.open('/plans', desktop, await site.newUser('support'));
  await page.getByRole('link', { name: 'Tea of the month' }).click();
  await page.getByText('1 enrolled so far').waitFor();
  expect(await page.getByRole('button', { name: /Edit|Copy$|Close/ }).count()).toBe(0);
  await page.goto(`${site.url}/dashboard/plans/pl_none`);
  await page.getByRole('heading', { name: 'Plan not found' }).waitFor();
  await page.goto(`${site.url}/dashboard/test-clock`);
  await page.getByText('Live mode uses real time').waitFor();
});
