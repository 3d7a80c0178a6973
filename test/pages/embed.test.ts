import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import type { Charge, CheckoutSession } from '../../prisma/client/client.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { acceptShortfall } from '../../src/domain/money-in/transfer/review/accept-shortfall.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import type { CreateSessionInput } from '../../src/domain/payments/session/create-session.ts';
import { languageCodes } from '../../src/language/languages.ts';
import { bundleEmbed, getEmbedTexts } from '../../src/pages/serve-embed.ts';
import { findAccessibilityErrors } from '../setup/accessibility.ts';
import { openCustomers } from '../setup/browser.ts';
import { seedSession, sessionPath } from '../setup/checkout.ts';
import { type CheckoutSite, checkoutTest } from '../setup/checkout-site.ts';
import { seedReceivingAccount } from '../setup/receiving-accounts.ts';
import { minutesAfter, seedMerchant } from '../setup/seed.ts';
import { payCharge, reverseOne, transferInput } from '../setup/transfers.ts';

type ShopPage = {
  src: string;
  session: CheckoutSession;
  attributes?: string;
  token?: string;
  initScript?: () => void;
};
type State = { status: string; code: string };

/** A shop on another origin, whose content security policy allows only the service. */
const test = checkoutTest.extend('shop', async ({ site, browser }, { onCleanup }) => {
  let html = '';
  let policy = '';
  const server = createServer((_request, response) => {
    response.setHeader('content-security-policy', policy).setHeader('content-type', 'text/html').end(html);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const origins = [site.origin, new URL(url).origin];
  const { customer, close } = openCustomers(browser, () => origins);
  onCleanup(async () => {
    await close();
    server.closeAllConnections();
    server.close();
  });
  return {
    allowOrigin: (origin: string) => void origins.push(origin),
    async open({ src, session, attributes = '', token, initScript }: ShopPage) {
      const clientToken = token ?? createClientToken(site.service.secrets, session);
      policy = `default-src 'none'; script-src ${src}; connect-src ${src}; img-src ${src}; require-trusted-types-for 'script'`;
      html = `<!doctype html><html lang="en"><title>Shop</title><body><main><h1>Your order</h1>
<causeway-checkout session="${session.id}" token="${clientToken}" ${attributes}>
<a href="${src}${sessionPath(session)}">Pay</a></causeway-checkout></main>
<script type="module" src="${src}/embed/v1.js"></script>`;
      const { page, context } = await customer();
      await page.addInitScript(() => {
        const states: unknown[] = [];
        Object.assign(globalThis, { states });
        for (const name of ['causeway:state', 'causeway:complete', 'causeway:error'])
          addEventListener(name, (event) => states.push((event as CustomEvent).detail));
      });
      if (initScript) await page.addInitScript(initScript);
      await page.goto(url);
      return { page, context };
    },
  };
});

const readStates = (page: Page): Promise<State[]> =>
  page.evaluate(() => (globalThis as unknown as { states: State[] }).states);

const refresh = (page: Page): Promise<void> =>
  page
    .locator('causeway-checkout')
    .evaluate((element) => (element as unknown as { refresh(): void }).refresh());

const newSession = ({ service, merchant }: CheckoutSite, input: Partial<CreateSessionInput> = {}) =>
  seedSession(service, merchant, { input: { amount: 96, currency: 'HKD', ...input } });

async function submitMethod(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name }).check();
  await page.getByLabel('Your email').fill('mei@example.com');
  await page.getByRole('button', { name: 'Show payment details' }).click();
}

async function chooseFps(page: Page): Promise<void> {
  await submitMethod(page, 'FPS');
  await page.getByText('Waiting for your payment').waitFor();
}

/** Answers the matching GraphQL requests of the page with the error of a rate limit. */
async function rejectRequests(page: Page, pattern: RegExp): Promise<void> {
  const json = { errors: [{ message: 'Too many requests', extensions: { code: 'rate_limited' } }] };
  await page.route('**/graphql', (route) => {
    if (!pattern.test(route.request().postData() ?? '')) return route.continue();
    return route.fulfill({ status: 429, json, headers: { 'access-control-allow-origin': '*' } });
  });
}

