import { expect, test } from 'vitest';
import { requestPhoneVerification } from '../../src/domain/payments/phone-verification/request-phone-verification.ts';
import { desktop } from '../setup/browser.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { seedMail, sendDueMessages } from '../setup/messages.ts';

/** The dev mailbox in a real browser. */

const site = setupDashboardSite();

test('a mail that is kept is read as it looks and as text; what was sent tells only that', async () => {
  const { service, merchant } = site;
  const { id: merchantId } = merchant.merchant;
  const page = await site.open('/mailbox', desktop);
  await page.getByText('No messages yet').waitFor();
  await seedMail(service, { merchantId });
  await sendDueMessages(service, 'email', {});
  // The page looks for what is new by itself.
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
  // Its style is let through the content security policy.
  expect(await button.evaluate((link) => getComputedStyle(link).display)).toBe('inline-block');
  await page.getByRole('tab', { name: 'Plain text' }).click();
  await page.getByText('Say where: https://pay.example/pay/refund/secret').waitFor();

  await using server = await startMailServer();
  await seedMail(service, { merchantId, to: 'bob@example.com' });
  const settings = { smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom: 'pay@shop.example' };
  await sendDueMessages(service, 'email', settings);
  await page.getByRole('link', { name: '‹ Mailbox' }).click();
  const row = page.getByRole('row', { name: 'Your refund Sent bob@example.com' });
  await row.getByRole('link').click();
  await page.getByText('This message’s content is no longer stored.').waitFor();
});

test('a code of the sandbox is found by channel and read', async () => {
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
