/**
 * A small shop that takes payments with Causeway. It creates a session through GraphQL, sends the customer to
 * checkout, receives the payment by callback and webhook, and lets staff refund it. It needs only Node; see README.md.
 */
import { createHash, createVerify, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { causeway, causewayUrl } from './causeway.ts';
import { processOnce, readOrder, type ShopOrder, saveOrder } from './store.ts';

const teas: Record<string, number> = { Oolong: 128.5, 'Dragon Well': 96, 'Ripe Pu’er': 240 };
const currency = 'HKD';
/** The mode of the shop's keys. The shop ignores events of the other mode, even with a valid signature. */
const mode = process.env.API_KEY?.startsWith('ck_live_') ? 'live' : 'sandbox';

const port = Number(process.env.PORT ?? 4100);
const page = readFileSync(new URL('page.html', import.meta.url));
const webhook = {
  username: 'tea-shop',
  password: process.env.WEBHOOK_PASSWORD ?? createPassword(),
};
/** The ID of an order is in the customer's URLs, so it must not be enough to refund the order. */
const staff = { username: 'staff', password: process.env.STAFF_PASSWORD ?? createPassword() };

const server = createServer((request, response) => {
  handleRequest(request, response).catch((error: Error) => {
    console.error(error);
    send(response, 500, { error: 'Something went wrong' });
  });
});
server.listen(port, '127.0.0.1', async () => {
  const { port: listeningPort } = server.address() as { port: number };
  shopUrl = process.env.SHOP_URL ?? `http://127.0.0.1:${listeningPort}`;
  publicKey = process.env.PUBLIC_KEY ? readFileSync(process.env.PUBLIC_KEY, 'utf8') : await findPublicKey();
  await createWebhook();
  console.log(`The shop is open at ${shopUrl}\nThe staff password is ${staff.password}`);
});
let shopUrl = '';
let publicKey = '';

async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', shopUrl);
  const order = readOrder(pathname.split('/')[2] ?? '');
  const route = `${request.method} ${order ? pathname.replace(order.id, ':id') : pathname}`;
  if (route === 'GET /') return void response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  if (route === 'GET /teas') return send(response, 200, { teas, currency });
  if (route === 'POST /orders') {
    const { tea } = JSON.parse(await text(request));
    if (!Object.hasOwn(teas, tea)) return send(response, 400, { error: 'Unknown tea' });
    return send(response, 201, await placeOrder(tea));
  }
  if (route === 'GET /orders/:id' && order) return send(response, 200, { ...order, causewayUrl });
  if (route === 'POST /orders/:id/refund' && order?.chargeId) {
    if (!hasCredentials(request, staff))
      return send(response, 401, { error: 'Only staff can refund orders' });
    return send(response, 200, await refundOrder(order));
  }
  if (route === 'POST /callback') return send(response, handleCallback(await text(request)), {});
  if (route === 'POST /webhook') return send(response, handleWebhook(request, await text(request)), {});
  send(response, 404, { error: 'Not found' });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** The ID of the order is the idempotency key, so that the request can be retried without creating a second session. */
async function placeOrder(tea: string): Promise<ShopOrder> {
  const amount = teas[tea] as number;
  const id = randomBytes(6).toString('hex');
  const { session, clientToken } = await causeway(
    `mutation ($input: CreateSessionInput!) {
      createSession(input: $input) {
        ... on CreateSessionSuccess { session { id checkoutUrl } clientToken }
        ... on UserError { code message }
      }
    }`,
    {
      input: {
        amount: String(amount),
        currency,
        orders: [{ orderId: id, name: tea, quantity: 1 }],
        notifyPayload: id,
        notifyUrl: `${shopUrl}/callback`,
        redirectUrl: `${shopUrl}/?order=${id}`,
      },
    },
    `order ${id}`,
  );
  const order: ShopOrder = { id, tea, amount, session, clientToken, parcels: 0, events: [] };
  saveOrder(order);
  return order;
}

/**
 * The signature covers the exact bytes of the payload, so trust only the payload. The shop delivers only orders that
 * are paid in full. Do not reject events with an old signing time: Causeway retries for days, and an event that is
 * resent after weeks has the same signature.
 */
function handleCallback(body: string): number {
  const [, payload = '', signature = ''] = /"payload":(.*),"signature":"([^"]*)"}$/s.exec(body) ?? [];
  if (!createVerify('RSA-SHA256').update(payload).verify(publicKey, signature, 'base64')) return 401;
  const event = JSON.parse(payload);
  if (event.mode !== mode || event.eventType !== 'CHARGE_COMPLETE') return 204;
  processOnce('callback', event.eventId, () => {
    const order = readOrder(event.notifyPayload ?? '');
    const isPaid = event.merchantAmount === order?.amount && event.merchantCurrency === currency;
    if (order && isPaid) saveOrder({ ...order, chargeId: event.chargeId, parcels: order.parcels + 1 });
  });
  return 204;
}

