import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { cancelCharge } from '../../src/domain/charge/cancel-charge.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { methodCodes, paymentMethods } from '../../src/method/catalogue.ts';
import { plainAmount } from '../../src/pages/format.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { type Customer, readQr, testBrowser } from '../setup/browser.ts';
import { destinationOf, makeCheckoutLink, makeSession, payCharge } from '../setup/checkout.ts';
import { makeMerchant } from '../setup/makers.ts';

let origin = '';
let app: TestApp;
let merchant: NewMerchant;
const browser = testBrowser(() => origin);

beforeAll(async () => {
  app = await testApp();
  origin = await app.app.listen({ port: 0, host: '127.0.0.1' });
  merchant = await makeMerchant(app.context.service);
});

async function choose({ page }: Customer, method: MethodCode, email = 'mei@example.com'): Promise<void> {
  await page.locator(`input[value="${method}"]`).check();
  await page.getByLabel('Your e-mail').fill(email);
  await page.getByRole('button', { name: 'Show payment details' }).click();
  await page.getByRole('timer').waitFor();
}

function newestCharge(): Promise<Charge> {
  return app.context.service.prisma.charge.findFirstOrThrow({ orderBy: { id: 'desc' } });
}

function shownValue({ page }: Customer, name: string): Promise<string | null> {
  return page.locator(`[data-value="${name}"]`).textContent();
}

