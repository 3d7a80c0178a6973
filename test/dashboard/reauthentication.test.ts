import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newTotpSecret } from '../../src/kit/totp.ts';
import { createPageChecker } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';
import { seedMail, sendDueMessages } from '../setup/messages.ts';
import { seedCharge } from '../setup/seed.ts';
import { authenticatorCode } from '../setup/users.ts';

/** How the dashboard asks for a code, in a real browser: over the form, which stays as it is. */

const faultsOf = createPageChecker();

const site = setupDashboardSite();

/** Enables two-factor authentication of the owner; answers their codes, each for one use. */
async function enableTwoFactor(): Promise<() => string> {
  const { prisma, secrets } = site.service;
  const secret = newTotpSecret();
  const where = { email: site.merchant.email };
  const { id } = await prisma.merchantUser.findFirstOrThrow({ where });
  await prisma.merchantUser.update({
    where: { id },
    data: { totpEncrypted: secrets.encrypt(secret, 'merchant_user.totp_encrypted', id) },
  });
  let step = -1;
  return () => authenticatorCode(secret, new Date(), step++);
}

/** As when the time has passed for which the last code counts. */
const expire = () =>
  site.service.prisma.userSession.updateMany({
    where: { user: { email: site.merchant.email } },
    data: { reauthenticatedAt: null },
  });

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm your identity' });

test('a transfer is recorded by keyboard on a phone; the form stays while the code is asked for', async () => {
  const page = await site.open('/transfers');
  const nextCode = await enableTwoFactor();
  await page.getByRole('button', { name: 'Record transfer' }).click();
  const form = page.getByRole('dialog', { name: 'Record transfer' });
  await form.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option').first().click();
  await form.getByLabel('Amount').fill('128.50');
  await form.getByLabel('Reference').fill('written by hand');
  await page.keyboard.press('Enter');
  const asked = dialogOf(page);
  await asked.getByLabel('Code').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  expect(await asked.getByLabel('Code').evaluate((field) => field === document.activeElement)).toBe(true);

  // Left by Escape, nothing is recorded and nothing that was entered is lost.
  await page.keyboard.press('Escape');
  await form.getByText('Enter a code from your authenticator app to do this').waitFor();
  expect(await form.getByLabel('Reference').inputValue()).toBe('written by hand');
  expect(await site.service.prisma.transfer.count()).toBe(0);

  await form.getByLabel('Reference').focus();
  await page.keyboard.press('Enter');
  await asked.getByLabel('Code').fill('000000');
  await asked.getByLabel('Code').press('Enter');
  await asked.getByText('The code is incorrect or already used').waitFor();
  await asked.getByLabel('Code').fill(nextCode());
  await asked.getByLabel('Code').press('Enter');
  await page.getByText('written by hand').first().waitFor();
  await page.waitForURL(/\/transfers\/tr_/);
  expect(await site.service.prisma.transfer.count()).toBe(1);
});

test('one code covers what follows, an upload among it, until it expires; then the file is sent again', async () => {
  const charge = await seedCharge(site.service, site.merchant, { now: new Date() });
  const page = await site.open(`/receiving-accounts/${charge.receivingAccountId}`, desktop);
  const nextCode = await enableTwoFactor();
  const asked = dialogOf(page);
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('button', { name: 'Deactivate account' }).click();
  await asked.getByLabel('Code').fill(nextCode());
  await asked.getByLabel('Code').press('Enter');
  await page.getByRole('button', { name: 'Reactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
  await page.getByRole('button', { name: 'Deactivate' }).waitFor();
  expect(await asked.count()).toBe(0);

  await expire();
  await page.goto(`${site.url}/dashboard/statements/new`);
  const statement = { name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from('Day;Text;In\n') };
  await page.getByLabel('Statement file').setInputFiles(statement);
  await asked.getByLabel('Code').fill(nextCode());
  await asked.getByLabel('Code').press('Enter');
  await expect.poll(() => site.service.prisma.upload.count()).toBe(1);
  await page.getByText('november.csv').waitFor();
});

test('settings are changed on a desk with a code, and stay entered while it is asked for', async () => {
  const { id } = site.merchant.merchant;
  await site.service.prisma.merchant.update({ where: { id }, data: { demo: false } });
  const page = await site.open('/settings', desktop);
  const nextCode = await enableTwoFactor();
  await page.getByText('Email is not delivered').waitFor();
  await page.getByLabel('Ask for a code again after (minutes)').fill('61');
  await page.getByLabel('Require two-factor authentication').press('Space');
  await page.getByRole('button', { name: 'Save settings' }).click();
  const asked = dialogOf(page);
  await asked.getByLabel('Code').fill(nextCode());
  await asked.getByLabel('Code').press('Enter');
  await page.getByText('Must be an integer from 5 to 60').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByLabel('Ask for a code again after (minutes)').fill('30');
  await page.keyboard.press('Enter');
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await site.service.prisma.merchant.findUniqueOrThrow({ where: { id } })).toMatchObject({
    requireTwoFactor: true,
    reauthenticationMinutes: 30,
  });
});

test('without two-factor authentication a message is read after the password', async () => {
  const merchantId = site.merchant.merchant.id;
  await seedMail(site.service, { merchantId });
  await sendDueMessages(site.service, 'email', {});
  const page = await site.open('/mailbox', desktop);
  await page.getByRole('link', { name: 'Your refund' }).click();
  await page.getByRole('button', { name: 'Show message' }).press('Enter');
  const asked = dialogOf(page);
  await asked.getByLabel('Your password').fill('not this one');
  await page.keyboard.press('Enter');
  await asked.getByText('The password is incorrect').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await asked.getByLabel('Your password').fill(site.merchant.password);
  await page.keyboard.press('Enter');
  await page.frameLocator('iframe[title="Your refund"]').getByRole('heading').waitFor();
});

test('a user whose merchant requires two-factor authentication sets it up by keyboard, on a phone, and is in', async () => {
  const { id } = site.merchant.merchant;
  await site.service.prisma.merchant.update({ where: { id }, data: { requireTwoFactor: true } });
  const page = await site.open('/charges');
  await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Turn on' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Set up your authenticator app' });
  await dialog.getByLabel('Your password').fill(site.merchant.password);
  await page.keyboard.press('Enter');
  const spaced = await dialog.getByText(/^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent();
  await dialog
    .getByLabel('Code from the app')
    .fill(authenticatorCode((spaced ?? '').replaceAll(' ', ''), new Date()));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'I’ve saved them' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Charges' }).waitFor();
});
