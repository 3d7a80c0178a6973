import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { cancelSession } from '../../src/domain/payments/session/cancel-session.ts';
import { paySession } from '../../src/domain/payments/session/pay-session.ts';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { seedCheckoutLink } from '../setup/checkout.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';
import { seedReceivingAccount } from '../setup/receiving-accounts.ts';
import { seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const emptyShopTest = test.extend('merchantInput', () => ({ hasDemoAccounts: false }));

test('a cashier sells by keypad and item on a phone, and sees each payment live', async ({ site }) => {
  const { service, merchant } = site;
  await seedCheckoutLink(service, merchant, { input: { name: 'Dragon Well', amount: 48 } });
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' } as const;
  const page = await site.open('', phone, await site.newUser('cashier'));
  await page.getByRole('heading', { level: 1, name: 'Counter' }).waitFor();
  await page.getByText('No sales yet').waitFor();
  for (const key of ['1', '2', '5', 'Delete the last digit', '.', '5'])
    await page.getByRole('button', { name: key, exact: true }).click();
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('HKD');
  expect(await findAccessibilityErrors(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show QR code' }).click();
  await page.getByRole('heading', { name: 'HK$12.50' }).waitFor();
  await page.getByRole('heading', { name: 'How does the customer pay?' }).waitFor();
  const status = page.getByRole('status').filter({ hasText: /Waiting|Paid/ });
  expect(await status.count()).toBe(0);
  expect(await findAccessibilityErrors(page)).toEqual([]);
  const link = page.getByRole('img', { name: 'QR code that opens the checkout page' });
  await page.getByRole('button', { name: /^The customer chooses/ }).click();
  await link.waitFor();
  await status.getByText('Waiting for the customer to scan the code').waitFor();

  await page.getByRole('button', { name: 'Other ways to pay' }).click();
  await page.getByRole('button', { name: /^FPS/ }).click();
  await page.getByRole('img', { name: 'QR code to pay HK$12.50 by FPS' }).waitFor();
  await page.getByText('The customer scans this code with a bank or payment app.').waitFor();
  await status.getByText('Waiting for the payment').waitFor();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  const session = await service.prisma.checkoutSession.findFirstOrThrow({
    where: { merchantId: merchant.merchant.id },
  });
  const charge = await service.prisma.charge.findFirstOrThrow({ where: { sessionId: session.id } });
  await payCharge(service, merchant, charge);
  await status.getByText('Paid').waitFor();

  await page.getByRole('button', { name: 'New sale' }).click();
  await page.getByRole('row', { name: /^HK\$12\.50 FPS Paid/ }).waitFor();
  // The browser remembers the currency.
  expect(await page.getByRole('combobox', { name: 'Currency' }).inputValue()).toBe('HKD');
  await page.getByText('Items', { exact: true }).click();
  await page.getByRole('button', { name: 'Dragon Well HK$48.00' }).click();
  // The browser remembers the method.
  await page.getByRole('img', { name: 'QR code to pay HK$48.00 by FPS' }).waitFor();
  await page.getByRole('button', { name: 'Cancel sale' }).click();
  await page.getByRole('dialog', { name: 'Cancel this sale?' }).getByText('won’t be able to pay').waitFor();
  await page.keyboard.press('Enter');
  // The focus starts on the button that keeps the sale.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await status.getByText('Waiting for the payment').waitFor();
  await cancelSale(page);
  await page.getByText('Cancelled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'New sale' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  await page.context().setOffline(true);
  await page.getByText('You’re offline').waitFor();
  expect(await page.getByRole('button', { name: 'Show QR code' }).isDisabled()).toBe(true);
});

test('the counter shows how a sale has ended when a cashier cancels it too late, without live updates', async ({
  site,
}) => {
  const { service, merchant } = site;
  const page = await site.open('/counter');
  await page.routeWebSocket(/graphql/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!/"status":"(paid|cancelled)"/.test(String(message))) socket.send(message);
    });
  });
  await page.reload();
  const sell = async () => {
    await page.getByLabel('Amount').fill('12.');
    await page.getByRole('button', { name: 'Show QR code' }).click();
    await page.getByRole('heading', { name: '$12.00' }).waitFor();
    return service.prisma.checkoutSession.findFirstOrThrow({
      where: { merchantId: merchant.merchant.id },
      orderBy: { id: 'desc' },
    });
  };
  const { id } = await sell();
  await cancelSession(service, { id, actor: 'test', now: new Date() });
  await cancelSale(page);
  await page.getByText('Cancelled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'New sale' }).click();

  const paid = await sell();
  await page.getByRole('button', { name: /^FPS/ }).click();
  await page.getByRole('img', { name: /^QR code to pay/ }).waitFor();
  const charge = await service.prisma.charge.findFirstOrThrow({ where: { sessionId: paid.id } });
  await payCharge(service, merchant, charge);
  await cancelSale(page);
  await page.getByText('✓ Paid', { exact: true }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a sale that is repeated after its response was lost and it was paid is a new sale for the next customer', async ({
  site,
}) => {
  const { service, merchant } = site;
  const page = await site.open('/counter', { ...desktop, mode: 'live' });
  let isLost = true;
  await page.route('**/graphql', async (route) => {
    const isSale = route.request().postData()?.includes('createCounterSale') ?? false;
    if (!isSale || !isLost) return route.continue();
    isLost = false;
    await route.fetch();
    return route.abort();
  });
  await page.getByLabel('Amount').fill('12');
  await page.getByRole('button', { name: 'Show QR code' }).click();
  await page.getByRole('alert').waitFor();
  const where = { merchantId: merchant.merchant.id };
  const { id } = await service.prisma.checkoutSession.findFirstOrThrow({ where });
  await paySession(service, {
    ...{ merchant: merchant.merchant, id, mode: 'live', method: 'fps', ipAddress: '203.0.113.1' },
    now: new Date(),
  });
  const charge = await service.prisma.charge.findFirstOrThrow({ where: { sessionId: id } });
  await payCharge(service, merchant, charge);
  await page.getByRole('button', { name: 'Show QR code' }).click();
  await page.getByRole('heading', { name: 'How does the customer pay?' }).waitFor();
  expect(await page.getByText('✓ Paid').count()).toBe(0);
  expect(await service.prisma.checkoutSession.count({ where })).toBe(2);
});

test('a cashier practises a sale in the sandbox, and simulates its payment', async ({ site }) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, mode: 'sandbox' } as const;
  const page = await site.open('/counter', phone, await site.newUser('cashier'));
  await page.getByText('Sandbox: test payments only').waitFor();
  await page.getByRole('button', { name: '7', exact: true }).click();
  await page.getByRole('button', { name: 'Show QR code' }).click();
  await page.getByRole('button', { name: /^FPS/ }).click();
  const simulate = page.getByRole('button', { name: 'Try: customer pays' });
  await simulate.waitFor();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await simulate.click();
  await page.getByRole('status').getByText('✓ Paid').waitFor();
  expect(await simulate.count()).toBe(0);
});

