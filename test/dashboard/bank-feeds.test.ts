import { expect, onTestFinished } from 'vitest';
import { presets } from '../../src/feed/catalog.ts';
import { createPageChecker } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { dashboardTest } from '../setup/dashboard-site.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { feedSenders } from '../setup/feed-senders.ts';
import { readDeliveries, reportPayment, seedBankFeed, sendDelivery } from '../setup/feeds.ts';
import { finishImports, pollDueFeeds, pollTwice, reportInStatement } from '../setup/pull-feeds.ts';
import { seedCharge } from '../setup/seed.ts';
import { sftpLogin, startSftpServer } from '../setup/sftp-server.ts';

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
    await dialog.getByRole('combobox', { name: 'Bank or provider' }).click();
    await dialog.getByRole('option', { name: 'SePay (Vietnam)' }).click();
    await dialog.getByLabel('Name').fill('Vietcombank');
    await dialog.getByRole('combobox', { name: 'Receiving account' }).click();
    await dialog.getByRole('option', { name: account.account }).click();
    await dialog.getByLabel('Account number used by the bank or provider').fill('999');
    await dialog.getByLabel('Signing secret').fill('a secret of the sender');
    await dialog.getByRole('button', { name: 'Create feed' }).click();
    await page.getByText('The bank feed is ready').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Vietcombank' }).click();
    await page.getByText('No deliveries yet').waitFor();
    await page.getByText('Deliveries are signed, so their sender and content are verified.').waitFor();
    await page
      .getByText('Documented: built from the public documentation of the bank or provider.')
      .waitFor();
    const feed = await service.prisma.bankFeed.findFirstOrThrow({ where: { name: 'Vietcombank' } });
    expect(feed).toMatchObject({ kind: 'sepay', status: 'new' });

    const body = reportPayment(feedSenders['SePay with a signature']!, charge, { paidAt: new Date() });
    await sendDelivery(site, feed, { body, signedAt: new Date() });
    await page.reload();
    await page.getByText('Deliveries need attention').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Account number used by the bank or provider').fill('0123499999');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: '₫250,000' }).click();
    await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor();
    await page.getByText('None of this feed’s receiving accounts matches the account 0123499999').waitFor();
    expect(await page.getByLabel('Body as received').textContent()).toContain(charge.paymentReference);
    await page.getByRole('button', { name: 'Process again' }).click();
    await page.getByRole('link', { name: 'View transfer' }).waitFor();
    expect(await readDeliveries(service, feed)).toMatchObject([{ status: 'processed' }]);
    const { status } = await service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
    expect(status).toBe('completed');

    const { receivingAccountId } = charge;
    const withKey = await seedBankFeed(service, merchant, { sender: 'SePay with a key', receivingAccountId });
    await service.prisma.bankFeed.update({
      where: { id: withKey.id },
      data: { status: 'late', lastSuccessAt: new Date(), lateSince: new Date() },
    });
    await page.goto(`${site.url}/dashboard/bank-feeds/${withKey.id}`);
    await page
      .getByText('Deliveries are authenticated with a static key, which is less secure than a signature.')
      .waitFor();
    await page.getByText('Late', { exact: true }).waitFor();
  },
);

dashboardTest(
  'A merchant connects an SFTP server, approves its host key, sees the fetched file, and changes the host',
  async ({ site }) => {
    const { service, merchant } = site;
    const server = await startSftpServer(onTestFinished);
    const terms = { method: 'viettel-pay', merchantCurrency: 'VND', merchantAmount: 250_000 } as never;
    const charge = await seedCharge(service, merchant, { input: terms, now: new Date() });
    const { account } = await service.prisma.receivingAccount.findUniqueOrThrow({
      where: { id: charge.receivingAccountId },
    });
    const page = await site.open('/bank-feeds', desktop);
    await page.getByRole('button', { name: 'New bank feed' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Bank or provider' }).click();
    await dialog.getByRole('option', { name: 'Statement files on an SFTP server' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Files of the bank');
    await dialog.getByRole('combobox', { name: 'Receiving account' }).click();
    await dialog.getByRole('option', { name: account }).click();
    await dialog.getByLabel('Account number used by the bank or provider').fill('0123499999');
    await dialog.getByLabel('Username').fill(sftpLogin.username);
    await dialog.getByLabel('Password', { exact: true }).fill(sftpLogin.password);
    await dialog.getByLabel('SFTP server host').fill('127.0.0.1');
    await dialog.getByLabel('Port', { exact: true }).fill(String(server.port));
    await dialog.getByLabel('Folder', { exact: true }).fill('/out');
    await dialog.getByRole('button', { name: 'Create feed' }).click();
    await page.getByText('The bank feed is ready').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Files of the bank' }).click();
    const feed = await service.prisma.bankFeed.findFirstOrThrow({ where: { name: 'Files of the bank' } });
    const clock = createFakeClock(new Date());
    await pollDueFeeds(service, clock);
    // The page polls for changes.
    await page.getByText('Approve the server’s host key').waitFor();
    await page.getByRole('button', { name: 'Approve host key' }).click();
    await dialog.getByRole('button', { name: 'Approve host key' }).click();
    await dialog.waitFor({ state: 'detached' });
    const paidAt = new Date();
    const data = Buffer.from(reportInStatement(charge, { account: '0123499999', paidAt }));
    server.files.set('/out/camt053.xml', { data, mtime: Math.floor(paidAt.getTime() / 1000) });
    await pollTwice(service, clock);
    await finishImports(service, clock);
    await page.getByRole('link', { name: 'camt053.xml' }).click();
    await page.getByRole('heading', { level: 2, name: 'Statements' }).waitFor();
    await page.getByText('1 matched').waitFor();
    await page.getByRole('button', { name: 'Fetch again' }).waitFor();
    expect(await readDeliveries(service, feed)).toMatchObject([{ status: 'processed' }]);

    await page.goto(`${site.url}/dashboard/bank-feeds/${feed.id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('SFTP server host').fill('localhost');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const password = dialog.getByLabel('Password', { exact: true });
    await dialog.getByText('is required when the scheme, host or port changes').waitFor();
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    await password.fill(sftpLogin.password);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { settings } = await service.prisma.bankFeed.findUniqueOrThrow({ where: { id: feed.id } });
    expect(settings).toMatchObject({ pull: { host: 'localhost' } });
  },
);

dashboardTest('The form of every kind of bank feed is accessible and fits a phone', async ({ site }) => {
  const check = createPageChecker();
  const page = await site.open('/bank-feeds', desktop);
  await page.getByRole('link', { name: 'import it here' }).click();
  await page.getByRole('heading', { level: 1, name: 'Import a statement' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'New bank feed' }).click();
  const dialog = page.getByRole('dialog');
  const sender = dialog.getByRole('combobox', { name: 'Bank or provider' });
  expect(await sender.inputValue()).toBe('Statement files on an SFTP server');
  await sender.click();
  const names = await dialog.getByRole('option').allTextContents();
  expect(names).toHaveLength(Object.keys(presets).length + 1);
  await page.keyboard.press('Escape');
  for (const name of names) {
    await sender.click();
    await dialog.getByRole('option', { name, exact: true }).click();
    expect({ name, errors: await check(page) }).toEqual({ name, errors: [] });
  }
});
