import { expect } from 'vitest';
import { desktop } from '../setup/browser.ts';
import { dashboardTest } from '../setup/dashboard-site.ts';
import { feedSenders } from '../setup/feed-senders.ts';
import { readDeliveries, reportPayment, sendDelivery } from '../setup/feeds.ts';
import { seedCharge } from '../setup/seed.ts';

dashboardTest(
  'A merchant creates a bank feed, sees why a delivery failed, corrects the account and processes it again',
  async ({ site }) => {
    const { service, merchant } = site;
    const page = await site.open('/bank-feeds', desktop);
    const terms = { method: 'viettel-pay', merchantCurrency: 'VND', merchantAmount: 250_000 } as never;
    const charge = await seedCharge(service, merchant, { input: terms, now: new Date() });
    const account = await service.prisma.receivingAccount.findUniqueOrThrow({
      where: { id: charge.receivingAccountId },
    });
    await page.getByRole('button', { name: 'New bank feed' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Vietcombank');
    await dialog.getByRole('combobox', { name: 'Receiving account' }).click();
    await dialog.getByRole('option', { name: account.account }).click();
    await dialog.getByLabel('Account as the sender writes it').fill('999');
    await dialog.getByLabel('Signing secret').fill('a secret of the sender');
    await dialog.getByRole('button', { name: 'Create feed' }).click();
    await page.getByText('The bank feed is ready').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Vietcombank' }).click();
    await page.getByText('No deliveries yet').waitFor();
    const feed = await service.prisma.bankFeed.findFirstOrThrow({ where: { name: 'Vietcombank' } });
    expect(feed).toMatchObject({ kind: 'sepay', status: 'new' });

    const body = reportPayment(feedSenders['SePay with a signature']!, charge, { paidAt: new Date() });
    await sendDelivery(site, feed, { body, signedAt: new Date() });
    await page.reload();
    await page.getByText('Deliveries need attention').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Account as the sender writes it').fill('0123499999');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: '250000 VND' }).click();
    await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor();
    await page.getByText('No receiving account of this feed has the account 0123499999').waitFor();
    expect(await page.getByLabel('Body as received').textContent()).toContain(charge.paymentReference);
    await page.getByRole('button', { name: 'Process again' }).click();
    await page.getByRole('link', { name: 'View transfer' }).waitFor();
    expect(await readDeliveries(service, feed)).toMatchObject([{ status: 'processed' }]);
    const { status } = await service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
    expect(status).toBe('completed');
  },
);
