import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';
import { relayAndDeliver } from '../setup/deliver-notifications.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { startReceiver, switchable } from '../setup/receiver.ts';

/** Webhooks, their deliveries and the certificates in the dashboard, in a real browser. */

const site = setupDashboardSite();

const deliver = () => relayAndDeliver(site.service, systemClock);

test('a webhook is made, its secrets shown once, and tried', async () => {
  await using receiver = await startReceiver();
  const page = await site.open('/webhooks', desktop);
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'New webhook' });
  await dialog.getByLabel('URL').fill(`${receiver.url}/hooks`);
  await dialog.getByLabel('Username').fill('a:b');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByText('Must not contain a colon').waitFor();
  await dialog.getByLabel('Username').fill('shop');
  await dialog.getByLabel('Concurrency').fill('3');
  await dialog.getByLabel('Rate limit (per second)').fill('50');
  await dialog.getByRole('switch').check({ force: true });
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  const ready = page.getByRole('dialog', { name: 'The webhook is ready' });
  await ready.getByText(/^whsec_/).waitFor();
  await ready.getByText('Password', { exact: true }).waitFor();
  await ready.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: `${receiver.url}/hooks Working All events of version 0.9` }).waitFor();
  expect(await page.getByText(/whsec_/).count()).toBe(0);
  const { prisma } = site.service;
  expect(await prisma.webhook.findFirst({ where: { merchantId: site.merchant.merchant.id } })).toMatchObject({
    concurrency: 3,
    ratePerSecond: 50,
  });

  await page.getByRole('button', { name: 'Send webhooks' }).click();
  await page.getByText('1 test notification is on the way.').waitFor();
  await deliver();
  expect(receiver.requests[0]?.headers['webhook-test']).toBe('true');
});

test('a webhook that is seen to fail is switched off, and on again; what it missed is replayed', async () => {
  const endpoint = switchable(410);
  await using receiver = await startReceiver(endpoint);
  await seedWebhook(site.service, site.merchant, { url: `${receiver.url}/hooks` });
  const page = await site.open('/webhooks', desktop);
  await page.getByRole('row', { name: 'Working' }).waitFor();
  await seedEvent(site.service, site.merchant, { now: new Date() });
  await deliver();
  await page.getByText('A webhook was disabled').waitFor();
  await page.getByText('The endpoint responded with 410 Gone').first().waitFor();
  await seedEvent(site.service, site.merchant, { now: new Date() });
  await deliver();
  await page.context().route('**/graphql', (route) => {
    const isDismissal = route.request().postData()?.includes('dismissAlert');
    return isDismissal ? route.abort() : route.continue();
  });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('alert').getByText('Can’t reach the server').waitFor();
  await page.context().unroute('**/graphql');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('A webhook was disabled').waitFor({ state: 'hidden' });

  endpoint.works = true;
  await page.getByRole('button', { name: 'Actions for' }).click();
  await page.getByRole('menuitem', { name: 'Enable' }).click();
  await page.getByRole('row', { name: 'Working' }).waitFor();
  await page.getByRole('link', { name: 'Notifications' }).click();
  await page.getByRole('row', { name: 'CHARGE_COMPLETE Not sent' }).waitFor();
  await page.getByRole('button', { name: 'Retry failed…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Retry failed notifications' });
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await dialog.getByText('2 notifications are being resent.').waitFor();
  await deliver();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect.poll(() => page.getByRole('row', { name: 'CHARGE_COMPLETE Delivered' }).count()).toBe(2);
});

test('a webhook’s signing secret is rotated; within the overlap, another ends both', async () => {
  await seedWebhook(site.service, site.merchant, { isSigned: true });
  const page = await site.open('/webhooks', desktop);
  await page.getByRole('button', { name: 'Actions for' }).click();
  await page.getByRole('menuitem', { name: 'Rotate signing secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create new secret' }).click();
  const rotated = page.getByRole('dialog', { name: 'New signing secret' });
  await rotated.getByText(/^whsec_/).waitFor();
  const firstSecret = await rotated.getByText(/^whsec_/).textContent();
  await rotated.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Actions for' }).click();
  await page.getByRole('menuitem', { name: 'Rotate signing secret' }).click();
  await page.getByRole('dialog').getByText('A new secret replaces both immediately').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace both secrets now' }).click();
  await expect.poll(() => rotated.getByText(/^whsec_/).textContent()).not.toBe(firstSecret);
});

