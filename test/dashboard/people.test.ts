import { expect, test } from 'vitest';
import { processResetRequests } from '../../src/domain/accounts/user/process-reset-requests.ts';
import { createPageChecker } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { signInByForm } from '../setup/browser-sign-in.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';
import { authenticatorCode, readLinkToken } from '../setup/users.ts';

/** People at the dashboard's door, in their own account and among the users, in a real browser. */

const next = 'tea leaves at dawn';
const faultsOf = createPageChecker();

const site = setupDashboardSite();

test('two-step sign-in is set up, asked for at the door, and turned off', async () => {
  const { email, password } = site.merchant;
  const page = await site.open('/account', desktop);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByLabel('Your password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  const shown = (await page.getByRole('button', { name: 'Copy secret' }).textContent()) ?? '';
  const secret = shown.replaceAll(' ', '');
  await page.getByLabel('Code from the app').fill(authenticatorCode(secret, new Date()));
  await page.keyboard.press('Enter');
  const kept = page.getByRole('dialog', { name: 'Your recovery codes' });
  await kept.getByRole('listitem').first().waitFor();
  const codes = await kept.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  expect(await faultsOf(page)).toEqual([]);
  await kept.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByText('10 recovery codes are left.').waitFor();
  expect(await faultsOf(page)).toEqual([]);

  await page.getByRole('button', { name: `Account of ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await signInByForm(page, site.merchant);
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByLabel('Code').fill('000000');
  await page.keyboard.press('Enter');
  await page.getByText('The code is incorrect or already used').waitFor();
  await page.getByLabel('Code').fill(codes[0] as string);
  await page.keyboard.press('Enter');
  await page.getByText('9 recovery codes are left.').waitFor();

  // Where customers pay to is changed only with a code, once more.
  await page.getByRole('link', { name: 'Receiving accounts' }).click();
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('button', { name: 'Deactivate account' }).click();
  const asked = page.getByRole('dialog', { name: 'Confirm your identity' });
  await asked.getByLabel('Code').fill(codes[2] as string);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Reactivate' }).waitFor();

  await page.goto(`${site.url}/dashboard/account`);
  await page.getByText('8 recovery codes are left.').waitFor();
  await page.getByRole('button', { name: 'Create recovery codes' }).click();
  const renewing = page.getByRole('dialog', { name: 'Create new recovery codes?' });
  await renewing.getByLabel('Code').fill(codes[2] as string);
  await page.keyboard.press('Enter');
  await renewing.getByRole('alert').getByText('The code is incorrect or already used').waitFor();
  await renewing.getByLabel('Code').fill(codes[1] as string);
  await page.keyboard.press('Enter');
  await kept.getByRole('listitem').nth(9).waitFor();
  const renewed = await kept.getByRole('listitem').allTextContents();
  expect(renewed.filter((code) => codes.includes(code))).toEqual([]);
  await kept.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByText('10 recovery codes are left.').waitFor();

  await page.getByRole('button', { name: 'Turn off' }).click();
  const dialog = page.getByRole('dialog', { name: 'Turn off two-factor authentication?' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  // One of those before opens nothing any more.
  await dialog.getByLabel('Code').fill(codes[3] as string);
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('The code is incorrect or already used').waitFor();
  await dialog.getByLabel('Code').fill(renewed[0] as string);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Turn on' }).waitFor();
});

test('a forgotten password is set anew by the mail’s link', async () => {
  const { service } = site;
  const { email } = site.merchant;
  const { page } = await site.customer();
  await page.goto(`${site.url}/dashboard/charges`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText(`If ${email} is the address of a user, we’ve sent an email.`).waitFor();
  await processResetRequests(service, { now: new Date() });
  const token = await readLinkToken(service, email, 'password-reset');
  await page.goto(`${site.url}/dashboard/reset-password#${token}`);
  await page.getByLabel('New password').fill(email);
  await page.keyboard.press('Enter');
  await page.getByText('Must not be your email address').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByLabel('New password').fill(next);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signInByForm(page, { email, password: next });
  await page.getByRole('heading', { name: 'Home' }).waitFor();
});

test('an owner invites; the invited joins by keyboard, on a phone; the owner changes the role and removes', async () => {
  const { service, merchant } = site;
  const other = await site.newUser('owner');
  const email = 'ada.wong@example.com';
  const owner = await site.open('/users', desktop);
  await owner.getByRole('button', { name: 'Invite user' }).click();
  await owner.getByRole('textbox', { name: 'Email' }).fill(email);
  await owner.getByRole('radio', { name: /^Developer/ }).check();
  expect(await faultsOf(owner)).toEqual([]);
  await owner.getByRole('button', { name: 'Send invitation' }).click();
  const invitations = owner.getByRole('table', { name: 'Invitations' });
  await invitations.getByText(email).waitFor();
  await owner.getByRole('button', { name: `Resend to ${email}` }).click();
  await owner.getByText('The earlier link no longer works.').waitFor();
  expect(await faultsOf(owner)).toEqual([]);
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
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.type('Ada Wong');
  await page.keyboard.press('Tab');
  await page.keyboard.type(next);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();

  await owner.reload();
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
  expect(await faultsOf(page)).toEqual([]);
  const second = owner.getByRole('row', { name: other.email });
  await second.getByRole('button', { name: 'Remove' }).click();
  await owner.getByRole('button', { name: 'Remove user' }).click();
  await second.waitFor({ state: 'hidden' });
  const own = owner.getByRole('row', { name: merchant.email });
  await own.getByRole('button', { name: 'Remove' }).click();
  await owner.getByRole('button', { name: 'Remove user' }).click();
  await owner.getByText('An account must have at least one owner').waitFor();
});
