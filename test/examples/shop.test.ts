import { beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { setupBrowser } from '../setup/browser.ts';
import { chooseMethod } from '../setup/checkout-site.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { relayAndDeliver } from '../setup/deliver-notifications.ts';
import { startExampleShop } from '../setup/example-shop.ts';
import { seedMerchant } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/** Runs examples/shop as its README does, together with the service. */

let served: TestApp;
let merchant: NewMerchant;
let causewayUrl: string;
let shopUrl: string;
const browser = setupBrowser(() => [causewayUrl, shopUrl]);
const webhookPassword = 'leaves in the cup';

beforeAll(async () => {
  served = await setupApp(onCleanup);
  causewayUrl = await served.app.listen({ port: 0, host: '127.0.0.1' });
  served.context.service.settings.publicUrl = causewayUrl;
  merchant = await seedMerchant(served.context.service, {}, new Date());
  const shop = await startExampleShop(causewayUrl, merchant.keys.sandbox, {
    WEBHOOK_PASSWORD: webhookPassword,
  });
  onCleanup(shop.stop);
  shopUrl = shop.url;
});

const readOrder = async (id: string | null) => (await fetch(`${shopUrl}/orders/${id}`)).json();

const toShop = (path: string, body: object, headers = {}) =>
  fetch(`${shopUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });

test('a customer buys tea, pays, sees the order paid, and receives a refund', async () => {
  const { service } = served.context;
  const customer = await browser.customer();
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
  const { events } = await readOrder(id);
  expect(events.toSorted()).toEqual(['CHARGE_COMPLETE', 'charge_part_paid']);

  await page.getByRole('link', { name: 'Back to Harbour Teas' }).click();
  await page.getByRole('button', { name: 'Request refund' }).click();
  await page.getByRole('status').getByText('Refund created: 128.50').waitFor();
  expect(await service.prisma.refund.findMany()).toMatchObject([
    { chargeId: charge.id, customerAmount: 12_850n, status: 'initiated' },
  ]);
  await page.getByRole('link', { name: 'Enter payout details' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
});

test('a callback without a valid signature and a webhook with a wrong password are rejected', async () => {
  const { id } = await (await toShop('/orders', { tea: 'Oolong' })).json();
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
  expect((await toShop('/callback', {})).status).toBe(401);
  expect((await toShop('/callback', forged)).status).toBe(401);
  const authorization = `Basic ${btoa('tea-shop:guess')}`;
  expect((await toShop('/webhook', forged, { authorization })).status).toBe(401);
  const order = await readOrder(id);
  expect([order.events, order.chargeId]).toEqual([[], undefined]);
});

test('an order for an unknown tea is rejected', async () => {
  expect((await toShop('/orders', { tea: 'constructor' })).status).toBe(400);
});

test('a webhook event that the shop failed to process is processed at the next attempt, and only once', async () => {
  const { id } = await (await toShop('/orders', { tea: 'Oolong' })).json();
  const headers = { authorization: `Basic ${btoa(`tea-shop:${webhookPassword}`)}` };
  const payload = { mode: 'sandbox', eventId: 'ev_1', eventType: 'CHARGE_COMPLETE', notifyPayload: id };
  const live = { ...payload, mode: 'live', eventId: 'ev_2' };
  const answers = [];
  for (const one of [null, { ...payload, notifyPayload: { unbindable: 1 } }, payload, payload, live])
    answers.push((await toShop('/webhook', { payload: one }, headers)).status);
  expect(answers).toEqual([500, 500, 204, 204, 204]);
  expect((await readOrder(id)).events).toEqual(['CHARGE_COMPLETE']);
});
