/**
 * A small shop that takes payments with Causeway: it makes a session through GraphQL, sends the customer to checkout, is
 * told of the payment by callback and webhook, and gives a refund. Nothing but Node: see README.md beside this file.
 */
import { createHash, createVerify, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { causeway, causewayUrl } from './causeway.ts';

type Order = {
  id: string;
  tea: string;
  amount: number;
  /** Of the session that pays it; with the token the page follows it. */
  session: { id: string; checkoutUrl: string };
  clientToken: string;
  /** Set by the callback, which alone is proof that the money came. */
  chargeId?: string;
  /** What the webhooks told, in the order in which they came. */
  told: string[];
  refund?: { id: string; customerAmount: string; detailsUrl: string | null };
};

const teas: Record<string, number> = { Oolong: 128.5, 'Dragon Well': 96, 'Ripe Pu’er': 240 };
const currency = 'HKD';
/** A real shop has a database. */
const orders = new Map<string, Order>();
const seen = new Set<string>();

const port = Number(process.env.PORT ?? 4100);
const page = readFileSync(new URL('page.html', import.meta.url));
const webhook = {
  username: 'tea-shop',
  password: process.env.WEBHOOK_PASSWORD ?? randomBytes(18).toString('base64url'),
};

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => {
    console.error(error);
    send(response, 500, { error: 'Something went wrong' });
  });
});
server.listen(port, '127.0.0.1', async () => {
  const { port: found } = server.address() as { port: number };
  shopUrl = process.env.SHOP_URL ?? `http://127.0.0.1:${found}`;
  publicKey = process.env.PUBLIC_KEY ? readFileSync(process.env.PUBLIC_KEY, 'utf8') : await findPublicKey();
  await makeWebhook();
  console.log(`The shop is open at ${shopUrl}`);
});
let shopUrl = '';
let publicKey = '';

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', shopUrl);
  const order = orders.get(pathname.split('/')[2] ?? '');
  const what = `${request.method} ${order ? pathname.replace(order.id, ':id') : pathname}`;
  if (what === 'GET /') return void response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  if (what === 'GET /teas') return send(response, 200, { teas, currency });
  if (what === 'POST /orders') {
    const { tea } = JSON.parse(await text(request));
    if (!Object.hasOwn(teas, tea)) return send(response, 400, { error: 'We have no such tea' });
    return send(response, 201, await placeOrder(tea));
  }
  if (what === 'GET /orders/:id' && order) return send(response, 200, { ...order, causewayUrl });
  if (what === 'POST /orders/:id/refund' && order?.chargeId)
    return send(response, 200, await giveBack(order));
  if (what === 'POST /callback') return send(response, takeCallback(await text(request)), {});
  if (what === 'POST /webhook') return send(response, takeWebhook(request, await text(request)), {});
  send(response, 404, { error: 'There is nothing here' });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** The order’s number is the idempotency key: asking again under it, after an answer that was lost, makes no second session. */
async function placeOrder(tea: string): Promise<Order> {
  const amount = teas[tea] as number;
  const id = randomBytes(6).toString('hex');
  const { session, clientToken } = await causeway(
    `mutation ($input: CreateSessionInput!) {
      createSession(input: $input) {
        ... on CreateSessionSuccess { session { id checkoutUrl } clientToken }
        ... on Error { code message }
      }
    }`,
    {
      input: {
        amount: String(amount),
        currency,
        orders: [{ id, name: tea, quantity: 1 }],
        notifyPayload: id,
        notifyUrl: `${shopUrl}/callback`,
        redirectUrl: `${shopUrl}/?order=${id}`,
      },
    },
    `order ${id}`,
  );
  const order: Order = { id, tea, amount, session, clientToken, told: [] };
  orders.set(id, order);
  return order;
}

/**
 * The callback is signed over the exact bytes of its payload: nothing beside it counts. Only what was paid in full, as
 * ordered, is delivered.
 */
function takeCallback(body: string): number {
  const [, payload = '', signature = ''] = /"payload":(.*),"signature":"([^"]*)"}$/s.exec(body) ?? [];
  if (!createVerify('RSA-SHA256').update(payload).verify(publicKey, signature, 'base64')) return 401;
  const { chargeId, notifyPayload, merchantAmount, merchantCurrency, status } = JSON.parse(payload);
  const order = orders.get(notifyPayload);
  if (order && status === 'completed' && merchantAmount === order.amount && merchantCurrency === currency)
    order.chargeId = chargeId;
  return 204;
}

/** Webhooks tell of everything, and may come twice: what was taken is dropped. What fails on the way comes again. */
function takeWebhook({ headers }: IncomingMessage, body: string): number {
  const expected = `Basic ${Buffer.from(`${webhook.username}:${webhook.password}`).toString('base64')}`;
  if (!isSame(headers.authorization ?? '', expected)) return 401;
  const id = String(headers['webhook-id']);
  if (seen.has(id)) return 204;
  const { message, payload } = JSON.parse(body);
  orders.get(payload.notifyPayload)?.told.push(message);
  seen.add(id);
  return 204;
}

/** In a time that tells nothing of where they differ. */
function isSame(one: string, other: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** All that the customer paid, in the currency it was paid in. */
async function giveBack(order: Order): Promise<Order> {
  const { chargeId } = order;
  const { customerAmount } = await causeway('query ($id: ID!) { charge(id: $id) { customerAmount } }', {
    id: chargeId,
  });
  const { refund } = await causeway(
    `mutation ($input: CreateRefundInput!) {
      createRefund(input: $input) {
        ... on CreateRefundSuccess { refund { id customerAmount detailsUrl } }
        ... on Error { code message }
      }
    }`,
    { input: { chargeId, customerAmount } },
    `refund ${order.id}`,
  );
  order.refund = refund;
  return order;
}

/** A real shop keeps the public key in a file, as downloaded from the dashboard: set PUBLIC_KEY to it. */
async function findPublicKey(): Promise<string> {
  const { nodes } = await causeway('{ certificates(first: 50) { nodes { publicKey status } } }');
  return nodes.find(({ status }: { status: string }) => status === 'signing').publicKey;
}

/** Made once; where WEBHOOK_PASSWORD is not set, anew at each start. */
async function makeWebhook(): Promise<void> {
  const url = `${shopUrl}/webhook`;
  const { nodes } = await causeway('{ webhooks(first: 50) { nodes { id url } } }');
  const known = nodes.find((one: { url: string }) => one.url === url);
  if (known && process.env.WEBHOOK_PASSWORD) return;
  if (known)
    await causeway('mutation ($input: DeleteWebhookInput!) { deleteWebhook(input: $input) { __typename } }', {
      input: { id: known.id },
    });
  await causeway(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { __typename ... on Error { code message } } }',
    { input: { url, ...webhook, version: '1.0' } },
  );
}