/** Opens the checkout of a session whose charge of FPS has received HKD 50.00. */
async function openPartlyPaid(
  site: CheckoutSite,
  shop: { open(shopPage: ShopPage): Promise<{ page: Page }> },
) {
  const { service, merchant, origin } = site;
  const session = await newSession(site);
  const { page } = await shop.open({ src: origin, session, attributes: 'lang="en"' });
  await chooseFps(page);
  const charge = await site.newestCharge();
  const { transferId } = await payCharge(service, merchant, charge, { minor: 5_000n });
  await page.getByText('We’ve received HK$50.00').waitFor();
  return { page, charge, transferId: transferId! };
}

describe('Embedded checkout', () => {
  test('takes a payment on a page of another origin with a strict content security policy', async ({
    site,
    shop,
  }) => {
    const { service, merchant, origin } = site;
    const session = await newSession(site);
    const { page } = await shop.open({ src: origin, session, attributes: 'lang="en"' });
    await page.getByRole('heading', { name: 'Choose how to pay' }).waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show payment details' }).click();
    await page.getByText('Choose a payment method.').waitFor();

    await chooseFps(page);
    const charge = await service.prisma.charge.findFirstOrThrow({ where: { sessionId: session.id } });
    expect(charge).toMatchObject({ method: 'fps', email: 'mei@example.com', status: 'pending' });
    await page.getByText(charge.paymentReference).first().waitFor();
    const qr = page.getByRole('img', { name: /^QR code to pay/ });
    await expect.poll(() => qr.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(20);
    // A phone cannot scan a code on its own screen.
    const saved = await page.getByRole('link', { name: 'Save QR code' }).getAttribute('href');
    expect(saved).toContain(`${origin}/checkout/qr.png?`);
    await page.getByText('Save the QR code with the button above.').waitFor();
    await page.getByText('Works with HSBC, PayMe').waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);

    await payCharge(service, merchant, charge, { minor: 5_000n });
    await page.getByText('We’ve received').waitFor();
    await payCharge(service, merchant, charge, { minor: charge.customerAmount - 5_000n });
    await page.getByRole('heading', { name: 'Payment received' }).waitFor();
    expect((await readStates(page)).map(({ status }) => status)).toEqual([
      'open',
      'pending',
      'part-paid',
      'completed',
      undefined,
    ]);
  });

  test('offers the methods in a browser with an invalid language tag', async ({ site, shop }) => {
    const initScript = () => Object.defineProperty(navigator, 'languages', { value: ['en-US@posix'] });
    const { page } = await shop.open({ src: site.origin, session: await newSession(site), initScript });
    await page.getByRole('heading', { name: 'Choose how to pay' }).waitFor();
  });

  test('shows the link if the browser cannot display the checkout', async ({ site, shop }) => {
    const initScript = () => Object.defineProperty(navigator, 'languages', { value: undefined });
    const { page } = await shop.open({ src: site.origin, session: await newSession(site), initScript });
    await page.getByRole('link', { name: 'Pay' }).waitFor();
    await expect.poll(async () => (await readStates(page)).at(-1)?.code).toBe('display_failed');
  });

  test('replaces the charge when the customer pays another way, and cancels it on request', async ({
    site,
    shop,
  }) => {
    const { service, origin } = site;
    const session = await newSession(site, { methods: ['fps', 'paynow'] });
    const { page } = await shop.open({ src: origin, session, attributes: 'lang="en"' });
    await chooseFps(page);
    await page.getByRole('button', { name: 'Pay another way' }).click();
    await page.getByRole('radio', { name: 'PayNow' }).check();
    await page.getByRole('button', { name: 'Show payment details' }).click();
    await page.getByRole('radio').first().waitFor({ state: 'detached' });
    await page.getByText('Waiting for your payment').waitFor();
    const charges = await service.prisma.charge.findMany({ where: { sessionId: session.id } });
    expect(charges.map(({ method, status }) => `${method} ${status}`).sort()).toEqual([
      'fps cancelled',
      'paynow pending',
    ]);
    await page.getByText('Cancel this payment').click();
    await page.getByRole('button', { name: 'Cancel payment' }).click();
    await page.getByRole('heading', { name: 'This payment was cancelled' }).waitFor();
  });

  test('names the menu entry of PayID for an account by PayID', async ({ site, shop }) => {
    const { service, origin } = site;
    const real = await seedMerchant(service, { hasDemoAccounts: false });
    const details = { mobile: '0412 345 678' };
    await seedReceivingAccount(service, real, { method: 'au-bank-transfer', details });
    const session = await seedSession(service, real, { input: { amount: 25, currency: 'AUD' } });
    const { page } = await shop.open({ src: origin, session, attributes: 'lang="en"' });
    await submitMethod(page, 'PayID');
    await page.getByText('choose “Pay someone › PayID”').waitFor();
  });

  const ends: Record<string, (site: CheckoutSite, charge: Charge) => Promise<unknown>> = {
    'was cancelled': ({ service }, { merchantId, mode, id }) =>
      cancelCharge(service, { merchantId, mode, id, by: 'merchant', actor: 'user:test', now: new Date() }),
    'has expired': async ({ service }, { id }) => {
      const expiresAt = minutesAfter(new Date(), -1);
      await service.prisma.charge.update({ where: { id }, data: { expiresAt } });
      await expireCharges(service, { now: new Date() });
    },
  };

  test.for(Object.keys(ends))(
    'states the amount received of a payment that %s',
    async (name, { site, shop }) => {
      const { page, charge } = await openPartlyPaid(site, shop);
      await ends[name]!(site, charge);
      await page.getByRole('heading', { name: `This payment ${name}` }).waitFor();
      await page.getByText('We received HK$50.00. Your money isn’t lost').waitFor();
      expect(await page.getByText('You haven’t been charged').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Choose how to pay' }).count()).toBe(0);
    },
  );

  test('states the amount received of a payment that was accepted with less, and that it was reversed', async ({
    site,
    shop,
  }) => {
    const { service, merchant } = site;
    const { page, charge, transferId } = await openPartlyPaid(site, shop);
    const { id, mode, receivingAccountId, paymentReference } = charge;
    const now = new Date();
    const audit = { actor: 'user:test', now };
    await acceptShortfall(service, { merchant: merchant.merchant, mode, id, audit, now });
    await page.getByText('has received your payment of HK$50.00.').waitFor();

    const { bankReference } = await service.prisma.transfer.findUniqueOrThrow({ where: { id: transferId } });
    const reversal = { reference: paymentReference, reversedReference: bankReference, paidAt: now };
    const input = transferInput({ source: 'feed', ...reversal });
    await reverseOne(service, merchant, { receivingAccountId, input, now });
    await refresh(page);
    await page.getByRole('heading', { name: 'This payment was reversed' }).waitFor();
    await page.getByText(`quote the reference ${paymentReference}`).waitFor();
    expect(await page.getByText('HK$').count()).toBe(0);
  });

  test('states the requested amount of a sandbox payment that was completed without a transfer', async ({
    site,
    shop,
  }) => {
    const { service, merchant, origin } = site;
    const input = { amount: 96, currency: 'HKD' };
    const session = await seedSession(service, merchant, { input, mode: 'sandbox' });
    const { page } = await shop.open({ src: origin, session, attributes: 'lang="en"' });
    await chooseFps(page);
    const { merchantId, id } = await site.newestCharge();
    const now = new Date();
    const audit = { actor: 'user:test', now };
    await completeSandboxCharge(service, { merchantId, mode: 'sandbox', id, actor: 'user:test', audit, now });
    await page.getByText('has received your payment of HK$96.00.').waitFor();
  });

  test('reports a lost connection, not an unavailable method, when the service limits the requests', async ({
    site,
    shop,
  }) => {
    const session = await newSession(site);
    const { page } = await shop.open({ src: site.origin, session, attributes: 'lang="en"' });
    await page.getByRole('heading', { name: 'Choose how to pay' }).waitFor();
    await rejectRequests(page, /chargeSession/);
    await submitMethod(page, 'FPS');
    await page.getByRole('alert').filter({ hasText: 'The connection was lost' }).waitFor();
  });

  test('reports a lost connection when the methods cannot be loaded, and then offers them', async ({
    site,
    shop,
  }) => {
    const session = await newSession(site);
    const { page } = await shop.open({ src: site.origin, session, attributes: 'lang="en"' });
    await chooseFps(page);
    // The stream stays open, so that only the failed requests reveal the loss.
    await rejectRequests(page, /query/);
    await page.getByRole('button', { name: 'Pay another way' }).click();
    const lost = page.getByText('The connection was lost');
    await lost.waitFor();
    await page.unroute('**/graphql');
    await lost.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Pay another way' }).click();
    await page.getByRole('radio', { name: 'PayNow' }).waitFor();
  });

  test('is in the language of the attribute, whose texts alone it fetches', async ({ site, shop }) => {
    const session = await newSession(site);
    const { page } = await shop.open({ src: site.origin, session, attributes: 'lang="th"' });
    await page.getByRole('heading', { name: getEmbedTexts('th').choose.title }).waitFor();
    const files = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    expect(files.filter((path) => path === '/embed/texts')).toHaveLength(1);
  });

  test('shows the link of the shop when the token is invalid', async ({ site, shop }) => {
    const session = await newSession(site);
    const { page } = await shop.open({ src: site.origin, session, token: `${session.id}.wrong` });
    await expect.poll(async () => (await readStates(page)).at(-1)?.code).toBe('unauthenticated');
    expect(await page.getByRole('link', { name: 'Pay' }).isVisible()).toBe(true);
  });

  test('shows the link of the shop when the token expires', async ({ site, shop }) => {
    const { service, origin } = site;
    const session = await newSession(site);
    const { page } = await shop.open({ src: origin, session, attributes: 'lang="en"' });
    await chooseFps(page);
    const ended = minutesAfter(new Date(), -25 * 60);
    await service.prisma.charge.updateMany({
      where: { sessionId: session.id },
      data: { status: 'expired', expiresAt: ended, createdAt: minutesAfter(ended, -30) },
    });
    await service.prisma.checkoutSession.update({ where: { id: session.id }, data: { expiresAt: ended } });
    await refresh(page);
    await expect.poll(async () => (await readStates(page)).at(-1)?.code).toBe('unauthenticated');
    expect(await page.getByRole('link', { name: 'Pay' }).isVisible()).toBe(true);
  });

  test('shows a payment that arrived while the browser was offline', async ({ site, shop }) => {
    const { service, merchant, origin } = site;
    const session = await newSession(site);
    const { page, context } = await shop.open({ src: origin, session, attributes: 'lang="en"' });
    await chooseFps(page);
    await context.setOffline(true);
    await payCharge(service, merchant, await site.newestCharge());
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  });

  test('shows a payment that arrived while the service was not reachable', async ({ site, shop }) => {
    const { service, merchant } = site;
    const proxy = await startCuttableProxy(new URL(site.origin));
    shop.allowOrigin(proxy.origin);
    const session = await newSession(site);
    const { page } = await shop.open({ src: proxy.origin, session, attributes: 'lang="en"' });
    await chooseFps(page);
    proxy.cut();
    await page.getByText('The connection was lost').waitFor();
    await payCharge(service, merchant, await site.newestCharge());
    proxy.restore();
    await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  });
});

test('the script and the texts of a language have less than 14 KB in total', () => {
  const sizes = languageCodes.map((code) => gzipSync(JSON.stringify(getEmbedTexts(code))).length);
  const total = gzipSync(bundleEmbed(), { level: 9 }).length + Math.max(...sizes);
  expect(total).toBeLessThan(14 * 1_024);
});

/** A TCP proxy that can break all connections and refuse new ones, as a stopped service does. */
async function startCuttableProxy({ hostname, port }: URL) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createTcpServer((socket) => {
    if (isCut) return void socket.destroy();
    const upstream = connect(Number(port), hostname);
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => sockets.delete(one));
    }
    socket.pipe(upstream).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const breakConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    breakConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      breakConnections();
    },
    restore() {
      isCut = false;
    },
  };
}
