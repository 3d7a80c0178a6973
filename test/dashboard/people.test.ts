import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { requestRestrictedAccess } from '../../src/domain/merchant/request-restricted-access.ts';
import { answerResetRequests } from '../../src/domain/user/answer-reset-requests.ts';
import { openDashboardAgenda, registerJobDashboard } from '../../src/jobs/job-dashboard.ts';
import { operatorsOnly } from '../../src/jobs/operators-only.ts';
import { accessibilityFaults, widerThanWindow } from '../setup/accessibility.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { atEnd } from '../setup/at-end.ts';
import { testBrowser } from '../setup/browser.ts';
import { makeCaller } from '../setup/callers.ts';
import { enterDashboard } from '../setup/enter-dashboard.ts';
import { makeMerchant } from '../setup/makers.ts';
import { makeUser, password } from '../setup/sign-in.ts';
import { appCode, linkToken } from '../setup/users.ts';

/** People at the dashboard's door, in their own account, among the users, and operators: in a real browser. */

const wide = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const;
const next = 'tea leaves at dawn';
const operatorEmail = 'operator@example.com';
/** Has the second factor in the end. */
const secondOwner = 'second@example.com';

let served: TestApp;
let url: string;
let merchant: NewMerchant;
const browser = testBrowser(() => url);

beforeAll(async () => {
  await buildDashboard();
  served = await testApp();
  const { service } = served.context;
  const store = { connectionString: served.connectionString, processName: 'test' };
  const jobs = await openDashboardAgenda(store, (error: Error) => console.error(error));
  atEnd(() => jobs.stop());
  await jobs.agenda.every('1 hour', 'purge-jobs');
  const failed = await jobs.agenda.create('send-messages').save();
  failed.fail(new Error('the mail server does not answer'));
  await jobs.agenda.db.saveJobState(failed.attrs, undefined);
  await registerJobDashboard(served.app, { agenda: jobs.agenda, ...operatorsOnly(served.context) });
  url = await served.app.listen({ port: 0, host: '127.0.0.1' });
  service.settings.publicUrl = url;
  merchant = await makeMerchant(service, { restricted: 'none' }, new Date());
  const now = new Date();
  await makeUser(service, { merchantId: null, email: operatorEmail, role: 'operator', now });
  await makeUser(service, { merchantId: merchant.merchant.id, email: secondOwner, role: 'owner', now });
});

/** As `user`, who has signed in, or at the door. */
async function open(path: string, options = {}, user?: { email: string; password: string }): Promise<Page> {
  const { page, context } = await browser.customer(options);
  if (user) await enterDashboard(context, url, user);
  await page.goto(`${url}/dashboard${path}`);
  return page;
}

async function signIn(page: Page, email: string, secretWord: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secretWord);
  await page.keyboard.press('Enter');
}

let looks = 0;

