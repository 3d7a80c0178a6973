import { expect } from 'vitest';
import { assignTransfer } from '../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { hourMs } from '../../src/kit/duration.ts';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { type DashboardSite, dashboardTest as test } from '../setup/dashboard-site.ts';
import { importFile } from '../setup/import-file.ts';
import { retireAccounts, seedReceivingAccount } from '../setup/receiving-accounts.ts';
import { seedCharge } from '../setup/seed.ts';
import { booking, camtXml } from '../setup/statement-files.ts';
import { payCharge } from '../setup/transfers.ts';
import { finishUndo, startUndo } from '../setup/undo.ts';

/** Creates a charge of HK$128.50 that received HK$100. */
async function seedPartlyPaid({ service, merchant }: DashboardSite, now = new Date()) {
  const charge = await seedCharge(service, merchant, { now, input: { email: 'ada@example.com' } });
  await payCharge(service, merchant, charge, { minor: 10_000n, payerName: 'ADA', now });
  return charge;
}

test('a manager copies the link that asks for the rest, or accepts the part payment of an open charge', async ({
  site,
}) => {
  const { id } = await seedPartlyPaid(site);
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await site.open(`/charges/${id}`, { ...desktop, permissions });
  const notice = page.getByRole('alert');
  await notice.getByText(/^HK\$100\.00 received\. .* remaining HK\$28\.50/).waitFor();
  await page.getByText(/Bank feed · reported via the API$/).waitFor();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Copy payment link' }).click();
  await notice.getByRole('button', { name: 'Copied' }).waitFor();
  const customer = await page.context().newPage();
  await customer.goto(await page.evaluate(() => navigator.clipboard.readText()));
  await customer.getByText('HK$28.50').first().waitFor();
  await customer.close();

  await notice.getByRole('button', { name: 'Accept as paid' }).click();
  const dialog = page.getByRole('dialog', { name: 'Accept HK$100.00 as full payment?' });
  await dialog.getByRole('button', { name: 'Accept as paid' }).click();
  await page.getByRole('main').getByRole('status').getByText('Completed', { exact: true }).waitFor();
  await notice.waitFor({ state: 'hidden' });
  await page.getByText('Accepted as full payment').waitFor();
  await page.getByText(/ · by you$/).waitFor();
  await page.getByRole('button', { name: 'Refund' }).waitFor();
});

