import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { requestPhoneVerification } from '../../src/domain/payments/phone-verification/request-phone-verification.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { createPageChecker, findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { signInByForm } from '../setup/browser-sign-in.ts';
import { type DashboardSite, dashboardTest as test } from '../setup/dashboard-site.ts';
import { relayAndDeliver } from '../setup/deliver-notifications.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { seedMail, sendDueMessages } from '../setup/messages.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { respondWith, startReceiver, switchable } from '../setup/receiver.ts';
import { readLinkToken } from '../setup/users.ts';

const deliver = (site: DashboardSite) => relayAndDeliver(site.service, systemClock);

async function downloadSigning(page: Page): Promise<string> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('row', { name: 'Signing' }).getByRole('link', { name: 'Download' }).click();
  return readFile(await (await downloading).path(), 'utf8');
}

const findErrors = createPageChecker();

test('a webhook is created, its secrets are displayed once, and it receives a test notification', async ({
  site,
}) => {
  await using receiver = await startReceiver();
  const page = await site.open('/webhooks', desktop);
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'New webhook' });
  await dialog.getByLabel('Name', { exact: true }).fill('Order system');
  await dialog.getByLabel('URL').fill(`${receiver.url}/hooks`);
  await dialog.getByLabel('Username').fill('a:b');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByText('Must not contain a colon').waitFor();
  await dialog.getByLabel('Username').fill('shop');
  await dialog.getByLabel('Simultaneous requests').fill('3');
  await dialog.getByLabel('Rate limit (per second)').fill('50');
  await dialog.getByRole('switch').check({ force: true });
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  const ready = page.getByRole('dialog', { name: 'The webhook is ready' });
  await ready.getByText(/^whsec_/).waitFor();
  await ready.getByText('Password', { exact: true }).waitFor();
  await ready.getByRole('button', { name: 'Done' }).click();
  await page
    .getByRole('row', { name: /^Order system.*\/hooks Working All events in version 1\.0/ })
    .waitFor();
  expect(await page.getByText(/whsec_/).count()).toBe(0);
  const { prisma } = site.service;
  expect(await prisma.webhook.findFirst({ where: { merchantId: site.merchant.merchant.id } })).toMatchObject({
    concurrency: 3,
    ratePerSecond: 50,
  });

  await seedWebhook(site.service, site.merchant, {});
  await page.reload();
  await page.getByRole('button', { name: 'Send test…' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Send a test notification?' });
  await confirmation.getByText('Your live endpoints will receive it.').waitFor();
  await confirmation.getByRole('combobox', { name: 'Send to' }).click();
  await confirmation.getByRole('option', { name: /^Order system/ }).click();
  await confirmation.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('1 test notification is on its way.').waitFor();
  await deliver(site);
  expect(receiver.requests[0]?.headers['webhook-test']).toBe('true');
});

test('the event types of a webhook are chosen from those of its version', async ({ site }) => {
  const { id, url } = await seedWebhook(site.service, site.merchant, {});
  const page = await site.open('/webhooks', desktop);
  await page.getByRole('button', { name: 'Actions for' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
  const events = dialog.getByRole('combobox', { name: 'Events to send' });
  await events.fill('charge_expired');
  await dialog.getByRole('option').first().waitFor({ state: 'detached' });
  await dialog.getByRole('combobox', { name: 'Version' }).click();
  await dialog.getByRole('option', { name: '1.0: all events' }).click();
  await events.fill('charge_expired');
  await dialog.getByRole('option', { name: 'Expired: not paid in time (charge_expired)' }).click();
  await events.press('Tab');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: `${url} Working Expired: not paid in time` }).waitFor();
  const stored = await site.service.prisma.webhook.findUniqueOrThrow({ where: { id } });
  expect(stored).toMatchObject({ version: '1.0', eventTypes: ['charge_expired'] });
});

