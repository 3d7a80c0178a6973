import { expect } from 'vitest';
import { updateSubscriptionPlan } from '../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { updateBankFeed } from '../../src/domain/money-in/feed/update-bank-feed.ts';
import { desktop } from '../setup/browser.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';
import { seedBankFeed } from '../setup/feeds.ts';
import { seedApiKey } from '../setup/seed.ts';
import { sftpLogin } from '../setup/sftp-server.ts';
import { seedPlan } from '../setup/subscriptions.ts';

test('renaming a plan keeps the tax and the price that a colleague has changed since the form was opened', async ({
  site,
}) => {
  const { service, merchant } = site;
  const { id } = await seedPlan(service, merchant, { input: { orders: [{ name: 'Dragon Well' }] } });
  const page = await site.open(`/plans/${id}`, { ...desktop, mode: 'live' });
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Tea club');
  await updateSubscriptionPlan(service, {
    ...{ merchant: merchant.merchant, mode: 'live', id, now: new Date() },
    input: {
      tax: { name: 'GST', rate: '9' },
      recurringPayment: { amount: '120', period: 'months', count: 1 },
      orders: [{ name: 'Iron Goddess' }],
    },
  });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tea club' }).waitFor();
  const plan = await service.prisma.subscriptionPlan.findUniqueOrThrow({ where: { id } });
  expect(plan).toMatchObject({
    ...{ name: 'Tea club', taxName: 'GST', amount: 12_000n },
    orders: [{ name: 'Iron Goddess' }],
  });
});

test('renaming an API key keeps the permissions that a colleague has removed since the form was opened', async ({
  site,
}) => {
  const { service, merchant } = site;
  const { id } = await seedApiKey(service, merchant, { permissions: ['read', 'refund'] });
  const page = await site.open('/api-keys', { ...desktop, mode: 'live' });
  await page.getByRole('row', { name: 'read refund' }).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Web shop');
  await service.prisma.apiKey.update({ where: { id }, data: { permissions: ['read'] } });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const apiKey = await service.prisma.apiKey.findUniqueOrThrow({ where: { id } });
  expect(apiKey).toMatchObject({ name: 'Web shop', permissions: ['read'] });
});

test('changing the name and the server of a bank feed keeps what a colleague has changed since the form was opened', async ({
  site,
}) => {
  const { service, merchant } = site;
  const merchantId = merchant.merchant.id;
  const account = await service.prisma.receivingAccount.findFirstOrThrow({
    where: { merchantId, mode: 'live' },
  });
  const { id } = await seedBankFeed(service, merchant, {
    receivingAccountId: account.id,
    input: {
      ...{ kind: 'sftp', name: 'Bank', authentication: null },
      credentials: { username: sftpLogin.username, key: sftpLogin.password },
      pull: { host: 'sftp.bank.example', folder: '/out' },
    },
  });
  const page = await site.open(`/bank-feeds/${id}`, { ...desktop, mode: 'live' });
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Files of the bank');
  await dialog.getByLabel('Folder', { exact: true }).fill('/reports');
  await updateBankFeed(service, {
    ...{ merchantId, mode: 'live', id, actor: 'user:test', now: new Date() },
    input: {
      receivingAccounts: [{ receivingAccountId: account.id, bankAccount: '999' }],
      allowedAddresses: ['203.0.113.0/24'],
      silenceMinutes: 60,
      pull: { patterns: ['*.xml'] },
    },
  });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const feed = await service.prisma.bankFeed.findUniqueOrThrow({
    where: { id },
    include: { accounts: true },
  });
  expect(feed).toMatchObject({
    ...{ name: 'Files of the bank', allowedAddresses: ['203.0.113.0/24'], silenceMinutes: 60 },
    accounts: [{ bankAccount: '999' }],
    settings: { pull: { host: 'sftp.bank.example', folder: '/reports', patterns: ['*.xml'] } },
  });
});
