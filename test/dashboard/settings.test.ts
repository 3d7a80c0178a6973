import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { declineRestrictedAccess } from '../../src/domain/accounts/merchant/decline-restricted-access.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { findOverflow } from '../setup/accessibility.ts';
import { callApi } from '../setup/api.ts';
import { desktop } from '../setup/browser.ts';
import { signInByForm } from '../setup/browser-sign-in.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';
import { dropResponse, holdResponse } from '../setup/intercept-response.ts';

/** Where an owner is signed in, and their settings, keys and access, in a real browser. */

const site = setupDashboardSite({ restricted: 'none' });

const shown = async (dialog: Locator, name: string) =>
  (await dialog.getByRole('button', { name }).textContent()) ?? '';

const row = () =>
  site.service.prisma.merchant.findUniqueOrThrow({ where: { id: site.merchant.merchant.id } });

test('a session elsewhere is seen and ended; its page goes to the door', async () => {
  const there = await site.open('/charges', desktop);
  await there.getByRole('heading', { name: 'Charges', level: 1 }).waitFor();
  const page = await site.open('/account');
  await page.getByRole('textbox', { name: 'Name' }).fill('Lau Ka Yan');
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: `Account of ${site.merchant.email}` })
    .getByText('L')
    .waitFor();
  await page.getByRole('button', { name: 'Sign out other sessions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out other sessions' }).click();
  const sessions = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
  await expect.poll(() => sessions.count()).toBe(2);
  await sessions.getByText('Chrome on Linux').waitFor();
  // Nobody touches the other window: its live connection is closed.
  await there.getByRole('button', { name: 'Sign in' }).waitFor();
  await there.getByRole('status').getByText('Your session has expired.').waitFor();
  await signInByForm(there, site.merchant);
  await there.getByRole('heading', { name: 'Charges', level: 1 }).waitFor();
  await page.reload();
  const other = sessions.filter({ has: page.getByRole('button'), hasNotText: 'Current session' });
  await other.getByRole('button', { name: 'End Chrome on Linux' }).click();
  const asked = page.getByRole('dialog', { name: 'End this session?' });
  await asked.getByRole('button', { name: 'End session' }).click();
  await other.waitFor({ state: 'hidden' });
  await there.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('signed out everywhere: here too, and elsewhere with the next click; nothing stays connected', async () => {
  const there = await site.open('/settings', desktop);
  await there.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  // A second window of the same browser, which follows what happens.
  const live = await there.context().newPage();
  const connecting = live.waitForEvent('websocket');
  await live.goto(`${site.url}/dashboard/charges`);
  const socket = await connecting;
  await live.getByRole('heading', { name: 'Charges', level: 1 }).waitFor();
  const page = await site.open('/account');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const asked = page.getByRole('dialog', { name: 'Sign out everywhere?' });
  await asked.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expect.poll(() => socket.isClosed()).toBe(true);
  await live.getByRole('heading', { name: 'Sign in' }).waitFor();
  await there.getByRole('link', { name: 'Audit log' }).click();
  await there.getByRole('heading', { name: 'Sign in' }).waitFor();
  await there.getByRole('status').getByText('Your session has expired.').waitFor();
  const where = { user: { email: site.merchant.email } };
  expect(await site.service.prisma.userSession.count({ where })).toBe(0);
});

test('settings are changed together; a fault stands beside its field, and nothing is saved then', async () => {
  const page = await site.open('/settings', desktop);
  const save = page.getByRole('button', { name: 'Save settings' });
  await page.getByLabel('Exchange rate markup').fill('12');
  await page.getByLabel('FPS').fill('45');
  await page.getByRole('switch', { name: 'Secure mode' }).check();
  await save.click();
  await page.getByText('Must be a decimal from 0 to 0.1 with at most 4 decimal places').waitFor();
  expect(await row()).toMatchObject({ secureMode: false, paymentWindows: {} });
  await page.getByLabel('FPS').fill('soon');
  await save.click();
  await page.getByRole('alert').getByText('soon is not a whole number').waitFor();
  await page.getByLabel('FPS').fill('45');
  await page.getByLabel('Maximum rate age').fill('1.5');
  await save.click();
  await page.getByText('1.5 is not a whole number').waitFor();
  await page.getByLabel('Maximum rate age').fill('6');

  await page.getByLabel('Exchange rate markup').fill('1.25');
  await page.getByLabel('Underpayment tolerance').fill('0,5');
  await page.getByRole('combobox', { name: 'App schemes' }).fill('MyShop');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Time zone' }).click();
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Hong');
  await page.getByRole('option', { name: 'Asia/Hong Kong' }).click();
  await save.click();
  await page.getByRole('status').getByText('Saved').waitFor();
  const saved = await row();
  expect([saved.markup.toFixed(), saved.underpaymentTolerance.toFixed()]).toEqual(['0.0125', '0.005']);
  expect(saved).toMatchObject({
    secureMode: true,
    timeZone: 'Asia/Hong_Kong',
    redirectSchemes: ['myshop'],
    paymentWindows: { fps: 45 },
  });
  await page.reload();
  expect(await page.getByLabel('Exchange rate markup').inputValue()).toBe('1.25');
  expect(await page.getByLabel('FPS').inputValue()).toBe('45');

  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('row', { name: 'Settings changed' }).getByText('0 → 0.0125').waitFor();
});

