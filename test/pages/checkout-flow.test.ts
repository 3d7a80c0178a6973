import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { plainAmount } from '../../src/language/format.ts';
import { type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalog.ts';
import { customerApps } from '../../src/method/customer-apps.ts';
import { desktop, readQr } from '../setup/browser.ts';
import { getDestination, linkPath, seedCheckoutLink, seedSession, sessionPath } from '../setup/checkout.ts';
import { type CheckoutSite, chooseMethod, readValue, checkoutTest as test } from '../setup/checkout-site.ts';
import { isLongRun } from '../setup/counts.ts';
import { payCharge } from '../setup/transfers.ts';

/** One method with each kind of QR code and one without; all of them in the long run. */
const methods: readonly MethodCode[] = isLongRun ? methodCodes : ['fps', 'viettel-pay', 'toss'];

function readSession(site: CheckoutSite, id: string) {
  return site.service.prisma.checkoutSession.findUniqueOrThrow({ where: { id } });
}

/** Opens the page of a session with the phone number and email of the customer. */
async function openSession(site: CheckoutSite, options: Parameters<CheckoutSite['customer']>[0] = {}) {
  const customer = { email: 'mei@example.com', phone: { code: '+852', phone: '51234567' } };
  const session = await seedSession(site.service, site.merchant, { input: { customer } });
  const address = site.origin + sessionPath(session);
  const first = await site.customer(options);
  await first.page.goto(address);
  return { id: session.id, address, first };
}

describe('payment of a session', () => {
  test('displays the instructions after the choice of a method and an email', async ({ site }) => {
    const session = await seedSession(site.service, site.merchant);
    const customer = await site.customer();
    const { page } = customer;
    await page.goto(`${site.origin}${sessionPath(session)}`);
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toMatch(/Pay Harbour Teas\s+US\$86\.40/);
    expect(await page.getByText('Dragon Well').isVisible()).toBe(true);
    await chooseMethod(customer, 'fps');

    const charge = await site.newestCharge();
    const destination = getDestination(charge);
    expect(charge).toMatchObject({ sessionId: session.id, method: 'fps', email: 'mei@example.com' });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('HK$678.23');
    expect(await page.locator('main').textContent()).toContain(
      'for US$86.40 at 1\u00a0USD\u00a0=\u00a07.84991\u00a0HKD',
    );
    expect(await readValue(customer, 'amount')).toBe('HK$678.23');
    expect(await readValue(customer, 'email')).toBe(destination.account);
    expect(await readValue(customer, 'account_name')).toBe(destination.accountName);
    expect(await readValue(customer, 'payment-reference')).toBe(charge.paymentReference);
    expect(await page.getByRole('timer').textContent()).toMatch(/^(?:30:00|29:\d\d)$/);
    expect(await page.locator('main').textContent()).toContain('mei@example.com');
  });

  test.for(methods)(
    'displays the rows of the app, the payment reference and the QR code of %s',
    async (method, { site }) => {
      const session = await seedSession(site.service, site.merchant, { input: { amount: 40 } });
      const customer = await site.customer();
      await customer.page.goto(`${site.origin}${sessionPath(session)}`);
      await chooseMethod(customer, method);
      const charge = await site.newestCharge();
      const { rows, qrCode, nonce } = getDestination(charge);
      const { currency } = paymentMethods[method];
      const amount = plainAmount({ minor: charge.customerAmount, currency });
      expect((await readValue(customer, 'amount'))?.replaceAll(',', '')).toContain(amount);
      const shown = await customer.page.locator('.details [data-value]').allTextContents();
      const expected = rows
        .filter(({ field }) => field !== 'reference')
        .map(({ field, value, code }) =>
          field === 'amount' ? expect.any(String) : value + (code === undefined ? '' : ` (${code})`),
        );
      expect(shown).toEqual(expected);
      // The apps for QRIS have no field for the reference.
      const references = await customer.page.locator('[data-value="payment-reference"]').allTextContents();
      expect(references).toEqual(customerApps[method].referenceField === undefined ? [] : [nonce]);
      // Phones do not show the code of Toss.
      await customer.page.setViewportSize(desktop.viewport);
      const picture = customer.page.getByRole('img', { name: /^QR code to pay/ });
      expect(await picture.count()).toBe(qrCode === '' ? 0 : 1);
      if (qrCode !== '') expect(await readQr(customer, await picture.screenshot())).toBe(qrCode);
      expect(await customer.page.getByText('Demo: not a real account').count()).toBe(qrCode === '' ? 0 : 1);
    },
  );

  test('offers the QR code as a picture that payment apps read, with the amount and the payee', async ({
    site,
  }) => {
    const session = await seedSession(site.service, site.merchant);
    const customer = await site.customer();
    await customer.page.goto(`${site.origin}${sessionPath(session)}`);
    await chooseMethod(customer, 'paynow');
    const { nonce, qrCode } = getDestination(await site.newestCharge());
    const downloading = customer.page.waitForEvent('download');
    await customer.page.getByRole('link', { name: 'Save QR code' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`${nonce}.png`);
    const picture = await readFile(await download.path());
    expect(await readQr(customer, picture)).toBe(qrCode);
    // The texts above and below the code make the picture higher than wide.
    expect(picture.readUInt32BE(20)).toBeGreaterThan(picture.readUInt32BE(16) + 300);
  });

  test('saves the bare QR code if the browser cannot draw the picture', async ({ site }) => {
    const session = await seedSession(site.service, site.merchant);
    const customer = await site.customer();
    const { page } = customer;
    await page.goto(`${site.origin}${sessionPath(session)}`);
    await chooseMethod(customer, 'paynow');
    const { nonce, qrCode } = getDestination(await site.newestCharge());
    const breakImages = () => {
      HTMLImageElement.prototype.decode = () => Promise.reject(new Error('not decoded'));
    };
    const breakCanvases = () => {
      HTMLCanvasElement.prototype.toBlob = (callback) => callback(null);
    };
    for (const breakPart of [breakCanvases, breakImages]) {
      await page.evaluate(breakPart);
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Save QR code' }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(`${nonce}.png`);
      expect(await readQr(customer, await readFile(await download.path()))).toBe(qrCode);
    }
  });

  test('shares the same picture if the browser can share files, and has no button otherwise', async ({
    site,
  }) => {
    const session = await seedSession(site.service, site.merchant);
    const address = `${site.origin}${sessionPath(session)}`;
    const customer = await site.customer();
    const { context, page } = customer;
    const shareButton = page.getByRole('button', { name: 'Share QR code' });
    await context.addInitScript(() => {
      Object.defineProperty(navigator, 'canShare', { value: () => false, configurable: true });
    });
    await page.goto(address);
    await chooseMethod(customer, 'paynow');
    await page.locator('html[data-ready]').waitFor();
    expect(await page.getByRole('link', { name: 'Save QR code' }).isVisible()).toBe(true);
    expect(await shareButton.count()).toBe(0);

    const shared = Promise.withResolvers<{ name: string; type: string; base64: string }>();
    await context.exposeFunction('receiveShared', shared.resolve);
    await context.addInitScript(() => {
      const share = async ({ files = [] }: ShareData) => {
        const [file] = files;
        const base64 = new Uint8Array(await file!.arrayBuffer()).toBase64();
        Reflect.apply(Reflect.get(window, 'receiveShared'), window, [
          { name: file!.name, type: file!.type, base64 },
        ]);
      };
      Object.defineProperties(navigator, {
        canShare: { value: ({ files }: ShareData) => files?.length === 1 },
        share: { value: share },
      });
    });
    await page.reload();
    await shareButton.click();
    const { nonce, qrCode } = getDestination(await site.newestCharge());
    const { name, type, base64 } = await shared.promise;
    expect({ name, type }).toEqual({ name: `${nonce}.png`, type: 'image/png' });
    const picture = Buffer.from(base64, 'base64');
    expect(await readQr(customer, picture)).toBe(qrCode);
    expect(picture.readUInt32BE(20)).toBeGreaterThan(picture.readUInt32BE(16) + 300);
  });

  test('offers to open the app of a scheme on phones only', async ({ site }) => {
    const session = await seedSession(site.service, site.merchant);
    const customer = await site.customer();
    await customer.page.goto(`${site.origin}${sessionPath(session)}`);
    await chooseMethod(customer, 'in-bank-transfer');
    const { deepLink } = getDestination(await site.newestCharge());
    expect(deepLink).toMatch(/^upi:/);
    const link = customer.page.getByRole('link', { name: 'Other UPI app' });
    const phonePe = customer.page.getByRole('link', { name: 'Open PhonePe' });
    expect(await phonePe.getAttribute('href')).toBe(deepLink?.replace('upi://pay', 'phonepe://pay'));
    expect(await link.getAttribute('href')).toBe(deepLink);
    expect(await link.isVisible()).toBe(true);
    const { page } = customer;
    const [tap, scan] = [
      page.getByText('Tap your app’s button above'),
      page.getByText('Scan the QR code on this page'),
    ];
    expect([await tap.isVisible(), await scan.isVisible()]).toEqual([true, false]);
    // A desktop has no such app, so that the customer scans the QR code with a phone.
    await page.setViewportSize(desktop.viewport);
    expect([await tap.isVisible(), await scan.isVisible()]).toEqual([false, true]);
    expect(await link.isVisible()).toBe(false);
  });

  test('shows the QR code of Toss, which contains a link for the camera, on computers only', async ({
    site,
  }) => {
    const session = await seedSession(site.service, site.merchant);
    const customer = await site.customer();
    const { page } = customer;
    await page.goto(`${site.origin}${sessionPath(session)}`);
    await chooseMethod(customer, 'toss');
    const link = page.getByRole('link', { name: 'Open Toss' });
    const picture = page.getByRole('img', { name: /^QR code to pay/ });
    const scan = page.getByText('Scan the QR code with your phone’s camera');
    const getVisible = () => Promise.all([link, picture, scan].map((element) => element.isVisible()));
    expect(await getVisible()).toEqual([true, false, false]);
    await page.setViewportSize(desktop.viewport);
    expect(await getVisible()).toEqual([false, true, true]);
  });

  test('explains the payment directly after the QR code, and names the field of a PromptPay bill', async ({
    site,
  }) => {
    const session = await seedSession(site.service, site.merchant);
    const customer = await site.customer();
    const { page } = customer;
    await page.goto(`${site.origin}${sessionPath(session)}`);
    await chooseMethod(customer, 'prompt-pay');
    const sections = await page
      .locator('.instructions > *')
      .evaluateAll((elements) => elements.map(({ className }) => className));
    expect(sections).toEqual(['qr', 'steps', 'reference', 'details']);
    expect(await page.locator('.reference').textContent()).toContain('put it in the “Ref. 1” field');
  });

  test('copies each value in the form that apps accept', async ({ site }) => {
    const session = await seedSession(site.service, site.merchant, { input: { amount: 1000 } });
    const customer = await site.customer({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = customer;
    await page.goto(`${site.origin}${sessionPath(session)}`);
    await chooseMethod(customer, 'viettel-pay');
    const charge = await site.newestCharge();
    const { accountName, nonce } = getDestination(charge);
    const expected = {
      'Amount · Số tiền': String(charge.customerAmount),
      'Account number · Số tài khoản': '0000000000',
      'Account name · Chủ tài khoản': accountName,
      'Payment reference': nonce,
    };
    for (const [name, value] of Object.entries(expected)) {
      await page.getByRole('button', { name: `Copy ${name}`, exact: true }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(value);
      expect(await page.getByRole('status').filter({ hasText: 'Copied' }).count()).toBe(1);
    }
  });

  test('shows on the button that the value could not be copied', async ({ site }) => {
    const session = await seedSession(site.service, site.merchant);
    const customer = await site.customer();
    const { page } = customer;
    await page.goto(`${site.origin}${sessionPath(session)}`);
    await chooseMethod(customer, 'fps');
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
      document.execCommand = () => false;
    });
    const button = page.getByRole('button', { name: 'Copy Payment reference' });
    await button.click();
    await expect.poll(() => button.textContent()).toBe('Couldn’t copy. Select the text instead.');
    await expect.poll(() => button.textContent(), { timeout: 5_000 }).toBe('Copy');
  });

  test('works with the keyboard alone', async ({ site }) => {
    const session = await seedSession(site.service, site.merchant);
    const { page } = await site.customer();
    await page.goto(`${site.origin}${sessionPath(session)}`);
    const readFocused = () =>
      page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name ?? '');
    const tabTo = async (name: string) => {
      for (let presses = 0; (await readFocused()) !== name; presses++) {
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

describe('links', () => {
  test('create a new charge each time, however old they are', async ({ site }) => {
    const link = await seedCheckoutLink(site.service, site.merchant, {
      now: new Date('2016-11-17T12:00:00.000Z'),
      input: {
        paymentMethods: { SG: [], HK: ['fps'] },
      },
    });
    const customer = await site.customer();
    const { page } = customer;
    await page.goto(`${site.origin}${linkPath(link)}`);
    const offered = await page
      .getByRole('radio')
      .evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value));
    expect(offered).toEqual(['fps', 'paynow']);
    await chooseMethod(customer, 'fps');
    const first = await site.newestCharge();
    expect(first).toMatchObject({
      checkoutLinkId: link.id,
      email: 'mei@example.com',
      customerAmount: 12_850n,
    });
    expect(page.url()).toContain(`/checkout?charge=${first.id}.`);
    expect(await readValue(customer, 'payment-reference')).toBe(first.paymentReference);

    await page.goto(`${site.origin}${linkPath(link)}`);
    await page.getByRole('link', { name: 'Start another payment' }).click();
    await chooseMethod(customer, 'paynow');
    expect((await site.newestCharge()).id).not.toBe(first.id);
    await payCharge(site.service, site.merchant, await site.newestCharge());
    await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  });

  test('with an API key create a charge from their parameters', async ({ site }) => {
    const query = new URLSearchParams({
      apiKey: site.merchant.keys.live.publishableKey,
      amount: '128.50',
      currency: 'HKD',
      notifyPayload: 'order&7=<b>',
      notifyUrl: 'https://shop.example/paid',
    });
    const customer = await site.customer();
    await customer.page.goto(`${site.origin}/checkout?${query}`);
    await chooseMethod(customer, 'hk-bank-transfer');
    const charge = await site.newestCharge();
    expect(charge).toMatchObject({
      merchantAmount: 12_850n,
      notifyPayload: 'order&7=<b>',
      notifyUrl: 'https://shop.example/paid',
      email: 'mei@example.com',
    });
    expect(getDestination(charge).account).toBe(`000-${await readValue(customer, 'account_number')}`);
    expect(await customer.page.getByText('Enter this as the payment reference').isVisible()).toBe(true);
  });
});

describe('the claim of a session', () => {
  test('is created when the page is displayed', async ({ site }) => {
    const { id } = await openSession(site);
    await expect.poll(async () => (await readSession(site, id)).status).toBe('initiated');
  });

  test('preserves typed text, and is valid in other tabs of the browser', async ({ site }) => {
    const { id, address, first } = await openSession(site);
    await first.page.getByLabel('Your email').fill('typed@example.com');
    await expect.poll(async () => (await readSession(site, id)).status).toBe('initiated');
    const tab = await first.context.newPage();
    await tab.goto(address);
    await tab.getByRole('radio', { name: /FPS/ }).waitFor();
    expect(await first.page.getByLabel('Your email').inputValue()).toBe('typed@example.com');
  });

  test('can be taken over by another browser, and the first one is notified', async ({ site }) => {
    const { id, address, first } = await openSession(site);
    await expect.poll(async () => (await readSession(site, id)).status).toBe('initiated');
    const second = await site.customer();
    await second.page.goto(address);
    await second.page.getByRole('heading', { name: 'This payment is open in another browser' }).waitFor();
    expect(await second.page.content()).not.toContain('mei@example.com');
    expect(await first.page.getByRole('radio').count()).toBeGreaterThan(0);

    await second.page.getByRole('button', { name: 'Continue here' }).click();
    await second.page.getByRole('radio', { name: /Hong Kong bank/ }).waitFor();
    await first.page.getByRole('heading', { name: 'This payment is open in another browser' }).waitFor();

    await first.page.getByRole('button', { name: 'Continue here' }).click();
    await first.page.getByRole('radio', { name: /Hong Kong bank/ }).waitFor();
    await second.page.getByRole('button', { name: 'Continue here' }).waitFor();
  });

  test('is required to pay and to cancel', async ({ site }) => {
    const { id, address, first } = await openSession(site, { javaScriptEnabled: false });
    const second = await site.customer();
    await second.page.goto(address);
    await expect.poll(async () => (await readSession(site, id)).status).toBe('initiated');
    await first.page.getByRole('radio', { name: /Hong Kong bank/ }).check();
    await first.page.getByRole('button', { name: 'Show payment details' }).click();
    await first.page.getByRole('button', { name: 'Continue here' }).waitFor();
    await first.page.request.post(address, { form: { do: 'cancel' } });
    expect(await readSession(site, id)).toMatchObject({ status: 'initiated' });
    expect(await site.service.prisma.charge.count({ where: { sessionId: id } })).toBe(0);
  });
});

describe('email and phone number', () => {
  test('are masked in browsers without the claim', async ({ site }) => {
    const { address, first } = await openSession(site);
    await chooseMethod(first, 'paynow');
    expect(await first.page.locator('.customer').textContent()).toContain('mei@example.com, +85251234567');
    const second = await site.customer();
    await second.page.goto(address);
    await second.page.getByRole('timer').waitFor();
    expect(await second.page.locator('.customer').textContent()).toContain('m•••@example.com, •••• 67');
    const source = await second.page.content();
    expect(source).not.toContain('mei@example.com');
    expect(source).not.toContain('51234567');
    expect(await second.page.getByText('Cancel this payment').count()).toBe(0);
  });

  test('are masked in browsers other than the one that created a charge from a link', async ({ site }) => {
    const link = await seedCheckoutLink(site.service, site.merchant);
    const first = await site.customer();
    await first.page.goto(site.origin + linkPath(link));
    await chooseMethod(first, 'paynow');
    expect(await first.page.locator('.customer').textContent()).toContain('mei@example.com');
    const second = await site.customer();
    await second.page.goto(first.page.url());
    expect(await second.page.locator('.customer').textContent()).toContain('m•••@example.com');
    expect(await second.page.content()).not.toContain('mei@example.com');
  });
});

describe('without scripts', () => {
  test('the instructions are displayed, and a reload displays the state', async ({ site }) => {
    const { id, first } = await openSession(site, { javaScriptEnabled: false });
    const { page } = first;
    expect(await readSession(site, id)).toMatchObject({ status: 'created' });
    await chooseMethod(first, 'paynow');
    const charge = await site.service.prisma.charge.findFirstOrThrow({ where: { sessionId: id } });
    expect(charge).toMatchObject({ method: 'paynow', email: 'mei@example.com' });
    expect(await page.locator('[data-value="payment-reference"]').textContent()).toBe(
      charge.paymentReference,
    );
    expect(await page.getByRole('img', { name: /^QR code to pay/ }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: /Copy/ }).count()).toBe(0);
    expect(await page.getByText('Refresh this page').isVisible()).toBe(true);

    await page.getByText('Cancel this payment').click();
    await page.getByRole('button', { name: 'Cancel payment' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This payment was cancelled');
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This payment was cancelled');
  });

  test('an invalid email is explained, and the chosen method is preserved', async ({ site }) => {
    const { id, first } = await openSession(site, { javaScriptEnabled: false });
    const { page } = first;
    const form = { do: 'pay', method: 'fps', email: 'mei@example' };
    // A direct request, like a browser without form validation.
    const response = await page.request.post(page.url(), { form });
    expect(response.status()).toBe(400);
    await page.setContent(await response.text());
    expect(await page.getByRole('alert').textContent()).toContain('Enter a full email address');
    const email = page.getByRole('textbox', { name: 'Your email' });
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await email.getAttribute('aria-describedby')).toContain('email-error');
    expect(await email.inputValue()).toBe('mei@example');
    expect(await page.getByRole('radio', { name: /FPS/ }).isChecked()).toBe(true);
    expect(await readSession(site, id)).toMatchObject({ status: 'created' });
  });
});