describe('from a session to the payment', () => {
  test('the customer chooses a method, gives an e-mail, and sees how to pay', async () => {
    const session = await makeSession(app.context.service, merchant);
    const customer = await browser.customer();
    const { page } = customer;
    await page.goto(`${origin}/checkout?sessionId=${session.id}`);
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toMatch(/Pay Harbour Teas\s+\$86\.40 USD/);
    expect(await page.getByText('Dragon Well').isVisible()).toBe(true);
    await choose(customer, 'fps');

    const charge = await newestCharge();
    const destination = destinationOf(charge);
    expect(charge).toMatchObject({ sessionId: session.id, method: 'fps', email: 'mei@example.com' });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('$678.23 HKD');
    expect(await page.locator('main').textContent()).toContain('for $86.40 USD, at 1 USD = 7.84991 HKD');
    expect(await shownValue(customer, 'amount')).toBe('$678.23 HKD');
    expect(await shownValue(customer, 'account')).toBe(destination.account);
    expect(await shownValue(customer, 'holder')).toBe(destination.accountName);
    expect(await shownValue(customer, 'bank')).toBe(destination.bank);
    expect(await shownValue(customer, 'nonce')).toBe(charge.nonce);
    expect(await page.getByRole('timer').textContent()).toMatch(/^(?:30:00|29:\d\d)$/);
    expect(await page.locator('main').textContent()).toContain('mei@example.com');
  });

  test.each(methodCodes)('%s shows its amount, account, holder, bank, nonce and code', async (method) => {
    const session = await makeSession(app.context.service, merchant, { input: { amount: 40 } });
    const customer = await browser.customer();
    await customer.page.goto(`${origin}/checkout?sessionId=${session.id}`);
    await choose(customer, method);
    const charge = await newestCharge();
    const { account, accountName, bank, qrCode, nonce } = destinationOf(charge);
    const { currency } = paymentMethods[method];
    const amount = plainAmount({ minor: charge.customerAmount, currency });
    expect((await shownValue(customer, 'amount'))?.replaceAll(',', '')).toContain(amount);
    expect([await shownValue(customer, 'account'), await shownValue(customer, 'holder')]).toEqual([
      account,
      accountName,
    ]);
    expect([await shownValue(customer, 'bank'), await shownValue(customer, 'nonce')]).toEqual([bank, nonce]);
    const picture = customer.page.getByRole('img', { name: /^QR code to pay/ });
    expect(await picture.count()).toBe(qrCode === '' ? 0 : 1);
    if (qrCode !== '') expect(await readQr(customer, await picture.screenshot())).toBe(qrCode);
    expect(await customer.page.getByText('Demo: not a real account').count()).toBe(qrCode === '' ? 0 : 1);
  });

  test('the code can be kept as a picture that payment apps read', async () => {
    const session = await makeSession(app.context.service, merchant);
    const customer = await browser.customer();
    await customer.page.goto(`${origin}/checkout?sessionId=${session.id}`);
    await choose(customer, 'paynow');
    const { nonce, qrCode } = destinationOf(await newestCharge());
    const saving = customer.page.waitForEvent('download');
    await customer.page.getByRole('link', { name: 'Save QR picture' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(`${nonce}.png`);
    const chunks: Buffer[] = [];
    for await (const chunk of await saved.createReadStream()) chunks.push(chunk as Buffer);
    expect(await readQr(customer, Buffer.concat(chunks))).toBe(qrCode);
  });

  test('a scheme with an app offers to open it', async () => {
    const session = await makeSession(app.context.service, merchant);
    const customer = await browser.customer();
    await customer.page.goto(`${origin}/checkout?sessionId=${session.id}`);
    await choose(customer, 'in-bank-transfer');
    const { deepLink } = destinationOf(await newestCharge());
    expect(deepLink).toMatch(/^upi:/);
    const link = customer.page.getByRole('link', { name: 'Open a UPI app' });
    expect(await link.getAttribute('href')).toBe(deepLink);
    expect(await link.isVisible()).toBe(true);
  });

  test('each value can be copied as an app takes it', async () => {
    const session = await makeSession(app.context.service, merchant, { input: { amount: 1000 } });
    const customer = await browser.customer({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = customer;
    await page.goto(`${origin}/checkout?sessionId=${session.id}`);
    await choose(customer, 'viettel-pay');
    const charge = await newestCharge();
    const { account, accountName, bank, nonce } = destinationOf(charge);
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
    const session = await makeSession(app.context.service, merchant);
    const { page } = await browser.customer();
    await page.goto(`${origin}/checkout?sessionId=${session.id}`);
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
    expect(await newestCharge()).toMatchObject({ sessionId: session.id, email: 'mei@example.com' });
    const cancel = page.getByText('Cancel this payment');
    await cancel.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This payment was cancelled' }).waitFor();
    expect(await newestCharge()).toMatchObject({ status: 'cancelled' });
  });
});

describe('what the open page shows by itself', () => {
  async function openCharge(): Promise<{ customer: Customer; charge: Charge }> {
    const redirectUrl = 'https://shop.example/thanks?order=7&x="y"';
    const session = await makeSession(app.context.service, merchant, { input: { redirectUrl } });
    const customer = await browser.customer();
    await customer.page.goto(`${origin}/checkout?sessionId=${session.id}`);
    await choose(customer, 'fps');
    // A mark that a reload would wipe away.
    await customer.page.evaluate(() => document.body.setAttribute('data-mark', 'kept'));
    return { customer, charge: await newestCharge() };
  }

  async function expectNotReloaded({ page }: Customer): Promise<void> {
    expect(await page.locator('body').getAttribute('data-mark')).toBe('kept');
  }

  test('paid, within a second of the bank telling of it', async () => {
    const { customer, charge } = await openCharge();
    const { page } = customer;
    await payCharge(app.context.service, merchant, charge);
    const toldAt = performance.now();
    await page.getByRole('heading', { name: 'Payment received' }).waitFor();
    expect(performance.now() - toldAt).toBeLessThan(1_000);
    await expectNotReloaded(customer);
    expect(await page.title()).toBe('Paid');
    expect(await page.locator('main').textContent()).toContain('$678.23 HKD');
    const back = page.getByRole('link', { name: 'Back to Harbour Teas' });
    expect(await back.getAttribute('href')).toBe('https://shop.example/thanks?order=7&x="y"');
    expect(page.url()).toContain(origin);
  });

  test('a part payment, and a code for what is left', async () => {
    const { customer, charge } = await openCharge();
    await payCharge(app.context.service, merchant, charge, { minor: 17_823n });
    await customer.page.getByText('We have received $178.23 HKD of $678.23 HKD').waitFor();
    expect(await shownValue(customer, 'amount')).toBe('$500.00 HKD');
    const picture = await customer.page
      .getByRole('img', { name: /^QR code to pay \$500\.00 HKD/ })
      .screenshot();
    const rest = await readQr(customer, picture);
    expect(rest).toContain('5406500.00');
    expect(rest).toContain(charge.nonce);
    expect(await customer.page.getByText('Cancel this payment').count()).toBe(0);
    await payCharge(app.context.service, merchant, charge, { minor: 50_000n });
    await customer.page.getByRole('heading', { name: 'Payment received' }).waitFor();
    await expectNotReloaded(customer);
  });

  test('too much, with what was paid over', async () => {
    const { customer, charge } = await openCharge();
    await payCharge(app.context.service, merchant, charge, { minor: charge.customerAmount + 100n });
    await customer.page.getByText('You paid $679.23 HKD, which is $1.00 HKD more than was asked.').waitFor();
  });

  test('cancelled by the shop', async () => {
    const { customer, charge } = await openCharge();
    const { merchantId, mode, id } = charge;
    await cancelCharge(app.context.service, {
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
    app.app.server.closeAllConnections();
    await payCharge(app.context.service, merchant, charge);
    await customer.page.getByRole('heading', { name: 'Payment received' }).waitFor();
    await expectNotReloaded(customer);
  });

  test('paid while the customer was without a network', async () => {
    const { customer, charge } = await openCharge();
    await customer.context.setOffline(true);
    await payCharge(app.context.service, merchant, charge);
    await customer.context.setOffline(false);
    await customer.page.getByRole('heading', { name: 'Payment received' }).waitFor();
    await expectNotReloaded(customer);
  });
});

describe('from a link and from the bare address', () => {
  test('a link leads to a charge of its own each time', async () => {
    const link = await makeCheckoutLink(app.context.service, merchant, {
      input: { paymentMethods: { SG: [], HK: ['fps'] }, customer: { email: 'ada@example.com' } },
    });
    const customer = await browser.customer();
    const { page } = customer;
    await page.goto(`${origin}/checkout?link=${link.id}`);
    const offered = await page
      .getByRole('radio')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    expect(offered).toEqual(['fps', 'paynow']);
    expect(await page.getByLabel('Your e-mail').inputValue()).toBe('ada@example.com');
    await choose(customer, 'fps');
    const first = await newestCharge();
    expect(first).toMatchObject({
      checkoutLinkId: link.id,
      email: 'mei@example.com',
      customerAmount: 12_850n,
    });
    expect(page.url()).toContain(`/checkout?charge=${first.id}.`);
    expect(await shownValue(customer, 'nonce')).toBe(first.nonce);

    await page.goto(`${origin}/checkout?link=${link.id}`);
    await choose(customer, 'paynow');
    expect((await newestCharge()).id).not.toBe(first.id);
    await payCharge(app.context.service, merchant, await newestCharge());
    await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  });

  test('the bare address leads to a charge with what it carries', async () => {
    const query = new URLSearchParams({
      apiKey: merchant.keys.live.publishableKey,
      amount: '128.50',
      currency: 'HKD',
      notifyPayload: 'order&7=<b>',
      notifyUrl: 'https://shop.example/paid',
    });
    const customer = await browser.customer();
    await customer.page.goto(`${origin}/checkout?${query}`);
    await choose(customer, 'hk-bank-transfer');
    const charge = await newestCharge();
    expect(charge).toMatchObject({
      merchantAmount: 12_850n,
      notifyPayload: 'order&7=<b>',
      notifyUrl: 'https://shop.example/paid',
      email: 'mei@example.com',
    });
    expect(await shownValue(customer, 'account')).toBe(destinationOf(charge).account);
    expect(await customer.page.getByText('Write this in the message').isVisible()).toBe(true);
  });
});