test('a manager asks for the rest of an expired charge, and the customer pays it', async ({ site }) => {
  const charge = await seedPartlyPaid(site, new Date(Date.now() - 48 * hourMs));
  await expireCharges(site.service, { now: new Date() });
  for (const options of [{}, desktop]) {
    const page = await site.open(`/charges/${charge.id}`, options);
    const notice = page.getByRole('alert');
    await notice.getByText(/ charge expired before the remaining HK\$28\.50 was paid\. Ask /).waitFor();
    await notice.getByRole('button', { name: 'Ask for the rest' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ask for the remaining HK$28.50?' });
    await dialog.getByLabel('Time to pay').waitFor();
    expect(await findOverflow(page)).toEqual([]);
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await page.close();
  }
  const page = await site.open(`/charges/${charge.id}`);
  const notice = page.getByRole('alert');
  await notice.getByRole('button', { name: 'Ask for the rest' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Time to pay').selectOption('7 days');
  await dialog.getByRole('button', { name: 'Ask for the rest' }).click();
  const message = notice.getByText(/HK\$100\.00.*HK\$128\.50.*HK\$28\.50.*http/);
  await message.waitFor();
  await notice.getByRole('button', { name: 'Copy message' }).waitFor();
  await notice.getByRole('button', { name: 'Give more time' }).click();
  await page.getByRole('dialog', { name: 'Give more time to pay HK$28.50?' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('More time given to pay the rest').waitFor();
  await page.getByText('Part payment applied again').waitFor();
  expect(await findOverflow(page)).toEqual([]);
  const [url] = /http\S+$/.exec((await message.textContent())!)!;
  const customer = await page.context().newPage();
  await customer.goto(url);
  await customer.getByText('HK$28.50').first().waitFor();
  await payCharge(site.service, site.merchant, charge, { minor: 2_850n, now: new Date() });
  await page.getByRole('main').getByRole('status').getByText('Completed', { exact: true }).waitFor();
});

test('a manager accepts the part payment of an expired charge on a phone', async ({ site }) => {
  const { id } = await seedPartlyPaid(site, new Date(Date.now() - 48 * hourMs));
  await expireCharges(site.service, { now: new Date() });
  const page = await site.open(`/charges/${id}`);
  const notice = page.getByRole('alert');
  await notice
    .getByText(/^HK\$100\.00 received, but the charge expired .* open the transfer below/)
    .waitFor();
  await page.getByText('HK$100.00, no longer applied: the charge ended before it was paid in full').waitFor();
  expect(await notice.getByRole('button', { name: 'Copy payment link' }).count()).toBe(0);
  expect(await findOverflow(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Accept as paid' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept as paid' }).click();
  await notice.waitFor({ state: 'hidden' });
  await page.getByText('HK$28.50 underpaid').waitFor();
});

test('the timeline shows once that a part payment was released, after its duplicate has replaced it', async ({
  site,
}) => {
  const { service, merchant } = site;
  const now = new Date(Date.now() - 48 * hourMs);
  const { id, receivingAccountId, paymentReference } = await seedCharge(service, merchant, { now });
  const importPart = (reference: string, message: '053' | '054') => {
    const date = now.toISOString().slice(0, 10);
    const entry = booking({ amount: '100', date, reference, text: paymentReference });
    return importFile(service, merchant, { content: camtXml(entry, { message }), receivingAccountId, now });
  };
  const paid = await importPart('R1', '054');
  await importPart('B1', '053');
  await expireCharges(service, { now: new Date() });
  const { id: statementId } = await startUndo(service, merchant, paid);
  await finishUndo(service, { id: statementId, now: new Date() });
  const page = await site.open(`/charges/${id}`);
  const released = page.getByText('HK$100.00 is no longer applied, because the charge expired');
  await released.waitFor();
  expect(await released.count()).toBe(1);
});

test('a manager accepts a part payment that was assigned to an expired charge', async ({ site }) => {
  const { service, merchant } = site;
  const charge = await seedPartlyPaid(site, new Date(Date.now() - 48 * hourMs));
  await expireCharges(service, { now: new Date() });
  const [transfer] = await service.prisma.transfer.findMany({
    where: { allocations: { some: { chargeId: charge.id } } },
  });
  await assignTransfer(service, {
    merchant: merchant.merchant,
    mode: charge.mode,
    assignment: { transferId: transfer!.id, parts: [{ chargeId: charge.id }] },
    audit: { actor: 'user:test', now: new Date() },
    now: new Date(),
  });
  const page = await site.open(`/charges/${charge.id}`, desktop);
  const notice = page.getByRole('alert');
  await notice.getByText(/^HK\$100\.00 received, but the charge expired/).waitFor();
  await notice.getByRole('button', { name: 'Accept as paid' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept as paid' }).click();
  await page.getByRole('main').getByRole('status').getByText('Completed', { exact: true }).waitFor();
});

test('Home counts the partly paid charges, and links to the list of them', async ({ site }) => {
  const { service, merchant } = site;
  await seedCharge(service, merchant, { now: new Date(), input: { email: 'bo@example.com' } });
  await seedPartlyPaid(site);
  const page = await site.open('/');
  await page.getByRole('link', { name: '1 charge is partly paid' }).click();
  await page.waitForURL(/status=partly_paid/);
  await page.getByRole('row', { name: 'ada@example.com' }).waitFor();
  expect(await page.getByRole('row', { name: 'bo@example.com' }).count()).toBe(0);
  await page.getByText('1 charge', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Export' }).waitFor();
});

test('lists mark an open charge that is partly paid, with the amount received, on a desktop and on a phone', async ({
  site,
}) => {
  await seedCharge(site.service, site.merchant, { now: new Date(), input: { email: 'bo@example.com' } });
  await seedPartlyPaid(site);
  for (const options of [desktop, {}]) {
    const page = await site.open('/charges', options);
    for (const path of ['charges', '']) {
      await page.goto(`${site.url}/dashboard/${path}`);
      const row = page.getByRole('row', { name: 'ada@example.com' });
      await row.getByText('Partly paid').waitFor();
      await row.getByText('HK$100.00 received').waitFor();
      await page.getByRole('row', { name: 'bo@example.com' }).getByText('Pending').waitFor();
      expect(await findOverflow(page)).toEqual([]);
    }
  }
});

test('the page of a charge without transfers says which transfer completes it', async ({ site }) => {
  const { service, merchant } = site;
  const now = new Date();
  const expired = await seedCharge(service, merchant, { now: new Date(now.getTime() - 48 * hourMs) });
  await expireCharges(service, { now });
  const pending = await seedCharge(service, merchant, { now });
  const cancelled = await seedCharge(service, merchant, { now, input: { email: 'bo@example.com' } });
  const scope = { merchantId: merchant.merchant.id, mode: 'live', id: cancelled.id } as const;
  await cancelCharge(service, { ...scope, by: 'merchant', actor: 'user:test', now });
  await retireAccounts(service, { merchantId: merchant.merchant.id, method: 'prompt-pay' }, now);
  await seedReceivingAccount(service, merchant, {
    method: 'prompt-pay',
    details: { mobile: '081-222-3333' },
  });
  const input = { merchantAmount: 120, merchantCurrency: 'THB', method: 'prompt-pay' } as const;
  const unique = await seedCharge(service, merchant, { now, input });
  const page = await site.open('/charges', desktop);
  for (const [{ id }, text] of [
    [pending, `Transfers with reference ${pending.paymentReference} are matched automatically.`],
    [
      cancelled,
      'If a transfer arrives for this charge, it will need review, because the charge was cancelled.',
    ],
    [expired, 'A transfer that was paid before the charge expired is still matched automatically.'],
    [unique, /^A transfer of exactly .*120\.00 is matched automatically\.$/],
  ] as const) {
    await page.goto(`${site.url}/dashboard/charges/${id}`);
    await page.getByText(text).waitFor();
  }
});

test('the review compares a part-paid charge with its remaining amount, and warns of an overpayment', async ({
  site,
}) => {
  const { service, merchant } = site;
  const charge = await seedPartlyPaid(site);
  const now = new Date();
  await payCharge(service, merchant, charge, { minor: 2_850n, reference: 'rest', payerName: 'ADA', now });
  const page = await site.open('/review');
  await page.getByText('ADA').first().click();
  await page.getByText('HK$100.00 received · HK$28.50 remaining').waitFor();
  await page.getByText('Amount matches the remaining amount exactly').waitFor();
  expect(await findOverflow(page)).toEqual([]);
  await page.close();
  const typed = charge.paymentReference.slice(0, -1);
  await payCharge(service, merchant, charge, { reference: typed, payerName: 'BOB', now });
  const desktopPage = await site.open('/review', desktop);
  await desktopPage.getByText('BOB').first().click();
  await desktopPage.getByText('Payment reference matches except for one or two typos').waitFor();
  await desktopPage.getByRole('button', { name: 'Assign to ada@example.com' }).click();
  await desktopPage.getByText(/Only HK\$28\.50 is unpaid, .* overpayment of HK\$100\.00/).waitFor();
  expect(await findAccessibilityErrors(desktopPage)).toEqual([]);
});

test('the review of a part payment that an expired charge released leads to the charge', async ({ site }) => {
  const charge = await seedPartlyPaid(site, new Date(Date.now() - 48 * hourMs));
  await expireCharges(site.service, { now: new Date() });
  for (const options of [{}, desktop]) {
    const page = await site.open('/review', options);
    await page.getByText('ADA').first().click();
    const hint = page.getByText(/This is a part payment of .* to ask the customer for the rest/);
    await hint.waitFor();
    expect(await findOverflow(page)).toEqual([]);
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await hint.getByRole('link').click();
    await page.waitForURL(`**/charges/${charge.id}`);
    await page.getByRole('button', { name: 'Ask for the rest' }).waitFor();
    await page.close();
  }
});
