import { expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { announceUser } from '../../src/domain/accounts/user/end-sessions.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { signInByForm } from '../setup/browser-sign-in.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';
import { seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

/** Charges at the dashboard, in a real browser, from signing in on. */

const site = setupDashboardSite();

function newCharge(email: string, mode: Mode = 'live') {
  const input = { email, notifyUrl: 'http://127.0.0.1:9/callback' };
  return seedCharge(site.service, site.merchant, { mode, input, now: new Date() });
}

test('sign in, see a charge appear, open it, see it being paid and told of, lose rights, sign out', async () => {
  const { service } = site;
  const { page } = await site.customer(desktop);
  await page.goto(`${site.url}/dashboard`);
  await page.getByRole('textbox', { name: 'Email' }).fill(site.merchant.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('The email or password is incorrect').waitFor();
  await signInByForm(page, site.merchant);

  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByText('No charges yet').waitFor();
  const charge = await newCharge('walker@example.com');
  await page.getByRole('row', { name: 'walker@example.com Pending' }).waitFor();
  await page.getByRole('region', { name: 'Awaiting payment' }).getByText('1', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'walker@example.com' }).click();
  await page.getByRole('heading', { level: 1, name: '$128.50 HKD' }).waitFor();
  await page.getByRole('img', { name: 'QR code shown to the customer' }).waitFor();
  await page.getByText('Fictional account. It cannot receive payments.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/dashboard/charges/${charge.id}`);
  expect(await page.title()).toBe('Charge $128.50 HKD · Causeway');

  await payCharge(service, site.merchant, charge, { minor: 10_000n });
  await page.getByText('Partial payment received').waitFor();
  await page.getByText('$28.50 HKD missing').waitFor();
  await payCharge(service, site.merchant, charge, { minor: 2_850n });
  await page.getByRole('main').getByRole('status').getByText('Completed', { exact: true }).waitFor();
  await page.getByText('No notifications sent').waitFor();
  await relayEvents(service, { now: new Date() });
  await page.getByRole('button', { name: /^CHARGE_COMPLETE Callback/ }).waitFor();

  // Who may do less from now on is offered less at once.
  const refund = page.getByRole('button', { name: 'Refund' });
  await refund.waitFor();
  const { id } = await service.prisma.merchantUser.findFirstOrThrow({
    where: { email: site.merchant.email },
  });
  await transact(service, async (uow) =>
    announceUser(uow, await uow.tx.merchantUser.update({ where: { id }, data: { role: 'developer' } })),
  );
  await refund.waitFor({ state: 'hidden' });

  const signOut = async () => {
    await page.getByRole('button', { name: `Account of ${site.merchant.email}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await page.context().route('**/graphql', (route) => route.abort());
  await signOut();
  await page.getByRole('alert').getByText('You are still signed in. Can’t reach the server').waitFor();
  await page.context().unroute('**/graphql');
  await signOut();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await page.getByText('Your session has expired').count()).toBe(0);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  const where = { user: { email: site.merchant.email } };
  expect(await service.prisma.userSession.count({ where })).toBe(0);
});

test('on a phone: the sandbox’s charges are completed and cancelled by hand, live ones are not among them', async () => {
  const done = await newCharge('sandbox@example.com', 'sandbox');
  await newCharge('dropped@example.com', 'sandbox');
  await newCharge('walker@example.com');
  const page = await site.open('/charges');
  await page.getByRole('row', { name: 'walker@example.com' }).waitFor();
  await page.getByRole('radiogroup', { name: 'Mode' }).getByText('Sandbox').click();
  await page.getByText('No real money moves').waitFor();
  await page.getByRole('row', { name: 'sandbox@example.com Pending' }).waitFor();
  expect(await page.getByRole('row', { name: 'walker@example.com' }).count()).toBe(0);

  await page.getByRole('link', { name: 'sandbox@example.com' }).click();
  await page.getByRole('button', { name: 'Complete' }).click();
  const asked = page.getByRole('dialog', { name: 'Complete this charge?' });
  await asked.getByRole('button', { name: 'Complete charge' }).click();
  await page.getByText('Completed manually, without a transfer').waitFor();
  await page.getByText(/, by you$/).waitFor();
  expect(await page.getByRole('button', { name: 'Cancel charge' }).count()).toBe(0);
  const row = await site.service.prisma.charge.findUniqueOrThrow({ where: { id: done.id } });
  expect(row.status).toBe('completed');

  await page.getByRole('button', { name: 'Navigation' }).click();
  await page.getByRole('link', { name: 'Charges', exact: true }).first().click();
  await page.getByRole('link', { name: 'dropped@example.com' }).click();
  await page.getByRole('button', { name: 'Cancel charge' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this charge?' });
  await dialog.getByRole('button', { name: 'Cancel charge' }).click();
  await page.getByText('Cancelled', { exact: true }).first().waitFor();
  expect(await findOverflow(page)).toEqual([]);
});

test('the list filters by status, method and what a text names, and pages back and forth', async () => {
  for (let i = 10; i < 40; i++) {
    const input = { email: `c${i}@example.com`, method: i === 10 ? 'paynow' : 'fps', merchantAmount: i };
    await seedCharge(site.service, site.merchant, { input, now: new Date() });
  }
  const page = await site.open('/charges', desktop);
  const rows = page.getByRole('row');
  const firstCustomer = (name: string) => rows.nth(1).getByRole('link', { name }).waitFor();

  await firstCustomer('c39@example.com');
  await page.getByRole('button', { name: 'Next' }).click();
  await firstCustomer('c14@example.com');
  expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Previous' }).click();
  await firstCustomer('c39@example.com');

  await page.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: 'PayNow' }).click();
  await firstCustomer('c10@example.com');
  expect(await rows.count()).toBe(2);
  await page.goBack();
  await page.getByRole('searchbox', { name: 'Search' }).fill('C12@example.com');
  await page.getByRole('button', { name: 'Search' }).click();
  await firstCustomer('c12@example.com');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Expired' }).click();
  await page.getByText('No charges found').waitFor();
});
