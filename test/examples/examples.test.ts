import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { setupApp } from '../setup/app.ts';
import { browserTest, openCustomers } from '../setup/browser.ts';
import { chooseMethod } from '../setup/checkout-site.ts';
import { relayAndDeliver } from '../setup/deliver-notifications.ts';
import { startExampleShop } from '../setup/example-shop.ts';
import { seedMerchant } from '../setup/seed.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { payCharge } from '../setup/transfers.ts';

const webhookPassword = 'leaves in the cup';
const staffPassword = 'kettle on the stove';

/** Runs examples/shop together with the service, as its README does. */
const shopTest = browserTest
  .extend('server', { scope: 'file' }, async ({ onFileCleanup }) => {
    const { app, context } = await setupApp(onFileCleanup);
    const { service } = context;
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    service.settings.publicUrl = url;
    const merchant = await seedMerchant(service, {}, new Date());
    const shop = await startExampleShop(url, merchant.keys.sandbox, {
      WEBHOOK_PASSWORD: webhookPassword,
      STAFF_PASSWORD: staffPassword,
    });
    onFileCleanup(shop.stop);
    return { url, service, merchant, shopUrl: shop.url };
  })
  .extend('service', ({ server }) => server.service)
  .extend('merchant', ({ server }) => server.merchant)
  .extend('shopUrl', ({ server }) => server.shopUrl)
  .extend('customer', ({ server, browser }, { onCleanup }) => {
    const { customer, close } = openCustomers(browser, () => [server.url, server.shopUrl]);
    onCleanup(close);
    return customer;
  });

const readOrder = async (shopUrl: string, id: string | null) =>
  (await fetch(`${shopUrl}/orders/${id}`)).json();

const toShop = (shopUrl: string, path: string, body: object, headers = {}) =>
  fetch(`${shopUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });

const run = promisify(execFile);

const script = fileURLToPath(new URL('../../examples/curl/pay.sh', import.meta.url));

shopTest(
  'a customer buys tea, pays, sees the order paid, and gets a refund, which only staff can create',
  async ({ service, shopUrl, merchant, customer: openCustomer }) => {
    const customer = await openCustomer();
    const { page } = customer;
    await page.goto(shopUrl);
    await page.getByRole('button', { name: 'Buy Oolong' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pay Harbour Teas' }).waitFor();
    await chooseMethod(customer, 'fps');
    const charge = await service.prisma.charge.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const id = charge.notifyPayload;

    const order = await customer.context.newPage();
    await order.goto(`${shopUrl}/?order=${id}`);
    const status = order.getByRole('status');
    await status.getByText('Waiting for your payment.').waitFor();
    await payCharge(service, merchant, charge, { minor: 10_000n });
    await status.getByText('Part of your payment has arrived.').waitFor();
    await payCharge(service, merchant, charge, { minor: 2_850n });
    await status.getByText('Payment received. Confirming your order…').waitFor();
    await relayAndDeliver(service, systemClock);
    await status.getByText('Thank you. Your order is paid.').waitFor();
    const { events } = await readOrder(shopUrl, id);
    expect(events.toSorted()).toEqual(['CHARGE_COMPLETE', 'charge_part_paid']);

    const refundPath = `/orders/${id}/refund`;
    const asStaff = (password: string) => ({ authorization: `Basic ${btoa(`staff:${password}`)}` });
    for (const headers of [{}, asStaff('guess')])
      expect((await toShop(shopUrl, refundPath, {}, headers)).status).toBe(401);
    expect(await service.prisma.refund.count()).toBe(0);
    const refunded = await (await toShop(shopUrl, refundPath, {}, asStaff(staffPassword))).json();
    expect(refunded.refund).toEqual({ id: expect.any(String), customerAmount: '128.50' });
    await page.getByRole('link', { name: 'Back to Harbour Teas' }).click();
    await page.getByRole('status').getByText('Refund created: 128.50').waitFor();
    expect(await service.prisma.refund.findMany()).toMatchObject([
      { chargeId: charge.id, customerAmount: 12_850n, status: 'initiated' },
    ]);
  },
);

shopTest(
  'a callback without a valid signature and a webhook with a wrong password are rejected',
  async ({ shopUrl }) => {
    const { id } = await (await toShop(shopUrl, '/orders', { tea: 'Oolong' })).json();
    const forged = {
      chargeId: 'ch_none',
      message: 'CHARGE_COMPLETE',
      payload: {
        chargeId: 'ch_none',
        status: 'completed',
        merchantAmount: 128.5,
        merchantCurrency: 'HKD',
        notifyPayload: id,
      },
      signature: 'bm90IG91cnM=',
    };
    expect((await toShop(shopUrl, '/callback', {})).status).toBe(401);
    expect((await toShop(shopUrl, '/callback', forged)).status).toBe(401);
    const authorization = `Basic ${btoa('tea-shop:guess')}`;
    expect((await toShop(shopUrl, '/webhook', forged, { authorization })).status).toBe(401);
    const order = await readOrder(shopUrl, id);
    expect([order.events, order.chargeId]).toEqual([[], undefined]);
  },
);

shopTest('an order for an unknown tea is rejected', async ({ shopUrl }) => {
  expect((await toShop(shopUrl, '/orders', { tea: 'constructor' })).status).toBe(400);
});

shopTest(
  'a webhook event that the shop failed to process is processed at the next attempt, and only once',
  async ({ shopUrl }) => {
    const { id } = await (await toShop(shopUrl, '/orders', { tea: 'Oolong' })).json();
    const headers = { authorization: `Basic ${btoa(`tea-shop:${webhookPassword}`)}` };
    const payload = { mode: 'sandbox', eventId: 'ev_1', eventType: 'CHARGE_COMPLETE', notifyPayload: id };
    const live = { ...payload, mode: 'live', eventId: 'ev_2' };
    const responses = [];
    for (const body of [null, { ...payload, notifyPayload: { unbindable: 1 } }, payload, payload, live])
      responses.push((await toShop(shopUrl, '/webhook', { payload: body }, headers)).status);
    expect(responses).toEqual([500, 500, 204, 204, 204]);
    expect((await readOrder(shopUrl, id)).events).toEqual(['CHARGE_COMPLETE']);
  },
);

test('examples/curl receives a payment and refunds a part of it', async () => {
  const { app, context } = await setupApp(onTestFinished);
  const { keys } = await seedMerchant(context.service, {}, new Date());
  const { apiKey, apiSecret } = keys.sandbox;
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const env = { PATH: process.env.PATH ?? '', AUTH: `${apiKey}:${apiSecret}`, URL: url };
  const { stdout } = await run(script, { env, cwd: await createTempDir(onTestFinished) });
  const responses = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line).data);
  const live = stdout.split('\n').flatMap((line) => line.match(/^data: (.+)$/)?.[1] ?? []);
  expect(responses).toMatchObject([
    { createSession: { session: { checkoutUrl: expect.stringContaining('/checkout?sessionId=') } } },
    { createCharge: { charge: { id: expect.stringMatching(/^ch_/) } } },
    { recordTransfers: { results: [{ status: 'matched' }] } },
    { createRefund: { refund: { status: 'initiated', customerAmount: '28.50' } } },
  ]);
  expect(live.map((line) => JSON.parse(line).data.chargeUpdated)).toEqual([
    { status: 'pending', paymentState: 'none' },
    { status: 'completed', paymentState: 'exact' },
  ]);
});
