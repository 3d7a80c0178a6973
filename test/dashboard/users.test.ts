import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { declineRestrictedAccess } from '../../src/domain/accounts/merchant/decline-restricted-access.ts';
import { processResetRequests } from '../../src/domain/accounts/user/reset-password.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { newTotpSecret } from '../../src/kit/totp.ts';
import { createPageChecker, findOverflow } from '../setup/accessibility.ts';
import { callApi } from '../setup/api.ts';
import { desktop } from '../setup/browser.ts';
import { signInByForm } from '../setup/browser-sign-in.ts';
import { type DashboardSite, dashboardTest as test } from '../setup/dashboard-site.ts';
import { dropResponse, holdResponse } from '../setup/intercept-response.ts';
import { seedMail, sendDueMessages } from '../setup/messages.ts';
import { seedCharge } from '../setup/seed.ts';
import { authenticatorCode, readLinkToken } from '../setup/users.ts';

const newPassword = 'tea leaves at dawn';

const findErrors = createPageChecker();

/** Enables two-factor authentication of the owner. The returned function creates two codes, each for one use. */
async function enableTwoFactor(site: DashboardSite): Promise<() => string> {
  const { prisma, secrets } = site.service;
  const secret = newTotpSecret();
  const where = { email: site.merchant.email };
  const { id } = await prisma.merchantUser.findFirstOrThrow({ where });
  await prisma.merchantUser.update({
    where: { id },
    data: { totpEncrypted: secrets.encrypt(secret, 'merchant_user.totp_encrypted', id) },
  });
  // The code of an earlier step can expire before it is sent.
  let step = 0;
  return () => authenticatorCode(secret, new Date(), step++);
}

/** Ends the period in which no further code is required. */
const expire = (site: DashboardSite) =>
  site.service.prisma.userSession.updateMany({
    where: { user: { email: site.merchant.email } },
    data: { reauthenticatedAt: null },
  });

const getConfirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm your identity' });

const settingsTest = test.extend('merchantInput', () => ({ restrictedAccess: 'none' as const }));

const readCopyButton = async (dialog: Locator, name: string) =>
  (await dialog.getByRole('button', { name }).textContent()) ?? '';

const readMerchant = (site: DashboardSite) =>
  site.service.prisma.merchant.findUniqueOrThrow({ where: { id: site.merchant.merchant.id } });