test('a failing webhook is disabled and enabled again, and its skipped notifications are replayed', async ({
  site,
}) => {
  const endpoint = switchable(410);
  await using receiver = await startReceiver(endpoint);
  await seedWebhook(site.service, site.merchant, { url: `${receiver.url}/hooks` });
  const page = await site.open('/webhooks', desktop);
  await page.getByRole('row', { name: 'Working' }).waitFor();
  await seedEvent(site.service, site.merchant, { now: new Date() });
  await deliver(site);
  await page.getByText('A webhook was disabled').waitFor();
  await page.getByText('The endpoint responded with 410 Gone').first().waitFor();
  await seedEvent(site.service, site.merchant, { now: new Date() });
  await deliver(site);
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
  await page.getByRole('button', { name: 'Retry failed notifications…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Retry failed notifications' });
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await dialog.getByText('2 notifications are being retried.').waitFor();
  await deliver(site);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect.poll(() => page.getByRole('row', { name: 'CHARGE_COMPLETE Delivered' }).count()).toBe(2);
});

test('a signing secret is rotated, and a second rotation within the overlap replaces both secrets', async ({
  site,
}) => {
  await seedWebhook(site.service, site.merchant, { isSigned: true });
  const page = await site.open('/webhooks', desktop);
  await page.getByRole('button', { name: 'Actions for' }).click();
  await page.getByRole('menuitem', { name: 'Rotate signing secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate signing secret' }).click();
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

test('a deleted webhook receives nothing more, and its notifications stay in the log', async ({ site }) => {
  await using receiver = await startReceiver();
  await seedWebhook(site.service, site.merchant, { url: `${receiver.url}/hooks` });
  await seedEvent(site.service, site.merchant, { now: new Date() });
  await deliver(site);
  const page = await site.open('/webhooks', desktop);
  await page.getByRole('button', { name: 'Actions for' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Delete this webhook?' });
  await confirmation.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('No webhooks yet').waitFor();
  await seedEvent(site.service, site.merchant, { now: new Date() });
  await deliver(site);
  expect(receiver.requests).toHaveLength(1);
  await page.getByRole('link', { name: 'Notifications' }).click();
  await expect.poll(() => page.getByRole('row', { name: 'CHARGE_COMPLETE Delivered' }).count()).toBe(1);
});

test('the log filters on a phone, and a notification displays its attempts and is resent with live updates', async ({
  site,
}) => {
  const endpoint = switchable(503);
  await using receiver = await startReceiver(endpoint);
  await seedEvent(site.service, site.merchant, {
    now: new Date(),
    callbackUrl: `${receiver.url}/callback`,
  });
  await deliver(site);
  const page = await site.open('/notifications');
  await page.getByRole('row', { name: 'CHARGE_COMPLETE Pending' }).waitFor();
  expect(await findOverflow(page)).toEqual([]);
  await page.getByRole('button', { name: 'Filters' }).click();
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
      await deliver(site);
      return receiver.requests.length;
    })
    .toBe(2);
  await page.getByText('Delivered', { exact: true }).waitFor();
  await page.getByText(/Attempt 2, .*: HTTP 200 after/).waitFor();
  await page.evaluate(() => history.pushState(null, '', '/dashboard/notifications/ntf_none'));
  await page.getByRole('heading', { level: 1, name: 'Notification not found' }).waitFor();
  expect(await page.title()).toBe('Notification not found · Causeway');
});

test('a certificate is created, downloaded and revoked, except the only active one', async ({ site }) => {
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
  await dialog.getByText('Create another certificate and wait until it is active').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await upcoming.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke certificate' }).click();
  await page.getByRole('row', { name: 'Revoked' }).waitFor();
});

test('certificates are listed in their mode, and developers create those of the sandbox only', async ({
  site,
}) => {
  const developer = await site.newUser('developer');
  const page = await site.open('/certificates', { ...desktop, mode: 'sandbox' }, developer);
  await page.getByText('These certificates sign sandbox callbacks only.').waitFor();
  expect(await downloadSigning(page)).toBe(site.merchant.certificates.sandbox);
  await page.getByRole('button', { name: 'New certificate' }).waitFor();
  await page.getByRole('radiogroup', { name: 'Mode' }).getByText('Live').click();
  await page.getByText('These certificates sign live callbacks only.').waitFor();
  expect(await downloadSigning(page)).toBe(site.merchant.certificates.live);
  await page.getByRole('button', { name: 'New certificate' }).waitFor({ state: 'detached' });
});

test('a captured mail is displayed as HTML and as text, and a sent one only with its state', async ({
  site,
}) => {
  const { service, merchant } = site;
  const { id: merchantId } = merchant.merchant;
  const page = await site.open('/mailbox', desktop);
  await page.getByText('No messages yet').waitFor();
  await seedMail(service, { merchantId });
  await sendDueMessages(service, 'email', {});
  // The page polls for new messages.
  await page.getByRole('row', { name: 'Your refund Not sent ada@example.com' }).waitFor();
  await page.getByRole('link', { name: 'Your refund' }).click();
  await page.getByRole('heading', { level: 1, name: 'Your refund' }).waitFor();
  await page.getByRole('button', { name: 'Show message' }).click();
  await page.getByRole('dialog').getByLabel('Your password').fill(merchant.password);
  await page.keyboard.press('Enter');
  const frame = page.frameLocator('iframe[title="Your refund"]');
  await frame.getByRole('heading', { name: 'Your refund' }).waitFor();
  const button = frame.getByRole('link', { name: 'Say where' });
  expect(await button.getAttribute('href')).toBe('https://pay.example/pay/refund/secret');
  // The content security policy allows its style.
  expect(await button.evaluate((link) => getComputedStyle(link).display)).toBe('inline-block');
  await page.getByRole('tab', { name: 'Plain text' }).click();
  await page.getByText('Say where: https://pay.example/pay/refund/secret').waitFor();

  await using server = await startMailServer();
  await seedMail(service, { merchantId, to: 'bob@example.com' });
  const settings = { smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom: 'pay@shop.example' };
  await sendDueMessages(service, 'email', settings);
  await page.getByRole('link', { name: '‹ Outgoing messages' }).click();
  const row = page.getByRole('row', { name: 'Your refund Sent bob@example.com' });
  await row.getByRole('link').click();
  await page.getByText('This message’s content is no longer stored.').waitFor();
});

test('a sandbox code is found by its channel and displayed', async ({ site }) => {
  const { service, merchant } = site;
  await requestPhoneVerification(service, {
    merchant: merchant.merchant,
    mode: 'sandbox',
    input: { phone: { code: '+65', phone: '81234567' } },
    now: new Date(),
  });
  const page = await site.open('/mailbox', desktop);
  await page.getByText('Sandbox', { exact: true }).first().click();
  await page.getByRole('combobox', { name: 'Channel' }).click();
  await page.getByRole('option', { name: 'SMS' }).click();
  await page
    .getByRole('row', { name: 'Phone verification code Not sent +6581234567' })
    .getByRole('link')
    .click();
  await page.getByText(/^\d{6} is your code for Harbour Teas/).waitFor();
});

test('a user chooses what to be notified about, saves a chat address, and tests it', async ({ site }) => {
  const user = await site.newUser('support');
  await using receiver = await startReceiver(respondWith(404));
  const { host } = new URL(receiver.url);
  const page = await site.open('/account', desktop, user);
  await page.getByText('Email isn’t set up').waitFor();
  const payments = page.getByRole('group', { name: 'Payments' });
  await payments.getByRole('combobox', { name: 'Email' }).click();
  await page.getByRole('option', { name: 'Daily at 08:00' }).click();
  await payments.getByRole('combobox', { name: 'Chat' }).click();
  await page.getByRole('option', { name: 'Immediately' }).click();
  await page.getByRole('button', { name: 'Save notifications' }).click();
  await page.getByText('Must be set to receive notifications in a chat').waitFor();
  const address = page.getByRole('textbox', { name: 'Chat webhook URL' });
  await address.fill(`${receiver.url}/hooks/secret`);
  await page.getByRole('button', { name: 'Save notifications' }).click();
  await page.getByText(`Messages are sent to ${host}.`).waitFor();
  await page.getByText('Notifications saved.').waitFor();
  await page.getByText('To check the URL, send a test chat message.').waitFor();
  expect(await address.inputValue()).toBe(`${receiver.url}/hooks/secret`);
  expect(await payments.getByRole('combobox', { name: 'Email' }).inputValue()).toBe('Daily at 08:00');

  await page.getByRole('button', { name: 'Send test chat message' }).click();
  await page.getByText('A test message is on its way.').waitFor();
  await sendDueMessages(site.service, 'chat', { allowPrivateTargets: true });
  await page.getByText('The test message failed: the chat responded with 404. Check the URL.').waitFor();
  expect(await address.getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: 'Send test email' }).click();
  await page.getByText('The test email wasn’t sent').waitFor();
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('query TestNotice(') ? route.abort() : route.fallback(),
  );
  await page.getByRole('button', { name: 'Send test email' }).click();
  await page.getByRole('alert').getByText('Can’t reach the server.').waitFor();
  expect(await page.getByText('The test email wasn’t sent').count()).toBe(0);
  const { merchantId } = await site.service.prisma.merchantUser.findFirstOrThrow({
    where: { email: user.email },
  });
  const messages = await site.service.prisma.message.findMany({ where: { merchantId, kind: 'notice' } });
  expect(messages.map(({ channel, recipient }) => [channel, recipient]).sort()).toEqual([
    ['chat', host],
    ['email', user.email],
    ['email', user.email],
  ]);

  await page.getByRole('button', { name: 'Remove chat' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove chat' }).click();
  await page.getByText('The URL of an incoming webhook').waitFor();
  expect(await address.inputValue()).toBe('');
  expect(await payments.getByRole('combobox', { name: 'Chat' }).inputValue()).toBe('Off');
});

test('a new email address applies after the owner opens the emailed link, also in another browser', async ({
  site,
}) => {
  const { service, merchant } = site;
  service.settings.smtpUrl = 'smtp://127.0.0.1:1';
  onTestFinished(() => {
    service.settings.smtpUrl = undefined;
  });
  const page = await site.open('/account', desktop);
  await page.getByRole('button', { name: 'Change email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change email' });
  await dialog.getByText('We’ll email a link to the new address, and').waitFor();
  await dialog.getByLabel('New email').fill('chan@shop.example');
  await dialog.getByLabel('Current password').fill(merchant.password);
  await dialog.getByRole('button', { name: 'Change email' }).click();
  await page.getByText('To confirm chan@shop.example, open the link').waitFor();
  expect(await findErrors(page)).toEqual([]);
  const token = await readLinkToken(service, 'chan@shop.example', 'email-change');

  const { page: phone } = await site.customer();
  await phone.goto(`${site.url}/dashboard/confirm-email#${token}`);
  await signInByForm(phone, merchant);
  await phone.getByRole('heading', { name: 'Confirm your new email' }).waitFor();
  await phone.getByText('you’ll sign in with chan@shop.example').waitFor();
  expect(await findErrors(phone)).toEqual([]);
  await phone.getByRole('button', { name: 'Confirm email' }).click();
  await phone.getByText('You now sign in with chan@shop.example').waitFor();
  expect(await findErrors(phone)).toEqual([]);
  await phone.keyboard.press('Enter');
  await phone.getByRole('heading', { name: 'Your account' }).waitFor();
  await phone.getByText('chan@shop.example').first().waitFor();
  await phone.goto(`${site.url}/dashboard/confirm-email#${token}`);
  await phone.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  expect(await findErrors(phone)).toEqual([]);
});
