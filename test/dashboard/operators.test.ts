import { expect } from 'vitest';
import { requestRestrictedAccess } from '../../src/domain/accounts/merchant/request-restricted-access.ts';
import { createPageChecker } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { seedCaller } from '../setup/callers.ts';
import { dashboardTest, startDashboard } from '../setup/dashboard-site.ts';
import { serveJobDashboard } from '../setup/full-app.ts';
import { readLinkToken } from '../setup/users.ts';

const findErrors = createPageChecker();

const test = dashboardTest
  .extend('dashboard', { scope: 'file' }, ({ onFileCleanup }) =>
    startDashboard(onFileCleanup, async (testApp) => {
      const agenda = await serveJobDashboard(onFileCleanup, testApp);
      await agenda.every('1 hour', 'purge-jobs');
      const failed = await agenda.create('send-messages').save();
      failed.fail(new Error('the mail server does not answer'));
      await agenda.db.saveJobState(failed.attrs, undefined);
    }),
  )
  .extend('merchantInput', () => ({ restrictedAccess: 'none' as const }));

test('an operator creates a merchant, decides on access, sets a rate, sees the health, and retries a job', async ({
  site,
}) => {
  const { service, merchant } = site;
  const operator = await site.newUser('operator');
  const now = new Date();
  await requestRestrictedAccess(service, { caller: await seedCaller(service, merchant, { now }), now });
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await site.open('/', { ...desktop, permissions }, operator);
  await page.getByRole('button', { name: 'New merchant' }).click();
  await page.getByLabel('Name').fill('Peak Coffee');
  await page.getByLabel('First owner’s email').fill('peak@example.com');
  await page.getByRole('button', { name: 'Create merchant' }).click();
  await page.getByText('No email was sent to peak@example.com, because email isn’t set up.').waitFor();
  expect(await page.getByText('It replaces earlier links').count()).toBe(0);
  expect(await findErrors(page)).toEqual([]);
  await page.getByRole('button', { name: 'Copy invitation link' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const invitationUrl = await page.evaluate(() => navigator.clipboard.readText());
  const token = await readLinkToken(service, 'peak@example.com', 'invitation');
  expect(invitationUrl).toBe(`${service.settings.publicUrl}/dashboard/invitation#${token}`);
  await page.getByRole('link', { name: 'View merchant' }).click();
  await page.getByRole('heading', { name: 'Peak Coffee', level: 1 }).waitFor();
  expect(await findErrors(page)).toEqual([]);
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByRole('button', { name: 'Disable merchant' }).click();
  await page.getByRole('button', { name: 'Enable', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Disable API operations' }).click();
  await page.getByPlaceholder('Search, for example createRefund').fill('createRef');
  await page.getByRole('option', { name: 'createRefund', exact: true }).click();
  // The focus leaves the list, which closes.
  await page.keyboard.press('Tab');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable API operations' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByText('createRefund', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Merchants', exact: true }).click();
  await page.getByLabel('Search merchants').fill('harbour');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('Peak Coffee').waitFor({ state: 'hidden' });
  const harbour = page.getByRole('row', { name: merchant.merchant.name }).first();
  await harbour.getByText('0 payments').waitFor();
  await harbour.getByText('None', { exact: true }).waitFor();
  expect(await findErrors(page)).toEqual([]);

  await page.getByRole('link', { name: 'Access requests' }).click();
  const request = page.getByRole('link', { name: merchant.merchant.name });
  await request.waitFor();
  expect(await findErrors(page)).toEqual([]);
  await request.click();
  await page.getByText('US$2,000,000.00 short').nth(5).waitFor();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByLabel('Reason').fill('Come back in spring');
  await page.getByRole('button', { name: 'Decline request' }).click();
  await page.getByRole('alert').getByText('Come back in spring').waitFor();
  await page.getByRole('button', { name: 'Grant access' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Grant access' }).click();
  await page.getByText('The merchant has access.').waitFor();

  await page.getByRole('link', { name: 'Exchange rates' }).click();
  await page.getByRole('button', { name: 'Set rate' }).first().click();
  await page.getByLabel('Currency').fill('hkd');
  await page.getByLabel('Per EUR').fill('9,2001');
  await page.getByRole('dialog').getByRole('button', { name: 'Set rate' }).click();
  const rate = page.getByRole('row', { name: 'HKD' });
  await rate.getByText('9.2001').waitFor();
  await rate.getByText(operator.email).waitFor();
  expect(await findErrors(page)).toEqual([]);
  await page.getByRole('button', { name: 'Set rate' }).first().click();
  await page.getByLabel('Currency').fill('hkd');
  await page.getByLabel('Per EUR').fill('920.01');
  await page.getByRole('dialog').getByRole('button', { name: 'Set rate' }).click();
  await page.getByText('This rate is 100 times the current rate, 9.2001. Select “Set rate” again').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await rate.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove rate' }).click();
  await rate.waitFor({ state: 'hidden' });

  await page.getByRole('link', { name: 'Health' }).click();
  await page.getByText('No mail server is configured, so no email is sent. Set SMTP_URL.').waitFor();
  await page.getByRole('row', { name: 'Webhook notifications 0 due 0.0 s' }).waitFor();
  await page.getByText('Not measured: check it on the database server').waitFor();
  expect(await findErrors(page)).toEqual([]);

  await page.getByRole('link', { name: 'Jobs' }).click();
  const purge = page.getByRole('row', { name: 'Deletes failed one-off jobs' });
  await purge.getByText('purge-jobs · every 1 hour').waitFor();
  await purge.getByText('Scheduled').waitFor();
  await purge.getByText('Not yet').waitFor();
  const failed = page.getByRole('row', { name: 'send-messages Failed 1 time' });
  await failed.getByText('the mail server does not answer').waitFor();
  expect(await findErrors(page)).toEqual([]);
  await failed.getByRole('button', { name: 'Retry send-messages' }).click();
  await page.getByText('No failed jobs').waitFor();
  await page.getByRole('row', { name: 'send-messages send-messages Scheduled' }).waitFor();
  await page.getByRole('button', { name: `Account of ${operator.email}` }).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
});

test('a merchant that moved away has its own status, and cannot be changed', async ({ site }) => {
  const { service, merchant } = site;
  await service.prisma.merchant.update({
    where: { id: merchant.merchant.id },
    data: { moveStatus: 'moved', movedTo: 'https://pay2.example.com' },
  });
  const operator = await site.newUser('operator');
  const page = await site.open('/', desktop, operator);
  const row = page.getByRole('row').filter({ hasText: merchant.merchant.id });
  await row.getByText('Moved away').waitFor();
  await row.getByText('Moved to https://pay2.example.com').waitFor();
  await row.getByRole('link').click();
  await page.getByText('This merchant runs on another server now').waitFor();
  expect(await page.getByRole('button', { name: /^(Disable|Grant)/ }).count()).toBe(0);
  expect(await findErrors(page)).toEqual([]);
});