test('two-factor authentication is enabled, required at sign-in, and disabled', async ({ site }) => {
  const { email, password } = site.merchant;
  const page = await site.open('/account', desktop);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByLabel('Your password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  expect(await findErrors(page)).toEqual([]);
  const shown = (await page.getByRole('button', { name: 'Copy secret' }).textContent()) ?? '';
  const secret = shown.replaceAll(' ', '');
  await page.getByLabel('Code from the app').fill(authenticatorCode(secret, new Date()));
  await page.keyboard.press('Enter');
  const recoveryCodes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await recoveryCodes.getByRole('listitem').first().waitFor();
  const codes = await recoveryCodes.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  expect(await findErrors(page)).toEqual([]);
  await recoveryCodes.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByText('10 recovery codes are left.').waitFor();
  expect(await findErrors(page)).toEqual([]);

  await page.getByRole('button', { name: `Account of ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await signInByForm(page, site.merchant);
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  expect(await findErrors(page)).toEqual([]);
  await page.getByLabel('Code').fill('000000');
  await page.keyboard.press('Enter');
  await page.getByText('The code is incorrect or already used').waitFor();
  await page.getByLabel('Code').fill(codes[0] as string);
  await page.keyboard.press('Enter');
  await page.getByText('9 recovery codes are left.').waitFor();

  // Changes of receiving accounts require another code.
  await page.getByRole('link', { name: 'Receiving accounts' }).click();
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('button', { name: 'Deactivate account' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm your identity' });
  await confirmation.getByLabel('Code').fill(codes[2] as string);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Reactivate' }).waitFor();

  await page.goto(`${site.url}/dashboard/account`);
  await page.getByText('8 recovery codes are left.').waitFor();
  await page.getByRole('button', { name: 'Create new recovery codes' }).click();
  const renewing = page.getByRole('dialog', { name: 'Create new recovery codes?' });
  await renewing.getByLabel('Code').fill(codes[2] as string);
  await page.keyboard.press('Enter');
  await renewing.getByRole('alert').getByText('The code is incorrect or already used').waitFor();
  await renewing.getByLabel('Code').fill(codes[1] as string);
  await page.keyboard.press('Enter');
  await recoveryCodes.getByRole('listitem').nth(9).waitFor();
  const renewed = await recoveryCodes.getByRole('listitem').allTextContents();
  expect(renewed.filter((code) => codes.includes(code))).toEqual([]);
  await recoveryCodes.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByText('10 recovery codes are left.').waitFor();

  await page.getByRole('button', { name: 'Turn off' }).click();
  const dialog = page.getByRole('dialog', { name: 'Turn off two-factor authentication?' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  // The earlier codes are invalid.
  await dialog.getByLabel('Code').fill(codes[3] as string);
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('The code is incorrect or already used').waitFor();
  await dialog.getByLabel('Code').fill(renewed[0] as string);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Turn on' }).waitFor();
});

test('a forgotten password is reset by the link in a stored email, which the page does not promise to send', async ({
  site,
}) => {
  const { service } = site;
  const { email } = site.merchant;
  const { page } = await site.customer();
  await page.goto(`${site.url}/dashboard/charges`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  expect(await findErrors(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page
    .getByText(`If ${email} belongs to a user, an owner can now find the link under Outgoing messages`)
    .waitFor();
  await processResetRequests(service, { now: new Date() });
  const token = await readLinkToken(service, email, 'password-reset');
  await page.goto(`${site.url}/dashboard/reset-password#${token}`);
  await page.getByLabel('New password').fill(email);
  await page.keyboard.press('Enter');
  await page.getByText('Must not contain or resemble your email address').waitFor();
  expect(await findErrors(page)).toEqual([]);
  await page.getByLabel('New password').fill(newPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signInByForm(page, { email, password: newPassword });
  await page.getByRole('heading', { name: 'Home' }).waitFor();
});

test('an owner changes their email with the password, and the name of the shop', async ({ site }) => {
  const { service, merchant } = site;
  const page = await site.open('/account', desktop);
  await page.getByRole('button', { name: 'Change email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change email' });
  await dialog.getByLabel('New email').fill('Mei@shop.example');
  await dialog.getByLabel('Current password').fill('not the password');
  await dialog.getByRole('button', { name: 'Change email' }).click();
  await dialog.getByText('The password is incorrect').waitFor();
  expect(await findErrors(page)).toEqual([]);
  await dialog.getByLabel('Current password').fill(merchant.password);
  await dialog.getByRole('button', { name: 'Change email' }).click();
  await page.getByText('mei@shop.example').first().waitFor();
  await dialog.waitFor({ state: 'detached' });
  const notices = await service.prisma.message.findMany({
    where: { merchantId: merchant.merchant.id, kind: 'account-notice' },
  });
  expect(notices.map(({ recipient }) => recipient).sort()).toEqual(
    ['mei@shop.example', merchant.email].sort(),
  );
  await page.goto(`${site.url}/dashboard/settings`);
  await page.getByLabel('Shop name').fill('Mei Bakes');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByRole('banner').getByText('Mei Bakes').waitFor();
  await page.getByRole('button', { name: 'Account of mei@shop.example' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  // The settings have a field of the same name.
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signInByForm(page, { ...merchant, email: 'mei@shop.example' });
  await page.getByRole('button', { name: 'Account of mei@shop.example' }).waitFor();
});

test('an owner invites a user, who joins by keyboard on a phone, changes the role, and removes the user', async ({
  site,
}) => {
  const { service, merchant } = site;
  const other = await site.newUser('owner');
  const email = 'ada.wong@example.com';
  const owner = await site.open('/users', desktop);
  await owner.getByRole('button', { name: 'Invite user' }).click();
  await owner.getByRole('textbox', { name: 'Email' }).fill(email);
  await owner.getByRole('radio', { name: /^Developer/ }).check();
  expect(await findErrors(owner)).toEqual([]);
  await owner.getByRole('button', { name: 'Create invitation' }).click();
  const invitations = owner.getByRole('table', { name: 'Invitations' });
  await invitations.getByText(email).waitFor();
  await owner.getByText(/^No email was sent to .* Share the link yourself\.$/).waitFor();
  await owner.getByRole('button', { name: `New link for ${email}` }).click();
  await owner.getByRole('button', { name: 'Copy invitation link' }).waitFor();
  expect(await findErrors(owner)).toEqual([]);
  await owner.getByRole('button', { name: 'Invite user' }).click();
  await owner.getByRole('textbox', { name: 'Email' }).fill('mistyped@example.com');
  await owner.keyboard.press('Enter');
  const mistyped = invitations.getByRole('row', { name: 'mistyped@example.com' });
  await mistyped.getByRole('button', { name: 'Withdraw' }).click();
  await owner.getByRole('button', { name: 'Withdraw invitation' }).click();
  await mistyped.waitFor({ state: 'hidden' });

  const token = await readLinkToken(service, email, 'invitation');
  const { page } = await site.customer();
  await page.goto(`${site.url}/dashboard/invitation#${token}`);
  await page.getByRole('heading', { name: `Join ${merchant.merchant.name}` }).waitFor();
  expect(await findErrors(page)).toEqual([]);
  await page.keyboard.type('Ada Wong');
  await page.keyboard.press('Tab');
  await page.keyboard.type(newPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();

  const row = owner.getByRole('row', { name: 'Ada Wong' });
  await row.getByRole('button', { name: 'Change role' }).click();
  await owner.getByRole('radio', { name: /^Support/ }).check();
  await owner.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await row.getByText('Support').waitFor();
  await row.getByRole('button', { name: 'Remove' }).click();
  await owner.getByRole('button', { name: 'Remove user' }).click();
  await row.waitFor({ state: 'hidden' });
  await page.goto(`${site.url}/dashboard/charges`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.goto(`${site.url}/dashboard/invitation#used`);
  await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
  expect(await findErrors(page)).toEqual([]);
  const second = owner.getByRole('row', { name: other.email });
  await second.getByRole('button', { name: 'Remove' }).click();
  await owner.getByRole('button', { name: 'Remove user' }).click();
  await second.waitFor({ state: 'hidden' });
  const ownRow = owner.getByRole('row', { name: merchant.email });
  await ownRow.getByText('(you)').waitFor();
  await ownRow.getByText('The last owner can’t be removed.').waitFor();
  expect(await ownRow.getByRole('button').count()).toBe(0);
});

describe('re-authentication', () => {
  test('a transfer is recorded by keyboard on a phone, and its form is preserved while the code is requested', async ({
    site,
  }) => {
    const { id: merchantId } = site.merchant.merchant;
    const page = await site.open('/transfers');
    const nextCode = await enableTwoFactor(site);
    await page.getByRole('button', { name: 'Record transfer' }).click();
    const form = page.getByRole('dialog', { name: 'Record transfer' });
    // The amount is not valid in currencies without decimals.
    await form.getByRole('combobox', { name: 'Account' }).fill('HKD');
    await page.getByRole('option').first().click();
    await form.getByLabel('Amount').fill('128.50');
    await form.getByLabel('Reference').fill('cash desk 7');
    await page.keyboard.press('Enter');
    const confirmation = getConfirmation(page);
    await confirmation.getByLabel('Code').waitFor();
    expect(await findErrors(page)).toEqual([]);
    expect(await confirmation.getByLabel('Code').evaluate((field) => field === document.activeElement)).toBe(
      true,
    );

    // Escape records nothing and preserves the input.
    await page.keyboard.press('Escape');
    await form.getByText('Enter a code from your authenticator app to do this').waitFor();
    expect(await form.getByLabel('Reference').inputValue()).toBe('cash desk 7');
    expect(await site.service.prisma.transfer.count({ where: { merchantId } })).toBe(0);

    await form.getByLabel('Reference').focus();
    await page.keyboard.press('Enter');
    await confirmation.getByLabel('Code').fill('000000');
    await confirmation.getByLabel('Code').press('Enter');
    await confirmation.getByText('The code is incorrect or already used').waitFor();
    await confirmation.getByLabel('Code').fill(nextCode());
    await confirmation.getByLabel('Code').press('Enter');
    await page.getByText('cash desk 7').first().waitFor();
    await page.waitForURL(/\/transfers\/tr_/);
    expect(await site.service.prisma.transfer.count({ where: { merchantId } })).toBe(1);
  });

  test('one code is enough for later actions until it expires, and a rejected upload is repeated after a new code', async ({
    site,
  }) => {
    const charge = await seedCharge(site.service, site.merchant, { now: new Date() });
    const page = await site.open(`/receiving-accounts/${charge.receivingAccountId}`, desktop);
    const nextCode = await enableTwoFactor(site);
    const confirmation = getConfirmation(page);
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Deactivate account' }).click();
    await confirmation.getByLabel('Code').fill(nextCode());
    await confirmation.getByLabel('Code').press('Enter');
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
    await page.getByRole('button', { name: 'Deactivate' }).waitFor();
    expect(await confirmation.count()).toBe(0);

    await expire(site);
    await page.goto(`${site.url}/dashboard/statements/new`);
    const statement = { name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from('Day;Text;In\n') };
    await page.getByLabel('Statement file').setInputFiles(statement);
    await confirmation.getByLabel('Code').fill(nextCode());
    await confirmation.getByLabel('Code').press('Enter');
    await expect.poll(() => site.service.prisma.upload.count()).toBe(1);
    await page.getByText('november.csv').waitFor();
  });

  test('settings are saved with a code, and are preserved while it is requested', async ({ site }) => {
    const { id } = site.merchant.merchant;
    const page = await site.open('/settings', desktop);
    const nextCode = await enableTwoFactor(site);
    await page.getByText('Email isn’t set up').waitFor();
    await page.getByLabel('Ask for a two-factor code again after (minutes)').fill('61');
    await page.getByLabel('Require two-factor authentication').press('Space');
    await page.getByRole('button', { name: 'Save settings' }).click();
    const confirmation = getConfirmation(page);
    await confirmation.getByLabel('Code').fill(nextCode());
    await confirmation.getByLabel('Code').press('Enter');
    await page.getByText('Must be an integer from 1 to 60').waitFor();
    expect(await findErrors(page)).toEqual([]);
    await page.getByLabel('Ask for a two-factor code again after (minutes)').fill('30');
    await page.keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await site.service.prisma.merchant.findUniqueOrThrow({ where: { id } })).toMatchObject({
      isTwoFactorRequired: true,
      reauthenticationMinutes: 30,
    });
  });

  test('without two-factor authentication a message is displayed after the password', async ({ site }) => {
    const merchantId = site.merchant.merchant.id;
    await seedMail(site.service, { merchantId });
    await sendDueMessages(site.service, 'email', {});
    const page = await site.open('/mailbox', desktop);
    await page.getByRole('link', { name: 'Your refund' }).click();
    await page.getByRole('button', { name: 'Show message' }).press('Enter');
    const confirmation = getConfirmation(page);
    await confirmation.getByLabel('Your password').fill('not this one');
    await page.keyboard.press('Enter');
    await confirmation.getByText('The password is incorrect').waitFor();
    expect(await findErrors(page)).toEqual([]);
    await confirmation.getByLabel('Your password').fill(site.merchant.password);
    await page.keyboard.press('Enter');
    await page.frameLocator('iframe[title="Your refund"]').getByRole('heading').waitFor();
  });

  test('a user whose merchant requires two-factor authentication enables it by keyboard on a phone', async ({
    site,
  }) => {
    const { id } = site.merchant.merchant;
    await site.service.prisma.merchant.update({ where: { id }, data: { isTwoFactorRequired: true } });
    const page = await site.open('/charges');
    await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await findErrors(page)).toEqual([]);
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
});

describe('settings', () => {
  settingsTest(
    'sessions in other browsers are ended, and their pages display the sign-in page',
    async ({ site }) => {
      const otherPage = await site.open('/charges', desktop);
      await otherPage.getByRole('heading', { name: 'Charges', level: 1 }).waitFor();
      const page = await site.open('/account');
      await page.getByRole('textbox', { name: 'Name' }).fill('Lau Ka Yan');
      await page.keyboard.press('Enter');
      await page
        .getByRole('button', { name: `Account of ${site.merchant.email}` })
        .getByText('L')
        .waitFor();
      await page.getByRole('button', { name: 'Sign out of other sessions' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out of other sessions' }).click();
      const sessions = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
      await expect.poll(() => sessions.count()).toBe(2);
      await sessions.getByText('Chrome on Linux').waitFor();
      // The other window is signed out by its closed live connection.
      await otherPage.getByRole('button', { name: 'Sign in' }).waitFor();
      await otherPage.getByRole('status').getByText('Your session has expired.').waitFor();
      await signInByForm(otherPage, site.merchant);
      await otherPage.getByRole('heading', { name: 'Charges', level: 1 }).waitFor();
      await page.reload();
      const other = sessions.filter({ has: page.getByRole('button'), hasNotText: 'Current session' });
      await other.getByRole('button', { name: 'End session: Chrome on Linux' }).click();
      const confirmation = page.getByRole('dialog', { name: 'End this session?' });
      await confirmation.getByRole('button', { name: 'End session' }).click();
      await other.waitFor({ state: 'hidden' });
      await otherPage.getByRole('button', { name: 'Sign in' }).waitFor();
    },
  );

  settingsTest(
    'signing out everywhere ends this session and others, and closes live connections',
    async ({ site }) => {
      const otherPage = await site.open('/settings', desktop);
      await otherPage.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      // A second window of the same browser with live updates.
      const live = await otherPage.context().newPage();
      const connecting = live.waitForEvent('websocket');
      await live.goto(`${site.url}/dashboard/charges`);
      const socket = await connecting;
      await live.getByRole('heading', { name: 'Charges', level: 1 }).waitFor();
      const page = await site.open('/account');
      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
      const confirmation = page.getByRole('dialog', { name: 'Sign out everywhere?' });
      await confirmation.getByRole('button', { name: 'Sign out everywhere' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await expect.poll(() => socket.isClosed()).toBe(true);
      await live.getByRole('heading', { name: 'Sign in' }).waitFor();
      // The count in the menu is live on every page.
      await otherPage.getByRole('heading', { name: 'Sign in' }).waitFor();
      await otherPage.getByRole('status').getByText('Your session has expired.').waitFor();
      const where = { user: { email: site.merchant.email } };
      expect(await site.service.prisma.userSession.count({ where })).toBe(0);
    },
  );

  settingsTest('settings are saved together, or not at all with errors at their fields', async ({ site }) => {
    const page = await site.open('/settings', desktop);
    const save = page.getByRole('button', { name: 'Save settings' });
    await page.getByLabel('Exchange rate markup').fill('12');
    await page.getByLabel('FPS').fill('45');
    await page.getByText('For developers').click();
    await page.getByRole('switch', { name: 'Secure mode' }).check();
    await save.click();
    await page.getByText('Must be a number from 0 to 0.1 with at most 4 decimal places').waitFor();
    expect(await readMerchant(site)).toMatchObject({ isSecureModeEnabled: false, paymentWindows: {} });
    await page.getByLabel('FPS').fill('soon');
    await save.click();
    await page.getByRole('alert').getByText('soon is not a whole number').waitFor();
    await page.getByLabel('FPS').fill('45');
    await page.getByLabel('Maximum exchange rate age').fill('1.5');
    await save.click();
    await page.getByText('1.5 is not a whole number').waitFor();
    await page.getByLabel('Maximum exchange rate age').fill('6');

    await page.getByLabel('Exchange rate markup').fill('1.25');
    await page.getByLabel('Underpayment tolerance').fill('0,5');
    await page.getByRole('combobox', { name: 'App URL schemes' }).fill('MyShop');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Time zone' }).click();
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Hong');
    await page.getByRole('option', { name: 'Asia/Hong Kong' }).click();
    await save.click();
    await page.getByRole('status').getByText('Saved').waitFor();
    const saved = await readMerchant(site);
    expect([saved.markup.toFixed(), saved.underpaymentTolerance.toFixed()]).toEqual(['0.0125', '0.005']);
    expect(saved).toMatchObject({
      isSecureModeEnabled: true,
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

  settingsTest(
    'changes of other users are displayed at the next visit, and preserved when other settings are saved',
    async ({ site }) => {
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
      const last = await readMerchant(site);
      expect(last.underpaymentTolerance.toFixed()).toBe('0.015');
      expect(last).toMatchObject({ paymentWindows: { fps: 1440 }, redirectSchemes: ['myshop'] });
    },
  );

  settingsTest('times are displayed in the merchant’s time zone', async ({ site }) => {
    await site.service.prisma.merchant.update({
      where: { id: site.merchant.merchant.id },
      data: {
        timeZone: 'Pacific/Auckland',
        restrictedAccessRequestedAt: new Date('2026-01-31T12:00:00Z'),
        restrictedAccess: 'requested',
      },
    });
    const page = await site.open('/access', { ...desktop, timezoneId: 'America/Los_Angeles' });
    await page.getByText('You requested access on 1 Feb 2026').waitFor();
  });

  settingsTest(
    'an API key is created, with its secret displayed once, rotated and revoked',
    async ({ site }) => {
      const page = await site.open('/api-keys', desktop);
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Name').fill('Web shop');
      await page.getByLabel('Create refunds').uncheck();
      await page.getByRole('button', { name: 'Create key' }).click();
      const ready = page.getByRole('dialog', { name: 'The key is ready' });
      const apiKey = await readCopyButton(ready, 'Copy key');
      const apiSecret = await readCopyButton(ready, 'Copy secret');
      const status = async (keys = { apiKey, apiSecret, publishableKey: '' }) =>
        (await callApi(site.app, { method: 'GET', url: '/charges', keys })).status;
      expect(await status()).toBe(200);
      await ready.getByRole('button', { name: 'Done' }).click();
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
      // The dialog stays open until the secret is displayed, because it is displayed once.
      const rotation = await holdResponse(page, 'RotateApiKey');
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
      await page.keyboard.press('Escape');
      await rotation.release();
      const rotated = page.getByRole('dialog', { name: 'The new key is ready' });
      const second = {
        apiKey: await readCopyButton(rotated, 'Copy key'),
        apiSecret: await readCopyButton(rotated, 'Copy secret'),
        publishableKey: '',
      };
      expect([await status(), await status(second)]).toEqual([200, 200]);
      const { expiresAt } = await site.service.prisma.apiKey.findUniqueOrThrow({
        where: { key: apiKey },
      });
      const daysLeft = ((expiresAt?.getTime() ?? 0) - Date.now()) / dayMs;
      expect(daysLeft > 6.9 && daysLeft <= 7).toBe(true);
      await rotated.getByRole('button', { name: 'Done' }).click();
      const expiring = page.getByRole('row', { name: 'Web shop' }).filter({ hasText: /Expiring/ });
      await expiring.getByRole('button', { name: 'Revoke' }).click();
      await page
        .getByRole('dialog', { name: 'Revoke this key?' })
        .getByRole('button', { name: 'Revoke key' })
        .click();
      await page.getByRole('row', { name: 'Web shop' }).filter({ hasText: 'Revoked' }).waitFor();
      expect([await status(), await status(second)]).toEqual([401, 200]);

      // When the response is lost, the key is created once and its secret is lost.
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Name').fill('Counter');
      await dropResponse(page, 'CreateApiKey');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('alert').getByText('Can’t reach the server.').waitFor();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page
        .getByRole('alert')
        .getByText('The key was created, but its secret couldn’t be shown')
        .waitFor();
      const keys = { merchantId: site.merchant.merchant.id, name: 'Counter' };
      expect(await site.service.prisma.apiKey.count({ where: keys })).toBe(1);
    },
  );

  settingsTest(
    'access is requested on a phone with the months that fall short, and a rejection displays its reason',
    async ({ site }) => {
      const page = await site.open('/access');
      await page.getByRole('button', { name: 'Request access' }).click();
      await page
        .getByText(
          'Your volume is too low in some months, so the operator of this service will review your request.',
        )
        .waitFor();
      expect(await page.getByText('US$2,000,000.00 short').count()).toBe(6);
      expect((await readMerchant(site)).restrictedAccess).toBe('requested');
      const by = { actor: 'operator', merchantId: site.merchant.merchant.id, now: new Date() };
      await declineRestrictedAccess(site.service, { ...by, reason: 'Come back in spring' });
      await page.reload();
      await page.getByRole('alert').getByText('Come back in spring').waitFor();
      expect(await findOverflow(page)).toEqual([]);
    },
  );
});
