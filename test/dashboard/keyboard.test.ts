import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAccessibilityErrors } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

/** What merchants do, without a pointer: every step is a key. */

const permissions = ['clipboard-read', 'clipboard-write'];

/** More stops than any page has. */
const stopsMax = 100;

const site = setupDashboardSite();

/** Presses Tab until what has that name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  for (let i = 0; i < stopsMax; i++) {
    await page.keyboard.press('Tab');
    const stop = await nameOfFocus(page);
    if (stop === name) return;
    seen.push(stop);
  }
  throw new Error(`no stop is ${name}: ${seen.join(', ')}`);
}

async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

function nameOfFocus(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    if (element?.tagName === 'BODY') return '';
    const label = [...(element?.labels ?? [])][0]?.textContent;
    return (element?.ariaLabel || label || element?.textContent || element?.tagName || '').trim();
  });
}

/** A dialog opens with this name, has the focus within, closes by Escape, and gives the focus back. */
async function tryDialog(page: Page, { opener, title }: { opener: string; title: string }): Promise<void> {
  await press(page, opener);
  const dialog = page.getByRole('dialog', { name: title });
  const focusIsWithin = () =>
    expect.poll(() => dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  await focusIsWithin();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => nameOfFocus(page)).toBe(opener);
  await page.keyboard.press('Enter');
  await focusIsWithin();
}

async function signIn(page: Page): Promise<void> {
  await page.addInitScript(() => sessionStorage.setItem('causeway-mode', 'sandbox'));
  await page.goto(`${site.url}/dashboard`);
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await tabTo(page, 'Email');
  await page.keyboard.type(site.merchant.email);
  await tabTo(page, 'Password');
  await page.keyboard.type(site.merchant.password);
  await page.keyboard.press('Enter');
  await page.getByText('No real money moves').waitFor();
}

/** Goes there as a link of the dashboard would: its title has the focus then, and the page's own stops come next. */
async function open(page: Page, path: string, title: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), `/dashboard${path}`);
  await expect.poll(() => nameOfFocus(page)).toBe(title);
}

test('complete, refund and cancel a charge, assign a transfer, make a link and a key, try the webhooks', async () => {
  const { service, merchant } = site;
  const now = new Date();
  const newCharge = (email: string) =>
    seedCharge(service, merchant, { mode: 'sandbox', input: { email }, now });
  const done = await newCharge('done@example.com');
  await newCharge('dropped@example.com');
  const meant = await newCharge('meant@example.com');
  await seedWebhook(service, merchant, { mode: 'sandbox' });
  await payCharge(service, merchant, done, { reference: 'tea', payerName: 'LAU KA YAN' });
  const { page } = await site.customer({ ...desktop, permissions });
  await signIn(page);

  await open(page, `/charges/${done.id}`, '$128.50 HKD');
  await tryDialog(page, { opener: 'Complete', title: 'Complete this charge?' });
  await press(page, 'Complete charge');
  await page.getByText('Completed manually, without a transfer').waitFor();
  await tryDialog(page, { opener: 'Refund', title: 'Refund this charge' });
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('28.50');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Refund created' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: '$28.50 HKD Awaiting details' }).waitFor();
  await expect.poll(() => nameOfFocus(page)).toBe('Refund');

  await open(page, '/charges', 'Charges');
  await page.getByRole('link', { name: 'dropped@example.com' }).waitFor();
  await press(page, 'dropped@example.com');
  await expect.poll(() => nameOfFocus(page)).toBe('$128.50 HKD');
  await tryDialog(page, { opener: 'Cancel charge', title: 'Cancel this charge?' });
  await press(page, 'Cancel charge');
  await page.getByRole('main').getByText('Cancelled', { exact: true }).first().waitFor();

  await open(page, '/transfers', 'Transfers');
  await page.getByRole('link', { name: 'LAU KA YAN' }).waitFor();
  await press(page, 'LAU KA YAN');
  await expect.poll(() => nameOfFocus(page)).toBe('$128.50 HKD');
  await tryDialog(page, { opener: 'Assign', title: 'Assign to a charge' });
  await page.keyboard.type(meant.id);
  await page.keyboard.press('Enter');
  await page.getByText('$128.50 HKD · Assigned').waitFor();

  await open(page, '/checkout-links', 'Checkout links');
  await tryDialog(page, { opener: 'New link', title: 'New checkout link' });
  await page.keyboard.type('12.50');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'The link is ready' }).waitFor();
  await expect.poll(() => nameOfFocus(page)).toBe('Copy link');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/checkout?link=lnk_');
  await page.keyboard.press('Escape');
  await expect.poll(() => nameOfFocus(page)).toBe('New link');

  await open(page, '/webhooks', 'Webhooks');
  await press(page, 'Send webhooks');
  await page.getByRole('status').getByText('1 test notification is on the way.').waitFor();

  await open(page, '/api-keys', 'API keys');
  await tryDialog(page, { opener: 'New key', title: 'New key' });
  await page.keyboard.type('Web shop');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'The key is ready' }).waitFor();
  await press(page, 'Copy secret');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^cs_test_/);
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: 'Web shop' }).waitFor();
}, 90_000);
