import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { announceUser } from '../../src/domain/user/end-sessions.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { transact } from '../../src/kit/db.ts';
import { widerThanWindow } from '../setup/accessibility.ts';
import { readQr, wide } from '../setup/browser.ts';
import { dashboardSite } from '../setup/dashboard-site.ts';
import { makeCharge } from '../setup/makers.ts';
import { payCharge } from '../setup/transfers.ts';

/** A merchant's way through the dashboard in a real browser. */

const site = dashboardSite();

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(site.merchant.email);
  await page.getByLabel('Password', { exact: true }).fill(site.merchant.password);
  await page.keyboard.press('Enter');
}

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

function newCharge(email: string, mode: Mode = 'live') {
  const input = { email, notifyUrl: 'http://127.0.0.1:9/callback' };
  return makeCharge(site.service, site.merchant, { mode, input, now: new Date() });
}

test('sign in, see a charge appear, open it, see it being paid and told of, lose rights, sign out', async () => {
  const { service } = site;
  const { page } = await site.customer(wide);
  await page.goto(`${site.url}/dashboard`);
  await page.getByLabel('E-mail').fill(site.merchant.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('The e-mail or the password is wrong').waitFor();
  await signIn(page);

  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByText('No charges yet').waitFor();
  const charge = await newCharge('walker@example.com');
  await page.getByRole('row', { name: 'walker@example.com Pending' }).waitFor();
  await page.getByRole('region', { name: 'Open charges' }).getByText('1', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'walker@example.com' }).click();
  await page.getByRole('heading', { level: 1, name: '$128.50 HKD' }).waitFor();
  await page.getByRole('img', { name: 'Payment code as the customer scans it' }).waitFor();
  await page.getByText('A fictional account: it cannot be paid.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/dashboard/charges/${charge.id}`);
  expect(await page.title()).toBe('Charge $128.50 HKD · Causeway');

  await payCharge(service, site.merchant, charge, { minor: 10_000n });
  await page.getByText('Part of the amount arrived').waitFor();
  await page.getByText('$28.50 HKD missing').waitFor();
  await payCharge(service, site.merchant, charge, { minor: 2_850n });
  await page.getByRole('main').getByRole('status').getByText('Completed', { exact: true }).waitFor();
  await page.getByText('Nobody was notified').waitFor();
  await relayEvents(service, { now: new Date() });
  await page.getByRole('button', { name: /^CHARGE_COMPLETE Callback/ }).waitFor();

  // Who may do less from now on is offered less at once.
  const refund = page.getByRole('button', { name: 'Refund' });
  await refund.waitFor();
  const { id } = await service.prisma.merchantUser.findFirstOrThrow({
    where: { email: site.merchant.email },
  });
  await transact(service, async (tx) =>
    announceUser(tx, await tx.merchantUser.update({ where: { id }, data: { role: 'developer' } })),
  );
  await refund.waitFor({ state: 'hidden' });

  const signOut = async () => {
    await page.getByRole('button', { name: `Account of ${site.merchant.email}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await page.context().route('**/graphql', (route) => route.abort());
  await signOut();
  await page.getByRole('alert').getByText('You are still signed in. The server does not answer').waitFor();
  await page.context().unroute('**/graphql');
  await signOut();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await page.getByText('Your session has ended').count()).toBe(0);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await service.prisma.userSession.count()).toBe(0);
});

test('on a phone: the sandbox’s charges are completed and cancelled by hand, live ones are not among them', async () => {
  const done = await newCharge('sandbox@example.com', 'sandbox');
  await newCharge('dropped@example.com', 'sandbox');
  const page = await site.open('/charges');
  await page.getByRole('radiogroup', { name: 'Mode' }).getByText('Sandbox').click();
  await page.getByText('nothing here is real money').waitFor();
  await page.getByRole('row', { name: 'sandbox@example.com Pending' }).waitFor();
  expect(await page.getByRole('row', { name: 'walker@example.com' }).count()).toBe(0);

  await page.getByRole('link', { name: 'sandbox@example.com' }).click();
  await page.getByRole('button', { name: 'Complete' }).click();
  const asked = page.getByRole('dialog', { name: 'Complete this charge?' });
  await asked.getByRole('button', { name: 'Complete charge' }).click();
  await page.getByText('Completed by hand, without a transfer').waitFor();
  await page.getByText(/, by you$/).waitFor();
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
  expect(await widerThanWindow(page)).toEqual([]);
});

test('a checkout link is made, copied, opened and closed; a session is made and cancelled', async () => {
  const page = await site.open('/checkout-links', {
    ...wide,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByRole('button', { name: 'New link' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New checkout link' }).waitFor();
  await page.keyboard.type('12.555');
  await page.keyboard.press('Enter');
  const fault = 'Write 12555.00 if that is meant: HKD has 2 decimals';
  await page.getByText(fault).waitFor();
  expect(await page.evaluate(focusedFault)).toBe(`Amount: ${fault}`);
  await page.getByLabel('Amount', { exact: true }).fill('a lot');
  await page.keyboard.press('Enter');
  await page.getByText('Must be a decimal number, such as 12.50').waitFor();
  await page.getByLabel('Amount', { exact: true }).fill('1,128.50');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Dragon Well');
  await page.getByLabel('Charges at most').fill('2');
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
  const code = page.getByRole('img', { name: 'Code that opens the checkout' });
  expect(await readQr({ context: page.context() }, await code.screenshot())).toBe(link);
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close link' }).click();
  await row.getByText('Closed').waitFor();
  expect((await site.app.inject(link.slice(site.url.length))).statusCode).toBe(410);

  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('button', { name: 'New session' }).click();
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.getByLabel('Amount', { exact: true }).fill('86.40');
  await dialog.getByLabel('Name of line 1').fill('Porcelain gaiwan');
  await dialog.getByLabel('Quantity of line 1').fill('2');
  await dialog.getByRole('combobox', { name: 'Payment methods' }).click();
  await page.getByRole('option', { name: 'FPS' }).click();
  await dialog.getByLabel('First name').fill('Mei');
  await dialog.getByLabel('E-mail').fill('mei@example.com');
  await dialog.getByLabel('Code').fill('+852');
  await dialog.getByLabel('Phone').fill('12');
  await dialog.getByLabel('Leads back to').fill('https://shop.example/thanks');
  await dialog.getByLabel('Callback to').fill('https://shop.example/told');
  await page.keyboard.press('Enter');
  await dialog.getByText('Not a phone number').waitFor();
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

test('the list filters by status, method and what a text names, and pages back and forth', async () => {
  for (let i = 10; i < 40; i++) {
    const input = { email: `c${i}@example.com`, method: i === 10 ? 'paynow' : 'fps', merchantAmount: i };
    await makeCharge(site.service, site.merchant, { input, now: new Date() });
  }
  const page = await site.open('/charges', wide);
  const rows = page.getByRole('row');
  const firstCustomer = (name: string) => rows.nth(1).getByRole('link', { name }).waitFor();

  await firstCustomer('c39@example.com');
  await page.getByRole('button', { name: 'Older' }).click();
  await firstCustomer('c14@example.com');
  expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Newer' }).click();
  await firstCustomer('c39@example.com');

  await page.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: 'PayNow' }).click();
  await firstCustomer('c10@example.com');
  expect(await rows.count()).toBe(2);
  await page.goBack();
  await page.getByRole('searchbox', { name: 'Search' }).fill('C12@example.com');
  await page.getByRole('button', { name: 'Find' }).click();
  await firstCustomer('c12@example.com');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Expired' }).click();
  await page.getByText('No charge matches').waitFor();
});

test('says what it cannot load, and at another address of the server, where to go', async () => {
  await newCharge('walker@example.com');
  const page = await site.open('', wide);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.context().route('**/graphql', (route) => route.abort());
  await page.getByRole('link', { name: 'Statements' }).click();
  await page.getByRole('alert').getByText('The server does not answer').waitFor();
  await page.context().unroute('**/graphql');
  // A proxy before the service answers in words of its own.
  for (const [status, text] of [
    [503, 'not available at the moment'],
    [429, 'Too many requests came'],
  ] as const) {
    await page.context().route('**/graphql', (route) => route.fulfill({ status, body: 'No.' }));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText(text).waitFor();
    await page.context().unroute('**/graphql');
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No statements yet').waitFor();

  // What was there before stays, and it is said that it is not what was asked for.
  await page.getByRole('link', { name: 'Charges', exact: true }).click();
  await page.getByRole('row', { name: 'walker@example.com' }).waitFor();
  await page.context().route('**/graphql', (route) => route.abort());
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Expired' }).click();
  await page.getByRole('alert').getByText('The server does not answer').waitFor();
  expect(await page.getByRole('row', { name: 'walker@example.com' }).count()).toBe(1);
  await page.context().unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No charge matches').waitFor();

  await page.context().route('**/assets/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Plans' }).click();
  await page.getByRole('alert').getByText('This page could not be loaded').waitFor();
  await page.context().unroute('**/assets/**');
  await page.getByRole('button', { name: 'Load it again' }).click();
  await page.getByText('No plans yet').waitFor();

  site.service.settings.publicUrl = 'https://pay.example.com';
  await page.goto(`${site.url}/dashboard/charges`);
  const link = page.getByRole('link', { name: 'https://pay.example.com/dashboard' });
  expect(await link.getAttribute('href')).toBe('https://pay.example.com/dashboard/charges');
  site.service.settings.publicUrl = site.url;
});
