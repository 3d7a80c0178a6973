import { expect, test } from 'vitest';
import { requestRestrictedAccess } from '../../src/domain/accounts/merchant/request-restricted-access.ts';
import { lookInTurn } from '../setup/accessibility.ts';
import { wide } from '../setup/browser.ts';
import { makeCaller } from '../setup/callers.ts';
import { dashboardSite } from '../setup/dashboard-site.ts';
import { serveJobs } from '../setup/serve-jobs.ts';
import { linkToken } from '../setup/users.ts';

/** The pages of operators, each looked at as in accessibility.test.ts, in a real browser. */

const faultsOf = lookInTurn();

const site = dashboardSite(
  { restricted: 'none' },
  {
    async prepare(served) {
      const agenda = await serveJobs(served);
      await agenda.every('1 hour', 'purge-jobs');
      const failed = await agenda.create('send-messages').save();
      failed.fail(new Error('the mail server does not answer'));
      await agenda.db.saveJobState(failed.attrs, undefined);
    },
  },
);

test('an operator opens an account, decides about access, sets a rate, sees the jobs', async () => {
  const { service, merchant } = site;
  const operator = await site.newUser('operator');
  const now = new Date();
  await requestRestrictedAccess(service, { caller: await makeCaller(service, merchant, { now }), now });
  const page = await site.open('/', wide, operator);
  await page.getByRole('button', { name: 'New merchant' }).click();
  await page.getByLabel('Name').fill('Peak Coffee');
  await page.getByLabel('E-mail of the first owner').fill('peak@example.com');
  await page.getByRole('button', { name: 'Open the account' }).click();
  await page.getByRole('heading', { name: 'Peak Coffee', level: 1 }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  expect(await linkToken(service, 'peak@example.com', 'invitation')).toMatch(/^[\w-]{43}$/);
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('button', { name: 'Switch the account off' }).click();
  await page.getByRole('button', { name: 'Switch on' }).waitFor();

  await page.getByRole('link', { name: 'Merchants', exact: true }).click();
  await page.getByLabel('Find a merchant').fill('harbour');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('Peak Coffee').waitFor({ state: 'hidden' });
  expect(await faultsOf(page)).toEqual([]);

  await page.getByRole('link', { name: 'Access requests' }).click();
  const request = page.getByRole('link', { name: merchant.merchant.name });
  await request.waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await request.click();
  await page.getByText('short by $2,000,000.00 USD').nth(5).waitFor();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByLabel('Reason').fill('Come back in spring');
  await page.getByRole('button', { name: 'Decline it' }).click();
  await page.getByRole('alert').getByText('Come back in spring').waitFor();
  await page.getByRole('button', { name: 'Grant access' }).click();
  await page.getByRole('button', { name: 'Grant it' }).click();
  await page.getByText('The merchant has access.').waitFor();

  await page.getByRole('link', { name: 'Exchange rates' }).click();
  await page.getByRole('button', { name: 'Set a rate' }).click();
  await page.getByLabel('Currency').fill('hkd');
  await page.getByLabel('For one euro').fill('9,2001');
  await page.getByRole('button', { name: 'Set the rate' }).click();
  const rate = page.getByRole('row', { name: 'HKD' });
  await rate.getByText('9.2001').waitFor();
  await rate.getByText(operator.email).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Set a rate' }).click();
  await page.getByLabel('Currency').fill('hkd');
  await page.getByLabel('For one euro').fill('920.01');
  await page.getByRole('button', { name: 'Set the rate' }).click();
  await page.getByText('That is 100 times the rate that counts now, 9.2001. Press again').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await rate.getByRole('button', { name: 'Take back' }).click();
  await page.getByRole('button', { name: 'Take it back' }).click();
  await rate.waitFor({ state: 'hidden' });

  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.getByRole('row', { name: 'purge-jobs' }).getByText('1 waiting').waitFor();
  const failed = page.getByRole('row', { name: 'send-messages failed once' });
  await failed.getByText('the mail server does not answer').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await failed.getByRole('button', { name: 'Run send-messages again' }).click();
  await page.getByText('Nothing failed').waitFor();
  await page.getByRole('row', { name: 'send-messages 1 waiting 0 running 0 failed' }).waitFor();
  await page.getByRole('button', { name: `Account of ${operator.email}` }).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor();
});
