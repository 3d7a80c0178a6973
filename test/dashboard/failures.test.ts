import { expect, test } from 'vitest';
import { wide } from '../setup/browser.ts';
import { dashboardSite } from '../setup/dashboard-site.ts';
import { makeCharge } from '../setup/makers.ts';
import { atPublicUrl } from '../setup/public-url.ts';

/** What the dashboard says where it cannot do its part, in a real browser. */

const site = dashboardSite();

test('a page says what it cannot load, and loads it once it is asked again', async () => {
  const input = { email: 'walker@example.com' };
  await makeCharge(site.service, site.merchant, { input, now: new Date() });
  const page = await site.open('', wide);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.context().route('**/graphql', (route) => route.abort());
  await page.getByRole('link', { name: 'Statements' }).click();
  await page.getByRole('alert').getByText('Can’t reach the server').waitFor();
  await page.context().unroute('**/graphql');
  // A proxy before the service answers in words of its own.
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

  // What was there before stays, and it is said that it is not what was asked for.
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
  await page.getByRole('alert').getByText('This page could not be loaded').waitFor();
  await page.context().unroute('**/assets/**');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('No plans yet').waitFor();
});

test('at another address of the server the dashboard says where to go', async () => {
  atPublicUrl(site.service, 'https://pay.example.com');
  const { page } = await site.customer(wide);
  await page.goto(`${site.url}/dashboard/charges`);
  const link = page.getByRole('link', { name: 'https://pay.example.com/dashboard' });
  expect(await link.getAttribute('href')).toBe('https://pay.example.com/dashboard/charges');
});
