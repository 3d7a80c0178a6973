import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { desktop } from '../setup/browser.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';

const getPrompt = (page: Page) => page.getByRole('dialog', { name: 'Discard changes?' });

async function answer(page: Page, name: 'Keep editing' | 'Discard'): Promise<void> {
  await getPrompt(page).getByRole('button', { name }).click();
  await getPrompt(page).waitFor({ state: 'detached' });
}

test('a dialog with unsaved input is closed only after a confirmation', async ({ site }) => {
  const page = await site.open('/checkout-links', { ...desktop, mode: 'live' });
  const dialog = page.getByRole('dialog', { name: 'New checkout link' });
  await page.getByRole('button', { name: 'New link' }).click();
  const amount = dialog.getByLabel('Amount', { exact: true });
  await amount.fill('25');
  await page.keyboard.press('Escape');
  await getPrompt(page).waitFor();
  await page.keyboard.press('Escape');
  await getPrompt(page).waitFor({ state: 'detached' });
  expect(await amount.inputValue()).toBe('25');
  await page.mouse.click(5, 5);
  await answer(page, 'Discard');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New link' }).click();
  await amount.fill('');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a dialog closes without a question after its form was saved', async ({ site }) => {
  const page = await site.open('/checkout-links', { ...desktop, mode: 'live' });
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByLabel('Amount', { exact: true }).fill('25');
  await page.getByRole('button', { name: 'Create link' }).click();
  const created = page.getByRole('dialog', { name: 'The link is ready' });
  await created.waitFor();
  await page.keyboard.press('Escape');
  await created.waitFor({ state: 'detached' });
});

test('a page with unsaved input is left by a link, Back or another mode only after a confirmation', async ({
  site,
}) => {
  const page = await site.open('/receiving-accounts', { ...desktop, mode: 'live' });
  await page.getByRole('link', { name: 'New account' }).click();
  const holder = page.getByRole('textbox', { name: 'Holder' });
  await holder.fill('Harbour Teas');
  await page.getByRole('link', { name: 'Home' }).click();
  await answer(page, 'Keep editing');
  await page.getByText('Sandbox', { exact: true }).click();
  await answer(page, 'Keep editing');
  await page.goBack();
  await answer(page, 'Keep editing');
  expect(new URL(page.url()).pathname).toBe('/dashboard/receiving-accounts/new');
  expect(await holder.inputValue()).toBe('Harbour Teas');
  await page.goBack();
  await answer(page, 'Discard');
  await page.getByRole('heading', { level: 1, name: 'Receiving accounts' }).waitFor();
});

test('after the changes are discarded, the other mode opens with the list', async ({ site }) => {
  const page = await site.open('/receiving-accounts/new', { ...desktop, mode: 'live' });
  await page.getByRole('textbox', { name: 'Holder' }).fill('Harbour Teas');
  await page.getByText('Sandbox', { exact: true }).click();
  await answer(page, 'Discard');
  await page.getByText('No real money moves').waitFor();
  await page.waitForURL('**/dashboard/receiving-accounts');
});

test('a guide stays open in the other mode', async ({ site }) => {
  const page = await site.open('/help/guides/users', { ...desktop, mode: 'live' });
  const heading = page.getByRole('heading', { level: 1 });
  await heading.waitFor();
  const title = await heading.textContent();
  await page.getByText('Sandbox', { exact: true }).click();
  await page.getByText('No real money moves').waitFor();
  await page.getByRole('heading', { level: 1, name: title!, exact: true }).waitFor();
});

test('the browser warns before it closes a tab with unsaved settings, but not after they were saved', async ({
  site,
}) => {
  const page = await site.open('/settings', { ...desktop, mode: 'live' });
  const warnings: string[] = [];
  page.on('dialog', (dialog) => {
    warnings.push(dialog.type());
    void dialog.dismiss();
  });
  await page.getByLabel('Shop name').fill('Harbour Teas Central');
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => warnings).toEqual(['beforeunload']);
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo');
  await page.getByRole('option', { name: 'Tokyo' }).click();
  expect(await page.getByText('Saved', { exact: true }).count()).toBe(0);
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => warnings).toHaveLength(2);
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => page.isClosed()).toBe(true);
  expect(warnings).toHaveLength(2);
});
