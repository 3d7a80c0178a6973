import { describe, expect, test } from 'vitest';
import { linkPath, seedCheckoutLink, seedSession, sessionPath } from '../setup/checkout.ts';
import { chooseMethod, setupCheckoutSite } from '../setup/checkout-site.ts';

const site = setupCheckoutSite();

function sessionRow(id: string) {
  return site.service().prisma.checkoutSession.findUniqueOrThrow({ where: { id } });
}

/** A session with a phone number and an e-mail, as the shop knows them. */
async function openSession(options: Parameters<typeof site.customer>[0] = {}) {
  const customer = { email: 'mei@example.com', phone: { code: '+852', phone: '51234567' } };
  const session = await seedSession(site.service(), site.merchant(), { input: { customer } });
  const address = site.origin() + sessionPath(session);
  const first = await site.customer(options);
  await first.page.goto(address);
  return { id: session.id, address, first };
}

describe('who holds a session', () => {
  test('the page takes it for its browser once it is seen', async () => {
    const { id } = await openSession();
    await expect.poll(async () => (await sessionRow(id)).status).toBe('initiated');
  });

  test('what was typed before stays, and the same browser goes on in another tab', async () => {
    const { id, address, first } = await openSession();
    await first.page.getByLabel('Your email').fill('typed@example.com');
    await expect.poll(async () => (await sessionRow(id)).status).toBe('initiated');
    const tab = await first.context.newPage();
    await tab.goto(address);
    await tab.getByRole('radio', { name: /FPS/ }).waitFor();
    expect(await first.page.getByLabel('Your email').inputValue()).toBe('typed@example.com');
  });

  test('another browser is offered to continue there, and the first is told', async () => {
    const { id, address, first } = await openSession();
    await expect.poll(async () => (await sessionRow(id)).status).toBe('initiated');
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

  test('a browser that does not hold it can neither pay nor cancel', async () => {
    const { id, address, first } = await openSession({ javaScriptEnabled: false });
    const second = await site.customer();
    await second.page.goto(address);
    await expect.poll(async () => (await sessionRow(id)).status).toBe('initiated');
    await first.page.getByRole('radio', { name: /Hong Kong bank/ }).check();
    await first.page.getByRole('button', { name: 'Show payment details' }).click();
    await first.page.getByRole('button', { name: 'Continue here' }).waitFor();
    await first.page.request.post(address, { form: { do: 'cancel' } });
    expect(await sessionRow(id)).toMatchObject({ status: 'initiated' });
    expect(await site.service().prisma.charge.count({ where: { sessionId: id } })).toBe(0);
  });
});

describe('who sees the customer’s details', () => {
  test('e-mail and phone are masked outside the browser that holds the session', async () => {
    const { address, first } = await openSession();
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

  test('nor outside the browser that made a charge from a link', async () => {
    const link = await seedCheckoutLink(site.service(), site.merchant());
    const first = await site.customer();
    await first.page.goto(site.origin() + linkPath(link));
    await chooseMethod(first, 'paynow');
    expect(await first.page.locator('.customer').textContent()).toContain('mei@example.com');
    const second = await site.customer();
    await second.page.goto(first.page.url());
    expect(await second.page.locator('.customer').textContent()).toContain('m•••@example.com');
    expect(await second.page.content()).not.toContain('mei@example.com');
  });
});

describe('without script', () => {
  test('the customer comes to the payment instructions, and a reload shows the state', async () => {
    const { id, first } = await openSession({ javaScriptEnabled: false });
    const { page } = first;
    expect(await sessionRow(id)).toMatchObject({ status: 'created' });
    await chooseMethod(first, 'paynow');
    const charge = await site.service().prisma.charge.findUniqueOrThrow({ where: { sessionId: id } });
    expect(charge).toMatchObject({ method: 'paynow', email: 'mei@example.com' });
    expect(await page.locator('[data-value="nonce"]').textContent()).toBe(charge.paymentReference);
    expect(await page.getByRole('img', { name: /^QR code to pay/ }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: /Copy/ }).count()).toBe(0);
    expect(await page.getByText('Reload this page').isVisible()).toBe(true);

    await page.getByText('Cancel this payment').click();
    await page.getByRole('button', { name: 'Cancel payment' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This payment was cancelled');
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This payment was cancelled');
  });

  test('a mistyped e-mail is explained, and what was chosen stays', async () => {
    const { id, first } = await openSession({ javaScriptEnabled: false });
    const { page } = first;
    const form = { do: 'pay', method: 'fps', email: 'mei@example' };
    // What a browser that does not check the form itself would send.
    const answer = await page.request.post(page.url(), { form });
    expect(answer.status()).toBe(400);
    await page.setContent(await answer.text());
    expect(await page.getByRole('alert').textContent()).toContain('Enter a full email address');
    const email = page.getByRole('textbox', { name: 'Your email' });
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await email.getAttribute('aria-describedby')).toContain('email-fault');
    expect(await email.inputValue()).toBe('mei@example');
    expect(await page.getByRole('radio', { name: /FPS/ }).isChecked()).toBe(true);
    expect(await sessionRow(id)).toMatchObject({ status: 'created' });
  });
});
