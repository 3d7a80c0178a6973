import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { returnTransfer } from '../../src/domain/money-in/transfer/review/return-transfer.ts';
import { advanceTestClock } from '../../src/domain/operations/test-clock/advance-test-clock.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { type Customer, readQr } from '../setup/browser.ts';
import { payForm, seedCheckoutLink, seedSession, sessionPath } from '../setup/checkout.ts';
import { type CheckoutSite, checkoutTest, chooseMethod, readValue } from '../setup/checkout-site.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, seedMerchant } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const test = checkoutTest
  .extend('app', ({ server }) => server.testApp)
  .extend('origin', ({ server }) => server.origin)
  .extend('merchant', ({ app }) => seedMerchant(app.context.service));

type StateEvent = { state: string; now: number };

/** Subscribes to the events of a page; `next` returns undefined when the server has ended the stream. */
async function openEvents(origin: string, address: string, { cookie = '', at = origin } = {}) {
  const response = await fetch(at + address, { headers: { cookie } });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<StateEvent | undefined> => {
    for (;;) {
      const match = /data: (.*)\n\n/.exec(text);
      if (match) {
        text = text.slice(match.index + match[0].length);
        return JSON.parse(match[1] ?? '') as StateEvent;
      }
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  return { headers: response.headers, next, leave: () => reader.cancel() };
}

test('one stream has the states of the session and of its charge, with the server’s time', async ({
  app,
  merchant,
  origin,
}) => {
  const { service, clock } = app.context;
  const session = await seedSession(service, merchant);
  const address = sessionPath(session);
  const customer = createPageVisitor(app.app);
  const { headers } = await customer.post(address, { do: 'claim' });
  const cookie = String(headers['set-cookie']).split(';')[0];
  const events = await openEvents(origin, `/checkout/live?sessionId=${session.id}`, { cookie });
  expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(events.headers.get('cache-control')).toBe('no-store');
  const first = await events.next();
  expect(first?.state).toBe('open');
  expect(Math.abs((first?.now ?? 0) - clock.now().getTime())).toBeLessThan(5_000);

  await customer.post(address, payForm);
  expect(await events.next()).toMatchObject({ state: expect.stringMatching(/^ch_\w+-pending-0-0-0-0$/) });
  const charge = await service.prisma.charge.findFirstOrThrow({ where: { sessionId: session.id } });
  await payCharge(service, merchant, charge, { minor: 5_000n });
  expect(await events.next()).toMatchObject({
    state: expect.stringMatching(/^ch_\w+-pending-5000-5000-0-0$/),
  });
  await payCharge(service, merchant, charge, { minor: charge.customerAmount - 5_000n });
  expect(await events.next()).toMatchObject({
    state: `${charge.id}-paid-${charge.customerAmount}-${charge.customerAmount}-0-0`,
  });
  await events.leave();
});

test('a browser that loses the claim of a session is notified', async ({ app, merchant, origin }) => {
  const session = await seedSession(app.context.service, merchant);
  const options = { id: session.id, canTakeOver: true, now: new Date() };
  await claimSession(app.context.service, { ...options, browserToken: 'first' });
  const events = await openEvents(origin, `/checkout/live?sessionId=${session.id}`, {
    cookie: 'causeway_browser=first',
  });
  expect(await events.next()).toMatchObject({ state: 'open' });
  await claimSession(app.context.service, { ...options, browserToken: 'second' });
  expect(await events.next()).toMatchObject({ state: 'elsewhere' });
  await events.leave();
});

test('a sandbox page is notified when the test clock is advanced', async ({ app, merchant, origin }) => {
  const { service, clock } = app.context;
  const session = await seedSession(service, merchant, { mode: 'sandbox' });
  const events = await openEvents(origin, `/checkout/live?sessionId=${session.id}&isSandbox=true`);
  const before = await events.next();
  const to = minutesAfter(clock.now(), 20);
  await advanceTestClock(service, {
    merchantId: merchant.merchant.id,
    mode: 'sandbox',
    advanceTo: to,
    clock,
  });
  const after = await events.next();
  expect(after?.state).toBe(before?.state);
  expect(after?.now).toBeGreaterThanOrEqual(to.getTime());
  await events.leave();
});

describe('the subscription of a browser that has left', () => {
  /** Counts the subscribers of the object. */
  function countSubscribers(app: TestApp, id: string): () => number {
    const { hub } = app.context;
    const { subscribe } = hub;
    const subscribers = new Set<object>();
    hub.subscribe = (topic, listener) => {
      const end = subscribe(topic, listener);
      if (topic !== id) return end;
      const subscriber = {};
      subscribers.add(subscriber);
      return () => {
        subscribers.delete(subscriber);
        end();
      };
    };
    onTestFinished(() => {
      hub.subscribe = subscribe;
    });
    return () => subscribers.size;
  }

  function sendRequest(origin: string, path: string, times = 1) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nhost: pay.example\r\n\r\n`.repeat(times));
    return socket;
  }

  test('ends when it left before the response', async ({ app, merchant, origin }) => {
    const session = await seedSession(app.context.service, merchant);
    const subscribers = countSubscribers(app, session.id);
    const path = `/checkout/live?sessionId=${session.id}`;
    for (let i = 0; i < 5; i++) {
      const requested = once(app.app.server, 'request');
      sendRequest(origin, path);
      const [{ socket }] = (await requested) as [IncomingMessage];
      socket.destroy();
    }
    // This later request is answered completely.
    const events = await openEvents(origin, path);
    expect(await events.next()).toMatchObject({ state: 'open' });
    expect(subscribers()).toBe(1);
    await events.leave();
    await expect.poll(subscribers).toBe(0);
  });

  test('ends when it left while the response waited for another one of the connection', async ({
    app,
    merchant,
    origin,
  }) => {
    const session = await seedSession(app.context.service, merchant);
    const subscribers = countSubscribers(app, session.id);
    const socket = sendRequest(origin, `/checkout/live?sessionId=${session.id}`, 2);
    await expect.poll(subscribers).toBe(2);
    socket.destroy();
    await expect.poll(subscribers).toBe(0);
  });
});

test('links and unknown objects have no stream', async ({ app, merchant, origin }) => {
  const link = await seedCheckoutLink(app.context.service, merchant);
  for (const query of [`link=${link.id}`, 'sessionId=ses_x', 'charge=ch_x.y']) {
    const response = await fetch(`${origin}/checkout/live?${query}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  }
});

test('streams end when the service stops', async ({ origin }) => {
  const stopping = await setupApp(onTestFinished);
  const { service } = stopping.context;
  const url = await stopping.app.listen({ port: 0, host: '127.0.0.1' });
  const session = await seedSession(service, await seedMerchant(service));
  const events = await openEvents(origin, `/checkout/live?sessionId=${session.id}`, { at: url });
  expect(await events.next()).toMatchObject({ state: 'open' });
  const closing = stopping.app.close();
  expect(await events.next()).toBeUndefined();
  await closing;
});

describe('an open page', () => {
  async function openCharge(site: CheckoutSite): Promise<{ customer: Customer; charge: Charge }> {
    const redirectUrl = 'https://shop.example/thanks?order=7&x="y"';
    const session = await seedSession(site.service, site.merchant, { input: { redirectUrl } });
    const customer = await site.customer();
    await customer.page.goto(`${site.origin}${sessionPath(session)}`);
    await chooseMethod(customer, 'fps');
    // A reload would remove this marker.
    await customer.page.evaluate(() => document.body.setAttribute('data-mark', 'set'));
    return { customer, charge: await site.newestCharge() };
  }

  async function expectNotReloaded({ page }: Customer): Promise<void> {
    expect(await page.locator('body').getAttribute('data-mark')).toBe('set');
  }

  test('displays a payment once it is reported', async ({ site }) => {
    const { customer, charge } = await openCharge(site);
    const { page } = customer;
    await payCharge(site.service, site.merchant, charge);
    await page.getByRole('heading', { name: 'Payment received' }).waitFor();
    await expectNotReloaded(customer);
    expect(await page.title()).toBe('Paid');
    expect(await page.locator('main').textContent()).toContain('HK$678.23');
    const back = page.getByRole('link', { name: 'Back to Harbour Teas' });
    expect(await back.getAttribute('href')).toBe('https://shop.example/thanks?order=7&x="y"');
    expect(page.url()).toContain(site.origin);
  });

  test('displays a part payment, and a QR code for the rest', async ({ site }) => {
    const { customer, charge } = await openCharge(site);
    await payCharge(site.service, site.merchant, charge, { minor: 17_823n });
    await customer.page.getByText('We’ve received HK$178.23 of HK$678.23').waitFor();
    expect(await readValue(customer, 'amount')).toBe('HK$500.00');
    const picture = await customer.page
      .getByRole('img', { name: /^QR code to pay HK\$500\.00/ })
      .screenshot();
    const remainingCode = await readQr(customer, picture);
    expect(remainingCode).toContain('5406500.00');
    expect(remainingCode).toContain(charge.paymentReference);
    expect(await customer.page.getByText('Cancel this payment').count()).toBe(0);
    await payCharge(site.service, site.merchant, charge, { minor: 50_000n });
    await customer.page.getByRole('heading', { name: 'Payment received' }).waitFor();
    await expectNotReloaded(customer);
  });

  test('displays a late payment, what happens next, the contact, and that the shop returned it', async ({
    site,
  }) => {
    const { service, merchant } = site;
    await service.prisma.merchant.update({
      where: { id: merchant.merchant.id },
      data: { supportEmail: 'help@shop.example' },
    });
    const { customer, charge } = await openCharge(site);
    const { page } = customer;
    const { merchantId, mode, id } = charge;
    await service.prisma.charge.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 60_000) } });
    await expireCharges(service, { now: new Date() });
    await page.getByRole('heading', { name: 'This payment has expired' }).waitFor();
    await payCharge(service, merchant, charge, { minor: 10_000n });
    await page.getByText('We received HK$100.00 after the time for this payment had passed').waitFor();
    const contact = page.locator('main').getByRole('link', { name: 'Contact Harbour Teas' });
    expect(await contact.getAttribute('href')).toBe(
      `mailto:help@shop.example?subject=${charge.paymentReference}`,
    );
    const transfer = await service.prisma.transfer.findFirstOrThrow({ where: { namedChargeId: id } });
    const now = new Date();
    const audit = { actor: 'user:test', now };
    await returnTransfer(service, { merchantId, mode, input: { transferId: transfer.id }, audit, now });
    await page.getByText('Harbour Teas has returned HK$100.00 to you.').waitFor();
    await expectNotReloaded(customer);
  });

  test('displays an overpayment with its excess', async ({ site }) => {
    const { customer, charge } = await openCharge(site);
    await payCharge(site.service, site.merchant, charge, { minor: charge.customerAmount + 100n });
    await customer.page.getByText('You paid HK$679.23, which is HK$1.00 more than requested.').waitFor();
  });

  test('displays a cancellation by the shop', async ({ site }) => {
    const { customer, charge } = await openCharge(site);
    const { merchantId, mode, id } = charge;
    await cancelCharge(site.service, {
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

  test('displays a payment after the server closed the connections', async ({ site }) => {
    const { customer, charge } = await openCharge(site);
    site.app.server.closeAllConnections();
    await payCharge(site.service, site.merchant, charge);
    await customer.page.getByRole('heading', { name: 'Payment received' }).waitFor();
    await expectNotReloaded(customer);
  });

  test('displays a payment after the customer was offline', async ({ site }) => {
    const { customer, charge } = await openCharge(site);
    await customer.context.setOffline(true);
    await payCharge(site.service, site.merchant, charge);
    await customer.context.setOffline(false);
    await customer.page.getByRole('heading', { name: 'Payment received' }).waitFor();
    await expectNotReloaded(customer);
  });
});