test('what a colleague changes meanwhile shows when one comes back, and stays when one saves something else', async () => {
  const change = (data: object) =>
    site.service.prisma.merchant.update({ where: { id: site.merchant.merchant.id }, data });
  await change({ redirectSchemes: ['myshop'] });
  const page = await site.open('/settings', desktop);
  const markup = page.getByLabel('Exchange rate markup');
  expect(await markup.inputValue()).toBe('0');
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  await change({ markup: '0.02' });
  await page.getByRole('link', { name: 'Settings' }).click();
  await markup.waitFor();
  expect(await markup.inputValue()).toBe('2');
  await change({ underpaymentTolerance: '0.015' });
  await page.getByLabel('FPS').fill('1.440');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByRole('status').getByText('Saved').waitFor();
  const last = await row();
  expect(last.underpaymentTolerance.toFixed()).toBe('0.015');
  expect(last).toMatchObject({ paymentWindows: { fps: 1440 }, redirectSchemes: ['myshop'] });
});

test('times are shown by the merchant’s clock, wherever one looks from', async () => {
  await site.service.prisma.merchant.update({
    where: { id: site.merchant.merchant.id },
    data: {
      timeZone: 'Pacific/Auckland',
      accessRequestedAt: new Date('2026-01-31T12:00:00Z'),
      restrictedAccess: 'requested',
    },
  });
  const page = await site.open('/access', { ...desktop, timezoneId: 'America/Los_Angeles' });
  await page.getByText('You requested access on 1 Feb 2026').waitFor();
});

test('a key is made, its secret shown once, rotated and revoked', async () => {
  const page = await site.open('/api-keys', desktop);
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Web shop');
  await page.getByLabel('Create refunds').uncheck();
  await page.getByRole('button', { name: 'Create key' }).click();
  const made = page.getByRole('dialog', { name: 'The key is ready' });
  const apiKey = await shown(made, 'Copy key');
  const apiSecret = await shown(made, 'Copy secret');
  const status = async (keys = { apiKey, apiSecret, publishableKey: '' }) =>
    (await callApi(site.app, { method: 'GET', url: '/charges', keys })).status;
  expect(await status()).toBe(200);
  await made.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: 'Web shop' }).getByText('read, write', { exact: true }).waitFor();
  expect(await page.content()).not.toContain(apiSecret);

  await page.reload();
  await page
    .getByRole('row', { name: 'Web shop' })
    .getByText(/^Used /)
    .waitFor();
  await page.getByRole('row', { name: 'Web shop' }).getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('combobox', { name: 'Old key' }).click();
  await page.getByRole('option', { name: 'Expires in 1 week' }).click();
  // Nobody leaves before the secret is there, which is shown this once.
  const rotation = await holdResponse(page, 'RotateApiKey');
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
  await page.keyboard.press('Escape');
  await rotation.release();
  const turned = page.getByRole('dialog', { name: 'The new key' });
  const second = {
    apiKey: await shown(turned, 'Copy key'),
    apiSecret: await shown(turned, 'Copy secret'),
    publishableKey: '',
  };
  expect([await status(), await status(second)]).toEqual([200, 200]);
  const { expiresAt } = await site.service.prisma.apiKey.findUniqueOrThrow({
    where: { key: apiKey },
  });
  const daysLeft = ((expiresAt?.getTime() ?? 0) - Date.now()) / dayMs;
  expect(daysLeft > 6.9 && daysLeft <= 7).toBe(true);
  await turned.getByRole('button', { name: 'Done' }).click();
  const ending = page.getByRole('row', { name: 'Web shop' }).filter({ hasText: 'Expiring' });
  await ending.getByRole('button', { name: 'Revoke' }).click();
  await page
    .getByRole('dialog', { name: 'Revoke this key?' })
    .getByRole('button', { name: 'Revoke key' })
    .click();
  await page.getByRole('row', { name: 'Web shop' }).filter({ hasText: 'Revoked' }).waitFor();
  expect([await status(), await status(second)]).toEqual([401, 200]);

  // The answer to a new one is lost: it is made once, and its secret is not said to be shown.
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Till');
  await dropResponse(page, 'CreateApiKey');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('alert').getByText('Can’t reach the server.').waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page
    .getByRole('alert')
    .getByText('The key was created by an earlier attempt, but its secret was lost')
    .waitFor();
  const keys = { merchantId: site.merchant.merchant.id, name: 'Till' };
  expect(await site.service.prisma.apiKey.count({ where: keys })).toBe(1);
});

test('on a phone: access is asked for, and says which months fall short; a decline says why', async () => {
  const page = await site.open('/access');
  await page.getByRole('button', { name: 'Request access' }).click();
  await page
    .getByText(
      'Your volume is too low in some months, so the operator of this service will review your request.',
    )
    .waitFor();
  expect(await page.getByText('$2,000,000.00 USD short').count()).toBe(6);
  expect((await row()).restrictedAccess).toBe('requested');
  const by = { actor: 'operator', merchantId: site.merchant.merchant.id, now: new Date() };
  await declineRestrictedAccess(site.service, { ...by, reason: 'Come back in spring' });
  await page.reload();
  await page.getByRole('alert').getByText('Come back in spring').waitFor();
  expect(await findOverflow(page)).toEqual([]);
});