emptyShopTest(
  'a cashier of a live shop starts in live mode, is warned in the sandbox, and is named on the sale',
  async ({ site }) => {
    const { service, merchant } = site;
    await seedReceivingAccount(service, merchant);
    const cashier = await site.newUser('cashier');
    const page = await site.open('/counter', desktop, cashier);
    await page.getByLabel('Amount').fill('12');
    await page.getByText('Sandbox', { exact: true }).click();
    const banner = page.getByText('Sandbox: test payments only');
    await banner.waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await page.getByRole('button', { name: 'Switch to live mode' }).click();
    await banner.waitFor({ state: 'detached' });
    await page.getByLabel('Amount').fill('12');
    await page.getByRole('button', { name: 'Show QR code' }).click();
    // The shop has only one method.
    await page.getByRole('img', { name: /^QR code to pay/ }).waitFor();
    const owner = await site.open('/charges', { ...desktop, mode: 'live' });
    await seedCharge(service, merchant, { now: new Date(), input: { email: 'other@example.com' } });
    await owner.getByRole('link', { name: 'other@example.com' }).waitFor();
    await owner.getByRole('combobox', { name: 'Sold at the counter by' }).click();
    await owner.getByRole('option', { name: cashier.email }).click();
    await owner.getByText('1 charge', { exact: true }).waitFor();
    await owner.getByRole('link', { name: `Counter sale · ${cashier.email}` }).click();
    await owner.getByText('Sold at the counter by').waitFor();
    await owner.getByText(`by ${cashier.email}`).first().waitFor();
    await owner.goto(`${site.url}/dashboard/audit`);
    const entry = owner.getByRole('row', { name: 'Charge created' }).filter({ hasText: cashier.email });
    await entry.getByText('HK$12.00').waitFor();
    const sale = await service.prisma.charge.findFirstOrThrow({ where: { email: null } });
    await payCharge(service, merchant, sale);
    const scope = { merchantId: merchant.merchant.id, mode: 'live', actor: 'key:test' } as const;
    await createRefund(service, {
      ...scope,
      input: { chargeId: sale.id, customerAmount: 5 },
      now: new Date(),
    });
    await owner.goto(`${site.url}/dashboard/refunds`);
    await owner.getByRole('link', { name: `Counter sale · ${cashier.email}` }).waitFor();
    await owner.goto(`${site.url}/dashboard/`);
    const row = owner.getByRole('table', { name: 'Sales at the counter' }).getByRole('row').last();
    await row.getByText('1 payment').waitFor();
    await row.getByText('HK$12.00').waitFor();
    await row.getByRole('link', { name: cashier.email }).click();
    await owner.waitForURL(/status=completed&seller=/);
    await owner.getByText('1 charge', { exact: true }).waitFor();
  },
);

