import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalogue.ts';
import { plainAmount } from '../../src/pages/format.ts';
import { desktop, readQr } from '../setup/browser.ts';
import { getDestination, linkPath, seedCheckoutLink, seedSession, sessionPath } from '../setup/checkout.ts';
import { chooseMethod, readValue, setupCheckoutSite } from '../setup/checkout-site.ts';
import { isLongRun } from '../setup/counts.ts';
import { payCharge } from '../setup/transfers.ts';

const site = setupCheckoutSite();

/** One of each kind of code, and one without; all of them in the long run. */
const shown: readonly MethodCode[] = isLongRun ? methodCodes : ['fps', 'viettel-pay', 'toss'];

describe('from a session to the payment', () => {
  test('the customer chooses a method, gives an e-mail, and sees how to pay', async () => {
    const session = await seedSession(site.service(), site.merchant());
    const customer = await site.customer();
    const { page } = customer;
    await page.goto(`${site.origin()}${sessionPath(session)}`);
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toMatch(/Pay Harbour Teas\s+\$86\.40 USD/);
    expect(await page.getByText('Dragon Well').isVisible()).toBe(true);
    await chooseMethod(customer, 'fps');

    const charge = await site.newestCharge();
    const destination = getDestination(charge);
    expect(charge).toMatchObject({ sessionId: session.id, method: 'fps', email: 'mei@example.com' });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('$678.23 HKD');
    expect(await page.locator('main').textContent()).toContain(
      'for $86.40 USD at 1\u00a0USD\u00a0=\u00a07.84991\u00a0HKD',
    );
    expect(await readValue(customer, 'amount')).toBe('$678.23 HKD');
    expect(await readValue(customer, 'account')).toBe(destination.account);
    expect(await readValue(customer, 'holder')).toBe(destination.accountName);
    expect(await readValue(customer, 'bank')).toBe(destination.bank);
    expect(await readValue(customer, 'nonce')).toBe(charge.paymentReference);
    expect(await page.getByRole('timer').textContent()).toMatch(/^(?:30:00|29:\d\d)$/);
    expect(await page.locator('main').textContent()).toContain('mei@example.com');
  });

  test.each(shown)('%s shows its amount, account, holder, bank, nonce and code', async (method) => {
    const session = await seedSession(site.service(), site.merchant(), { input: { amount: 40 } });
    const customer = await site.customer();
    await customer.page.goto(`${site.origin()}${sessionPath(session)}`);
    await chooseMethod(customer, method);
    const charge = await site.newestCharge();
    const { account, accountName, bank, qrCode, nonce } = getDestination(charge);
    const { currency } = paymentMethods[method];
    const amount = plainAmount({ minor: charge.customerAmount, currency });
    expect((await readValue(customer, 'amount'))?.replaceAll(',', '')).toContain(amount);
    expect([await readValue(customer, 'account'), await readValue(customer, 'holder')]).toEqual([
      account,
      accountName,
    ]);
    expect([await readValue(customer, 'bank'), await readValue(customer, 'nonce')]).toEqual([bank, nonce]);
    const picture = customer.page.getByRole('img', { name: /^QR code to pay/ });
    expect(await picture.count()).toBe(qrCode === '' ? 0 : 1);
    if (qrCode !== '') expect(await readQr(customer, await picture.screenshot())).toBe(qrCode);
    expect(await customer.page.getByText('Demo: not a real account').count()).toBe(qrCode === '' ? 0 : 1);
  });

  test('the code can be kept as a picture that payment apps read', async () => {
    const session = await seedSession(site.service(), site.merchant());
    const customer = await site.customer();
    await customer.page.goto(`${site.origin()}${sessionPath(session)}`);
    await chooseMethod(customer, 'paynow');
    const { nonce, qrCode } = getDestination(await site.newestCharge());
    const saving = customer.page.waitForEvent('download');
    await customer.page.getByRole('link', { name: 'Save QR code' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(`${nonce}.png`);
    expect(await readQr(customer, await readFile(await saved.path()))).toBe(qrCode);
  });

  test('a scheme with an app offers to open it', async () => {
    const session = await seedSession(site.service(), site.merchant());
    const customer = await site.customer();
    await customer.page.goto(`${site.origin()}${sessionPath(session)}`);
    await chooseMethod(customer, 'in-bank-transfer');
    const { deepLink } = getDestination(await site.newestCharge());
    expect(deepLink).toMatch(/^upi:/);
    const link = customer.page.getByRole('link', { name: 'Open a UPI app' });
    expect(await link.getAttribute('href')).toBe(deepLink);
    expect(await link.isVisible()).toBe(true);
    const { page } = customer;
    const [press, scan] = [page.getByText('Tap “Open a UPI app” above'), page.getByText('Scan the QR code')];
    expect([await press.isVisible(), await scan.isVisible()]).toEqual([true, false]);
    // A desktop has no such app, and no button: the code is for the phone beside it.
    await page.setViewportSize(desktop.viewport);
    expect([await press.isVisible(), await scan.isVisible()]).toEqual([false, true]);
    expect(await link.isVisible()).toBe(false);
  });

  test('each value can be copied as an app takes it', async () => {
    const session = await seedSession(site.service(), site.merchant(), { input: { amount: 1000 } });
    const customer = await site.customer({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = customer;
    await page.goto(`${site.origin()}${sessionPath(session)}`);
    await chooseMethod(customer, 'viettel-pay');
    const charge = await site.newestCharge();
    const { account, accountName, bank, nonce } = getDestination(charge);
    const expected = {
      Amount: String(charge.customerAmount),
      Account: account,
      'Account holder': accountName,
      'Bank or wallet': bank,
      'Payment reference': nonce,
    };
    for (const [name, value] of Object.entries(expected)) {
      await page.getByRole('button', { name: `Copy ${name}`, exact: true }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(value);
      expect(await page.getByRole('status').filter({ hasText: 'Copied' }).count()).toBe(1);
    }
  });

  test('the whole way is open to the keyboard alone', async () => {
    const session = await seedSession(site.service(), site.merchant());
    const { page } = await site.customer();
    await page.goto(`${site.origin()}${sessionPath(session)}`);
    const focused = () =>
      page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name ?? '');
    const tabTo = async (name: string) => {
      for (let presses = 0; (await focused()) !== name; presses++) {
        if (presses > 20) throw new Error(`${name} cannot be reached by the Tab key`);
        await page.keyboard.press('Tab');
      }
    };
    await tabTo('method');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await tabTo('email');
    await page.keyboard.type('mei@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('timer').waitFor();
    expect(await site.newestCharge()).toMatchObject({ sessionId: session.id, email: 'mei@example.com' });
    const cancel = page.getByText('Cancel this payment');
    await cancel.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This payment was cancelled' }).waitFor();
    expect(await site.newestCharge()).toMatchObject({ status: 'cancelled' });
  });
});

describe('from a link and from the bare address', () => {
  test('a link leads to a charge of its own each time, however old it is', async () => {
    const link = await seedCheckoutLink(site.service(), site.merchant(), {
      now: new Date('2016-11-17T12:00:00.000Z'),
      input: {
        paymentMethods: { SG: [], HK: ['fps'] },
      },
    });
    const customer = await site.customer();
    const { page } = customer;
    await page.goto(`${site.origin()}${linkPath(link)}`);
    const offered = await page
      .getByRole('radio')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    expect(offered).toEqual(['fps', 'paynow']);
    await chooseMethod(customer, 'fps');
    const first = await site.newestCharge();
    expect(first).toMatchObject({
      checkoutLinkId: link.id,
      email: 'mei@example.com',
      customerAmount: 12_850n,
    });
    expect(page.url()).toContain(`/checkout?charge=${first.id}.`);
    expect(await readValue(customer, 'nonce')).toBe(first.paymentReference);

    await page.goto(`${site.origin()}${linkPath(link)}`);
    await chooseMethod(customer, 'paynow');
    expect((await site.newestCharge()).id).not.toBe(first.id);
    await payCharge(site.service(), site.merchant(), await site.newestCharge());
    await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  });

  test('the bare address leads to a charge with what it carries', async () => {
    const query = new URLSearchParams({
      apiKey: site.merchant().keys.live.publishableKey,
      amount: '128.50',
      currency: 'HKD',
      notifyPayload: 'order&7=<b>',
      notifyUrl: 'https://shop.example/paid',
    });
    const customer = await site.customer();
    await customer.page.goto(`${site.origin()}/checkout?${query}`);
    await chooseMethod(customer, 'hk-bank-transfer');
    const charge = await site.newestCharge();
    expect(charge).toMatchObject({
      merchantAmount: 12_850n,
      notifyPayload: 'order&7=<b>',
      notifyUrl: 'https://shop.example/paid',
      email: 'mei@example.com',
    });
    expect(await readValue(customer, 'account')).toBe(getDestination(charge).account);
    expect(await customer.page.getByText('Enter this as the payment reference').isVisible()).toBe(true);
  });
});
