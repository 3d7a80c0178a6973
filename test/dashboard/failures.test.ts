import { expect, onTestFinished } from 'vitest';
import { desktop } from '../setup/browser.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';
import { seedCharge } from '../setup/seed.ts';
import { setPublicUrl } from '../setup/service.ts';

test('A page that fails to load shows the error, and loads on retry', async ({ site }) => {
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
  await page.getByRole('alert').getByText('This page could not be loaded').waitFor();
  await page.context().unroute('**/assets/**');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('No plans yet').waitFor();
});

test('The dashboard links to its public URL when it is opened at another address', async ({ site }) => {
  setPublicUrl(onTestFinished, site.service, 'https://pay.example.com');
  const { page } = await site.customer(desktop);
  await page.goto(`${site.url}/dashboard/charges`);
  const link = page.getByRole('link', { name: 'https://pay.example.com/dashboard' });
  expect(await link.getAttribute('href')).toBe('https://pay.example.com/dashboard/charges');
});