/** What axe finds, light and dark in turn, and what sticks out of a phone's window. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
  await page.emulateMedia({ colorScheme: looks++ % 2 === 0 ? 'light' : 'dark' });
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 740 });
  // The frame around them is looked at once, elsewhere.
  const within = (await page.getByRole('dialog').count()) > 0 ? '[role=dialog]' : 'main';
  const faults = [...(await accessibilityFaults(page, { within })), ...(await widerThanWindow(page))];
  if (before) await page.setViewportSize(before);
  return faults;
}

test('two-step sign-in is set up, asked for at the door, and turned off', async () => {
  const page = await open('/account', wide, { email: secondOwner, password });
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByLabel('Your password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  const shown = (await page.getByRole('button', { name: 'Copy secret' }).textContent()) ?? '';
  const secret = shown.replaceAll(' ', '');
  await page.getByLabel('The code that the app shows').fill(appCode(secret, new Date()));
  await page.keyboard.press('Enter');
  const kept = page.getByRole('dialog', { name: 'Your recovery codes' });
  await kept.getByRole('listitem').first().waitFor();
  const codes = await kept.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  expect(await faultsOf(page)).toEqual([]);
  await kept.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('10 recovery codes are left.').waitFor();
  expect(await faultsOf(page)).toEqual([]);

  await page.getByRole('button', { name: `Account of ${secondOwner}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await signIn(page, secondOwner, password);
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByLabel('Code').fill('000000');
  await page.keyboard.press('Enter');
  await page.getByText('The code is wrong, or was used before').waitFor();
  await page.getByLabel('Code').fill(codes[0] as string);
  await page.keyboard.press('Enter');
  await page.getByText('9 recovery codes are left.').waitFor();

  // Where customers pay to is changed only with a code, once more.
  await page.getByRole('link', { name: 'Receiving accounts' }).click();
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Retire' }).click();
  await page.getByRole('button', { name: 'Retire account' }).click();
  const asked = page.getByRole('dialog', { name: 'Enter a code' });
  await asked.getByLabel('Code').fill(codes[2] as string);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Take up again' }).waitFor();

  await page.goto(`${url}/dashboard/account`);
  await page.getByText('8 recovery codes are left.').waitFor();
  await page.getByRole('button', { name: 'New recovery codes' }).click();
  const renewing = page.getByRole('dialog', { name: 'Make new recovery codes?' });
  await renewing.getByLabel('Code').fill(codes[2] as string);
  await page.keyboard.press('Enter');
  await renewing.getByRole('alert').getByText('The code is wrong, or was used before').waitFor();
  await renewing.getByLabel('Code').fill(codes[1] as string);
  await page.keyboard.press('Enter');
  await kept.getByRole('listitem').nth(9).waitFor();
  const renewed = await kept.getByRole('listitem').allTextContents();
  expect(renewed.filter((code) => codes.includes(code))).toEqual([]);
  await kept.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('10 recovery codes are left.').waitFor();

  await page.getByRole('button', { name: 'Turn off' }).click();
  const dialog = page.getByRole('dialog', { name: 'Turn two-step sign-in off?' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  // One of those before opens nothing any more.
  await dialog.getByLabel('Code').fill(codes[3] as string);
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('The code is wrong, or was used before').waitFor();
  await dialog.getByLabel('Code').fill(renewed[0] as string);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Turn on' }).waitFor();
});

test('a forgotten password is set anew by the mail’s link', async () => {
  const { service } = served.context;
  const page = await open('/charges');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('E-mail').fill(merchant.email);
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText(`If ${merchant.email} is the address of a user, a mail is on its way.`).waitFor();
  await answerResetRequests(service, { now: new Date() });
  await page.goto(
    `${url}/dashboard/reset-password#${await linkToken(service, merchant.email, 'password-reset')}`,
  );
  await page.getByLabel('New password').fill(merchant.email);
  await page.keyboard.press('Enter');
  await page.getByText('Must not be your e-mail address').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByLabel('New password').fill(next);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, merchant.email, next);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  merchant.password = next;
});

test('an owner invites; the invited joins by keyboard, on a phone; the owner changes the role and removes', async () => {
  const { service } = served.context;
  const email = 'ada.wong@example.com';
  const owner = await open('/users', wide, merchant);
  await owner.getByRole('button', { name: 'Invite somebody' }).click();
  await owner.getByLabel('E-mail').fill(email);
  await owner.getByRole('radio', { name: /^Developer/ }).check();
  expect(await faultsOf(owner)).toEqual([]);
  await owner.getByRole('button', { name: 'Send the invitation' }).click();
  const invitations = owner.getByRole('table', { name: 'Invitations' });
  await invitations.getByText(email).waitFor();
  await owner.getByRole('button', { name: `Send again to ${email}` }).click();
  await owner.getByText('The earlier link works no more.').waitFor();
  expect(await faultsOf(owner)).toEqual([]);
  await owner.getByRole('button', { name: 'Invite somebody' }).click();
  await owner.getByLabel('E-mail').fill('mistyped@example.com');
  await owner.keyboard.press('Enter');
  const mistyped = invitations.getByRole('row', { name: 'mistyped@example.com' });
  await mistyped.getByRole('button', { name: 'Withdraw' }).click();
  await owner.getByRole('button', { name: 'Withdraw it' }).click();
  await mistyped.waitFor({ state: 'hidden' });

  const page = await open(`/invitation#${await linkToken(service, email, 'invitation')}`);
  await page.getByRole('heading', { name: `Join ${merchant.merchant.name}` }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.type('Ada Wong');
  await page.keyboard.press('Tab');
  await page.keyboard.type(next);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();

  await owner.reload();
  const row = owner.getByRole('row', { name: 'Ada Wong' });
  await row.getByRole('button', { name: 'Role' }).click();
  await owner.getByRole('radio', { name: /^Support/ }).check();
  await owner.getByRole('button', { name: 'Change the role' }).click();
  await row.getByText('Support').waitFor();
  await row.getByRole('button', { name: 'Remove' }).click();
  await owner.getByRole('button', { name: 'Remove the user' }).click();
  await row.waitFor({ state: 'hidden' });
  await page.goto(`${url}/dashboard/charges`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.goto(`${url}/dashboard/invitation#used`);
  await page.getByRole('heading', { name: 'This invitation counts no more' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  const second = owner.getByRole('row', { name: secondOwner });
  await second.getByRole('button', { name: 'Remove' }).click();
  await owner.getByRole('button', { name: 'Remove the user' }).click();
  await second.waitFor({ state: 'hidden' });
  const own = owner.getByRole('row', { name: merchant.email });
  await own.getByRole('button', { name: 'Remove' }).click();
  await owner.getByRole('button', { name: 'Remove the user' }).click();
  await owner.getByText('An account keeps at least one owner').waitFor();
});

test('an operator opens an account, decides about access, sets a rate, sees the jobs', async () => {
  const { service } = served.context;
  const now = new Date();
  await requestRestrictedAccess(service, { caller: await makeCaller(service, merchant, { now }), now });
  const page = await open('/', wide, { email: operatorEmail, password });
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
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('Peak Coffee').waitFor({ state: 'hidden' });
  expect(await faultsOf(page)).toEqual([]);

  await page.getByRole('link', { name: 'Access requests' }).click();
  await page.getByRole('link', { name: merchant.merchant.name }).click();
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
  await rate.getByText(operatorEmail).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Set a rate' }).click();
  await page.getByLabel('Currency').fill('hkd');
  await page.getByLabel('For one euro').fill('920.01');
  await page.getByRole('button', { name: 'Set the rate' }).click();
  await page.getByText('That is 100 times the rate that counts now, 9.2001. Press again').waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
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
  await page.getByRole('button', { name: `Account of ${operatorEmail}` }).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor();
});
