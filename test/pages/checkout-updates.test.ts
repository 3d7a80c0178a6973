import { describe, expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { type Customer, readQr } from '../setup/browser.ts';
import { seedSession, sessionPath } from '../setup/checkout.ts';
import { chooseMethod, readValue, setupCheckoutSite } from '../setup/checkout-site.ts';
import { payCharge } from '../setup/transfers.ts';

const site = setupCheckoutSite();

describe('what the open page shows by itself', () => {
  async function openCharge(): Promise<{ customer: Customer; charge: Charge }> {
    const redirectUrl = 'https://shop.example/thanks?order=7&x="y"';
    const session = await seedSession(site.service(), site.merchant(), { input: { redirectUrl } });
    const customer = await site.customer();
    await customer.page.goto(`${site.origin()}${sessionPath(session)}`);
    await chooseMethod(customer, 'fps');
    // A mark that a reload would wipe away.
    await customer.page.evaluate(() => document.body.setAttribute('data-mark', 'kept'));
    return { customer, charge: await site.newestCharge() };
  }

  async function expectNotReloaded({ page }: Customer): Promise<void> {
    expect(await page.locator('body').getAttribute('data-mark')).toBe('kept');
  }

  test('paid, once the bank has told of it', async () => {
    const { customer, charge } = await openCharge();
    const { page } = customer;
    await payCharge(site.service(), site.merchant(), charge);
    await page.getByRole('heading', { name: 'Payment received' }).waitFor();
    await expectNotReloaded(customer);
    expect(await page.title()).toBe('Paid');
    expect(await page.locator('main').textContent()).toContain('$678.23 HKD');
    const back = page.getByRole('link', { name: 'Back to Harbour Teas' });
    expect(await back.getAttribute('href')).toBe('https://shop.example/thanks?order=7&x="y"');
    expect(page.url()).toContain(site.origin());
  });

  test('a part payment, and a code for what is left', async () => {
    const { customer, charge } = await openCharge();
    await payCharge(site.service(), site.merchant(), charge, { minor: 17_823n });
    await customer.page.getByText('We’ve received $178.23 HKD of $678.23 HKD').waitFor();
    expect(await readValue(customer, 'amount')).toBe('$500.00 HKD');
    const picture = await customer.page
      .getByRole('img', { name: /^QR code to pay \$500\.00 HKD/ })
      .screenshot();
    const rest = await readQr(customer, picture);
    expect(rest).toContain('5406500.00');
    expect(rest).toContain(charge.paymentReference);
    expect(await customer.page.getByText('Cancel this payment').count()).toBe(0);
    await payCharge(site.service(), site.merchant(), charge, { minor: 50_000n });
    await customer.page.getByRole('heading', { name: 'Payment received' }).waitFor();
    await expectNotReloaded(customer);
  });

  test('too much, with what was paid over', async () => {
    const { customer, charge } = await openCharge();
    await payCharge(site.service(), site.merchant(), charge, { minor: charge.customerAmount + 100n });
    await customer.page.getByText('You paid $679.23 HKD, which is $1.00 HKD more than requested.').waitFor();
  });

  test('cancelled by the shop', async () => {
    const { customer, charge } = await openCharge();
    const { merchantId, mode, id } = charge;
    await cancelCharge(site.service(), {
      merchantId,
      mode,
      id,
      by: 'merchant',
      actor: 'user:test',
      now: new Date(),
    });
    await customer.page.getByRole('heading', { name: 'This payment was cancelled' }).waitFor();
    await expectNotReloaded(customer);
  });

  test('paid while the server had dropped its connections', async () => {
    const { customer, charge } = await openCharge();
    site.app().server.closeAllConnections();
    await payCharge(site.service(), site.merchant(), charge);
    await customer.page.getByRole('heading', { name: 'Payment received' }).waitFor();
    await expectNotReloaded(customer);
  });

  test('paid while the customer was without a network', async () => {
    const { customer, charge } = await openCharge();
    await customer.context.setOffline(true);
    await payCharge(site.service(), site.merchant(), charge);
    await customer.context.setOffline(false);
    await customer.page.getByRole('heading', { name: 'Payment received' }).waitFor();
    await expectNotReloaded(customer);
  });
});
