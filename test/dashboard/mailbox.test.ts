import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { requestPhoneVerification } from '../../src/domain/phone-verification/request-phone-verification.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { testBrowser } from '../setup/browser.ts';
import { enterDashboard } from '../setup/enter-dashboard.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { makeMerchant } from '../setup/makers.ts';
import { makeMail, sendDue } from '../setup/messages.ts';

/** The dev mailbox in a real browser. */

let served: TestApp;
let url: string;
let merchant: NewMerchant;
const browser = testBrowser(() => url);

beforeAll(async () => {
  await buildDashboard();
  served = await testApp();
  url = await served.app.listen({ port: 0, host: '127.0.0.1' });
  served.context.service.settings.publicUrl = url;
  merchant = await makeMerchant(served.context.service, {}, new Date());
});

async function signedIn(path: string): Promise<Page> {
  const { page, context } = await browser.customer({ viewport: { width: 1440, height: 900 } });
  await enterDashboard(context, url, merchant);
  await page.goto(`${url}/dashboard${path}`);
  return page;
}

test('a mail that is kept is read as it looks and as text; what was sent tells only that', async () => {
  const { service } = served.context;
  const { id: merchantId } = merchant.merchant;
  const page = await signedIn('/mailbox');
  await page.getByText('No messages yet').waitFor();
  await makeMail(service, { merchantId });
  await sendDue(service, 'email', {});
  // The page looks for what is new by itself.
  await page.getByRole('row', { name: 'Your refund Kept here ada@example.com' }).waitFor();
  await page.getByRole('link', { name: 'Your refund' }).click();
  await page.getByRole('heading', { level: 1, name: 'Your refund' }).waitFor();
  const frame = page.frameLocator('iframe[title="Your refund"]');
  await frame.getByRole('heading', { name: 'Your refund' }).waitFor();
  const button = frame.getByRole('link', { name: 'Say where' });
  expect(await button.getAttribute('href')).toBe('https://pay.example/pay/refund/secret');
  // Its style is let through the content security policy.
  expect(await button.evaluate((link) => getComputedStyle(link).display)).toBe('inline-block');
  await page.getByRole('tab', { name: 'As text' }).click();
  await page.getByText('Say where: https://pay.example/pay/refund/secret').waitFor();

  await using server = await startMailServer();
  await makeMail(service, { merchantId, to: 'bob@example.com' });
  const settings = { smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom: 'pay@shop.example' };
  await sendDue(service, 'email', settings);
  await page.getByRole('link', { name: '‹ Mailbox' }).click();
  const row = page.getByRole('row', { name: 'Your refund Sent bob@example.com' });
  await row.getByRole('link').click();
  await page.getByText('It is no longer kept.').waitFor();
});

test('a code of the sandbox is found by channel and read', async () => {
  const { service } = served.context;
  await requestPhoneVerification(service, {
    merchant: merchant.merchant,
    mode: 'sandbox',
    input: { phone: { code: '+65', phone: '81234567' } },
    now: new Date(),
  });
  const page = await signedIn('/mailbox');
  await page.getByText('Sandbox', { exact: true }).first().click();
  await page.getByRole('combobox', { name: 'Channel' }).click();
  await page.getByRole('option', { name: 'SMS' }).click();
  await page.getByRole('row', { name: 'Code for a phone Kept here +6581234567' }).getByRole('link').click();
  await page.getByText(/^\d{6} is your code for Harbour Teas/).waitFor();
});
