import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { atEnd } from '../setup/at-end.ts';
import { testBrowser } from '../setup/browser.ts';
import { choose } from '../setup/checkout-site.ts';
import { relayAndDeliver } from '../setup/deliver-notifications.ts';
import { makeMerchant } from '../setup/makers.ts';
import { payCharge } from '../setup/transfers.ts';

/** examples/shop, as its README starts it, beside the service. */

let served: TestApp;
let merchant: NewMerchant;
let causewayUrl: string;
let shopUrl: string;
const browser = testBrowser(() => [causewayUrl, shopUrl]);
const webhookPassword = 'leaves in the cup';

beforeAll(async () => {
  served = await testApp();
  causewayUrl = await served.app.listen({ port: 0, host: '127.0.0.1' });
  served.context.service.settings.publicUrl = causewayUrl;
  merchant = await makeMerchant(served.context.service, {}, new Date());
  shopUrl = await openShop();
});

async function openShop(): Promise<string> {
  const { apiKey, apiSecret } = merchant.keys.sandbox;
  const shop = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../examples/shop/server.ts', import.meta.url))],
    {
      env: {
        CAUSEWAY_URL: causewayUrl,
        API_KEY: apiKey,
        API_SECRET: apiSecret,
        PORT: '0',
        WEBHOOK_PASSWORD: webhookPassword,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  shop.stderr.on('data', (said) => console.error(String(said)));
  atEnd(async () => {
    shop.kill();
    await once(shop, 'exit');
  });
  const [said] = (await once(shop.stdout, 'data')) as [Buffer];
  return String(said).trim().replace('The shop is open at ', '');
}

const readOrder = async (id: string | null) => (await fetch(`${shopUrl}/orders/${id}`)).json();

const toShop = (path: string, body: object, headers = {}) =>
  fetch(`${shopUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });

test('a customer buys tea, pays, is thanked, and gets the money back', async () => {
  const { service } = served.context;
  const customer = await browser.customer();
  const { page } = customer;
  await page.goto(shopUrl);
  await page.getByRole('button', { name: 'Buy Oolong' }).click();
  await page.getByRole('heading', { level: 1, name: 'Pay Harbour Teas' }).waitFor();
  await choose(customer, 'fps');
  const charge = await service.prisma.charge.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const id = charge.notifyPayload;

  const order = await customer.context.newPage();
  await order.goto(`${shopUrl}/?order=${id}`);
  const status = order.getByRole('status');
  await status.getByText('Waiting for your payment.').waitFor();
  await payCharge(service, merchant, charge, { minor: 10_000n });
  await status.getByText('A part of your payment has arrived.').waitFor();
  await payCharge(service, merchant, charge, { minor: 2_850n });
  await status.getByText('we are putting it down').waitFor();
  await relayAndDeliver(service, systemClock);
  await status.getByText('Thank you, your payment has arrived.').waitFor();
  const { told } = await readOrder(id);
  expect(told.toSorted()).toEqual(['CHARGE_COMPLETE', 'charge_part_paid']);

  await page.getByRole('link', { name: 'Back to Harbour Teas' }).click();
  await page.getByRole('button', { name: 'Send it back' }).click();
  await page.getByRole('status').getByText('Given back: 128.50').waitFor();
  expect(await service.prisma.refund.findMany()).toMatchObject([
    { chargeId: charge.id, customerAmount: 12_850n, status: 'initiated' },
  ]);
  await page.getByRole('link', { name: 'Tell us where to' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
});

test('whoever says so without the signature, or the password, is not believed', async () => {
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
  expect([order.told, order.chargeId]).toEqual([[], undefined]);
});

test('what is no tea of the shop is not sold', async () => {
  expect((await toShop('/orders', { tea: 'constructor' })).status).toBe(400);
});

test('a webhook that the shop failed to take is taken when it comes again, and no more', async () => {
  const { id } = await (await toShop('/orders', { tea: 'Oolong' })).json();
  const headers = {
    authorization: `Basic ${btoa(`tea-shop:${webhookPassword}`)}`,
    'webhook-id': 'nt_1',
  };
  const told = { message: 'CHARGE_COMPLETE', payload: { notifyPayload: id } };
  const answers = [];
  for (const body of [{ ...told, payload: null }, told, told])
    answers.push((await toShop('/webhook', body, headers)).status);
  expect(answers).toEqual([500, 204, 204]);
  expect((await readOrder(id)).told).toEqual(['CHARGE_COMPLETE']);
});