emptyShopTest('the counter explains an amount that is added to identify the payment', async ({ site }) => {
  const { service, merchant } = site;
  const details = { mobile: '081-222-3333' };
  await seedReceivingAccount(service, merchant, { method: 'prompt-pay', details });
  const input = { merchantAmount: 120, merchantCurrency: 'THB', method: 'prompt-pay' };
  await seedCharge(service, merchant, { now: new Date(), input });
  const page = await site.open('/counter', { mode: 'live' }, await site.newUser('cashier'));
  await page.getByLabel('Amount').fill('120');
  await page.getByRole('button', { name: 'Show QR code' }).click();
  await page.getByRole('img', { name: /120\.01 by PromptPay$/ }).waitFor();
  await page
    .getByText(/^The customer pays .*120\.01\. The extra .*0\.01 identifies the payment\.$/)
    .waitFor();
  expect(await findOverflow(page)).toEqual([]);
});

emptyShopTest(
  'the counter says that only a statement reports the payment, and an owner records the transfer there',
  async ({ site }) => {
    const { service, merchant } = site;
    await seedReceivingAccount(service, merchant);
    const sell = async (page: Page) => {
      await page.getByLabel('Amount').fill('12');
      await page.getByRole('button', { name: 'Show QR code' }).click();
    };
    const notice = /^No bank feed reports payments to this account/;
    const cashier = await site.open('/counter', { mode: 'live' }, await site.newUser('cashier'));
    await sell(cashier);
    await cashier.getByText('Ask an owner to check the payment').waitFor();
    await cashier.getByText(notice).waitFor();
    await cashier.getByText(/^Hand over the goods only when an owner confirms/).waitFor();
    expect(await cashier.getByRole('button', { name: 'Record transfer' }).count()).toBe(0);
    expect(await findOverflow(cashier)).toEqual([]);
    const owner = await site.open('/counter', { ...desktop, mode: 'live' });
    await sell(owner);
    await owner.getByText('Check your banking app for the payment').waitFor();
    await owner.getByText(notice).waitFor();
    expect(await owner.getByText(/^Hand over the goods/).count()).toBe(0);
    expect(await findAccessibilityErrors(owner)).toEqual([]);
    await owner.getByRole('link', { name: 'Import statement' }).waitFor();
    await owner.getByRole('link', { name: 'connect a bank feed' }).waitFor();
    await owner.getByRole('button', { name: 'Record transfer' }).click();
    const dialog = owner.getByRole('dialog', { name: 'Record transfer' });
    expect(await dialog.getByLabel('Amount (HKD)').inputValue()).toBe('12.00');
    expect(await findAccessibilityErrors(owner)).toEqual([]);
    await dialog.getByRole('button', { name: 'Record' }).click();
    await owner.getByText('✓ Paid', { exact: true }).waitFor();
    expect(new URL(owner.url()).pathname).toBe('/dashboard/counter');

    const { id: merchantId } = merchant.merchant;
    const charge = await service.prisma.charge.findFirstOrThrow({
      where: { merchantId, status: 'pending' },
    });
    await payCharge(service, merchant, charge);
    await cashier.reload();
    await sell(cashier);
    await cashier.getByRole('img', { name: /^QR code to pay/ }).waitFor();
    expect(await cashier.getByText(notice).count()).toBe(0);
  },
);

async function cancelSale(page: Page) {
  await page.getByRole('button', { name: 'Cancel sale' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel sale' }).click();
}
