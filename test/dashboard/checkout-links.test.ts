import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { desktop, readQr } from '../setup/browser.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';

/** Where a merchant sends customers to pay: links and sessions, made at the dashboard in a real browser. */

const permissions = ['clipboard-read', 'clipboard-write'];

const site = setupDashboardSite();

/** The dialog that closed has given the focus back to the button it was opened by. */
async function focusIsOn(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
}

/** The field that has the focus, and the fault it is described by; runs in the page. */
function focusedFault(): string {
  const field = document.activeElement as HTMLInputElement;
  const ids = (field.getAttribute('aria-describedby') ?? '').split(' ');
  const said = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  return field.ariaInvalid === 'true' ? `${field.labels?.[0]?.textContent}: ${said.trim()}` : 'no fault';
}

test('a link is made, copied, opened and closed', async () => {
  const page = await site.open('/checkout-links', { ...desktop, permissions });
  await page.getByRole('button', { name: 'New link' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New checkout link' }).waitFor();
  await page.keyboard.type('12.555');
  await page.keyboard.press('Enter');
  const fault = 'Did you mean 12555.00? HKD has 2 decimal places';
  await page.getByText(fault).waitFor();
  expect(await page.evaluate(focusedFault)).toBe(`Amount: ${fault}`);
  await page.getByLabel('Amount', { exact: true }).fill('a lot');
  await page.keyboard.press('Enter');
  await page.getByText('Must be a decimal number, such as 12.50').waitFor();
  await page.getByLabel('Amount', { exact: true }).fill('1,128.50');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Dragon Well');
  await page.getByLabel('Maximum payments').fill('2');
  await page.keyboard.press('Enter');
  const ready = page.getByRole('dialog', { name: 'The link is ready' });
  await ready.waitFor();
  await page.keyboard.press('Escape');
  await ready.waitFor({ state: 'hidden' });
  await focusIsOn(page, 'New link');
  const row = page.getByRole('row', { name: 'Dragon Well $1,128.50 HKD 0 of 2' });
  await row.getByRole('button', { name: 'Copy' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(new RegExp(`^${site.url}/checkout\\?link=lnk_`));
  expect((await site.app.inject(link.slice(site.url.length))).statusCode).toBe(200);

  await row.getByRole('button', { name: 'QR' }).click();
  const code = page.getByRole('img', { name: 'QR code that opens the checkout page' });
  expect(await readQr({ context: page.context() }, await code.screenshot())).toBe(link);
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate link' }).click();
  await row.getByText('Deactivated').waitFor();
  expect((await site.app.inject(link.slice(site.url.length))).statusCode).toBe(410);
});

test('a session is made and cancelled', async () => {
  const page = await site.open('/sessions', { ...desktop, permissions });
  await page.getByRole('button', { name: 'New session' }).click();
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.getByLabel('Amount', { exact: true }).fill('86.40');
  await dialog.getByLabel('Name of item 1').fill('Porcelain gaiwan');
  await dialog.getByLabel('Quantity of item 1').fill('2');
  await dialog.getByRole('combobox', { name: 'Payment methods' }).click();
  await page.getByRole('option', { name: 'FPS' }).click();
  await dialog.getByLabel('First name').fill('Mei');
  await dialog.getByRole('textbox', { name: 'Email' }).fill('mei@example.com');
  await dialog.getByLabel('Code').fill('+852');
  await dialog.getByLabel('Phone').fill('12');
  await dialog.getByLabel('Return URL').fill('https://shop.example/thanks');
  await dialog.getByLabel('Callback URL').fill('https://shop.example/told');
  await page.keyboard.press('Enter');
  await dialog.getByText('Enter a valid phone number').waitFor();
  await dialog.getByLabel('Phone').fill('5123 4567');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'The session is ready' }).waitFor();
  await page.getByRole('button', { name: 'Copy link' }).click();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect((await site.app.inject(address.slice(site.url.length))).body).toContain('mei@example.com');
  await page.keyboard.press('Escape');
  await page
    .getByRole('row', { name: 'Porcelain gaiwan Not opened $86.40 HKD' })
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: '$86.40 HKD' }).waitFor();
  for (const text of [
    '2 × Porcelain gaiwan',
    'FPS',
    'Mei',
    '+85251234567',
    'https://shop.example/thanks',
    'https://shop.example/told',
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