test('a webhook that is deleted is told of nothing more; what it was told of stays in the log', async () => {
  await using receiver = await startReceiver();
  await seedWebhook(site.service, site.merchant, { url: `${receiver.url}/hooks` });
  await seedEvent(site.service, site.merchant, { now: new Date() });
  await deliver();
  const page = await site.open('/webhooks', desktop);
  await page.getByRole('button', { name: 'Actions for' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const asked = page.getByRole('dialog', { name: 'Delete this webhook?' });
  await asked.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('No webhooks yet').waitFor();
  await seedEvent(site.service, site.merchant, { now: new Date() });
  await deliver();
  expect(receiver.requests).toHaveLength(1);
  await page.getByRole('link', { name: 'Notifications' }).click();
  await expect.poll(() => page.getByRole('row', { name: 'CHARGE_COMPLETE Delivered' }).count()).toBe(1);
});

test('the log filters on a phone, and one notification shows its tries, is sent again, and tells live how that went', async () => {
  const endpoint = switchable(503);
  await using receiver = await startReceiver(endpoint);
  await seedEvent(site.service, site.merchant, {
    now: new Date(),
    callbackUrl: `${receiver.url}/callback`,
  });
  await deliver();
  const page = await site.open('/notifications');
  await page.getByRole('row', { name: 'CHARGE_COMPLETE Pending' }).waitFor();
  expect(await findOverflow(page)).toEqual([]);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Delivered' }).click();
  await page.getByText('No notifications found').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'CHARGE_COMPLETE' }).click();
  await page.getByText(/Attempt 1, .*: HTTP 503 after/).waitFor();
  await page.getByText('Next attempt:').waitFor();
  expect(await findOverflow(page)).toEqual([]);
  endpoint.works = true;
  await page.getByRole('button', { name: 'Resend' }).click();
  await expect
    .poll(async () => {
      await deliver();
      return receiver.requests.length;
    })
    .toBe(2);
  await page.getByText('Delivered', { exact: true }).waitFor();
  await page.getByText(/Attempt 2, .*: HTTP 200 after/).waitFor();
  await page.evaluate(() => history.pushState(null, '', '/dashboard/notifications/ntf_none'));
  await page.getByRole('heading', { level: 1, name: 'Notification not found' }).waitFor();
  expect(await page.title()).toBe('Notification not found · Causeway');
});

test('a certificate is made for tomorrow, downloaded, and revoked; the only one that signs is kept', async () => {
  const page = await site.open('/certificates', desktop);
  await page.getByRole('row', { name: 'Signing' }).waitFor();
  await page.getByRole('button', { name: 'New certificate' }).click();
  await page.getByRole('button', { name: 'Create certificate' }).click();
  const upcoming = page.getByRole('row', { name: 'Upcoming' });
  await upcoming.waitFor();
  const downloading = page.waitForEvent('download');
  await upcoming.getByRole('link', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^cert_\w+\.pem$/);
  expect(await readFile(await download.path(), 'utf8')).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);

  const signing = page.getByRole('row', { name: 'Signing' });
  await signing.getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke this certificate?' });
  await dialog.getByRole('button', { name: 'Revoke certificate' }).click();
  await dialog.getByText('Create a replacement certificate that is already active first').waitFor();
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await upcoming.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke certificate' }).click();
  await page.getByRole('row', { name: 'Revoked' }).waitFor();
});

test('the certificates of a mode are shown in that mode alone, and a developer creates those of the sandbox', async () => {
  const developer = await site.newUser('developer');
  const page = await site.open('/certificates', { ...desktop, mode: 'sandbox' }, developer);
  await page.getByText('These certificates sign sandbox callbacks only.').waitFor();
  expect(await downloadSigning(page)).toBe(site.merchant.certificates.sandbox);
  await page.getByRole('button', { name: 'New certificate' }).waitFor();
  await page.getByRole('radiogroup', { name: 'Mode' }).getByText('Live').click();
  await page.getByText('These certificates sign live callbacks only.').waitFor();
  expect(await downloadSigning(page)).toBe(site.merchant.certificates.live);
  expect(await page.getByRole('button', { name: 'New certificate' }).count()).toBe(0);
});

/** The public key of the only certificate in the list. */
async function downloadSigning(page: Page): Promise<string> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('row', { name: 'Signing' }).getByRole('link', { name: 'Download' }).click();
  return readFile(await (await downloading).path(), 'utf8');
}