/** Records every event that the webhook receives. An event may arrive twice. */
function handleWebhook(request: IncomingMessage, body: string): number {
  if (!hasCredentials(request, webhook)) return 401;
  const { payload: event } = JSON.parse(body);
  if (event.mode !== mode) return 204;
  processOnce('webhook', event.eventId, () => {
    const order = readOrder(event.notifyPayload ?? '');
    if (order) saveOrder({ ...order, events: [...order.events, event.eventType] });
  });
  return 204;
}

type Credentials = { username: string; password: string };

/** Compares in constant time, so that the duration does not reveal how much of the password is correct. */
function hasCredentials({ headers }: IncomingMessage, { username, password }: Credentials): boolean {
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(expected));
}

function createPassword(): string {
  return randomBytes(18).toString('base64url');
}

/**
 * Refunds the full amount that the customer paid, in the customer's currency. Causeway emails the customer a link to
 * enter the bank details. The shop does not request `detailsUrl`, because the person who has it decides where the money
 * goes.
 */
async function refundOrder(order: ShopOrder): Promise<ShopOrder> {
  const { chargeId } = order;
  const { customerAmount } = await causeway('query ($id: ID!) { charge(id: $id) { customerAmount } }', {
    id: chargeId,
  });
  const { refund } = await causeway(
    `mutation ($input: CreateRefundInput!) {
      createRefund(input: $input) {
        ... on CreateRefundSuccess { refund { id customerAmount } }
        ... on UserError { code message }
      }
    }`,
    { input: { chargeId, customerAmount } },
    `refund ${order.id}`,
  );
  const refunded = { ...(readOrder(order.id) ?? order), refund };
  saveOrder(refunded);
  return refunded;
}

/**
 * Requests the public key from Causeway. A real shop downloads the key in the dashboard and sets PUBLIC_KEY to its
 * path.
 */
async function findPublicKey(): Promise<string> {
  const { nodes } = await causeway('{ certificates(first: 50) { nodes { publicKey status } } }');
  return nodes.find(({ status }: { status: string }) => status === 'signing').publicKey;
}

/** Creates the webhook once or, without WEBHOOK_PASSWORD, again at each start with a new password. */
async function createWebhook(): Promise<void> {
  const url = `${shopUrl}/webhook`;
  const { nodes } = await causeway('{ webhooks(first: 50) { nodes { id url } } }');
  const existing = nodes.find((one: { url: string }) => one.url === url);
  if (existing && process.env.WEBHOOK_PASSWORD) return;
  if (existing)
    await causeway('mutation ($input: DeleteWebhookInput!) { deleteWebhook(input: $input) { __typename } }', {
      input: { id: existing.id },
    });
  await causeway(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { __typename ... on UserError { code message } } }',
    { input: { url, ...webhook, notificationVersion: 'v1_0' } },
  );
}
