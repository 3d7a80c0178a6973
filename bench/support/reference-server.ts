import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';

/**
 * A minimal server that shows the lowest possible cost of a request: plain node:http and pg, named statements with
 * explicit columns, the same JSON as the REST API, and one statement to create a charge. There is no authentication,
 * validation or logging. The environment variable MERCHANT_ID is the merchant that owns the charges.
 */

const { DATABASE_URL = '', MERCHANT_ID = '' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

const selectedColumns = `id, customer_id, email, merchant_amount, merchant_currency, method, customer_amount, customer_currency,
  status, destination, orders, notify_payload, expires_at, created_at, updated_at`;
const selectSql = `SELECT ${selectedColumns}, (
    SELECT json_agg(json_build_object('id', refund.id, 'customer_amount', refund.customer_amount,
      'customer_currency', refund.customer_currency, 'status', refund.status, 'created_at', refund.created_at,
      'updated_at', refund.updated_at) ORDER BY refund.id DESC)
    FROM refund WHERE refund.charge_id = charge.id) AS refunds
  FROM charge WHERE merchant_id = $1 AND mode = 'sandbox'`;
const oneStatement = { name: 'one', text: `${selectSql} AND id = $2` };
const pageStatement = { name: 'page', text: `${selectSql} ORDER BY id DESC LIMIT 50` };
const insertedColumns = `merchant_id, mode, status, customer_id, email, merchant_amount, merchant_currency, customer_amount,
  customer_currency, rate, rate_source, rate_at, method, receiving_account_id, destination, orders, version, expires_at`;
/** Creates a charge as a copy of an existing one, and its event. */
const createStatement = {
  name: 'create',
  text: `
    WITH created AS (
      INSERT INTO charge (${insertedColumns}, id, payment_reference, notify_payload, created_at, updated_at)
        SELECT ${insertedColumns.replace('status', "'pending'")}, $2, $3, $4, $6, $6 FROM charge WHERE id = $1 RETURNING ${selectedColumns}, merchant_id, mode)
    , recorded AS (
      INSERT INTO event (id, merchant_id, mode, type, object_id, object_version, payload, actor, relayed_at, created_at)
        SELECT $5, merchant_id, mode, 'charge_created', id, 1, $4, 'bench', $6, $6 FROM created)
    SELECT * FROM created`,
};

type ReferenceRow = Record<string, unknown> & { refunds?: Record<string, unknown>[] };

const server = createServer((request, response) => {
  handleRequest(request, response).catch((error: Error) => {
    response.statusCode = 500;
    response.end(error.message);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address() as { port: number };
  console.log(`reference on http://127.0.0.1:${address.port}`);
});
process.on('SIGTERM', () => process.exit(0));

let createdCount = 0;
async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url!;
  if (request.method === 'POST') {
    const body = await readJson(request);
    const suffix = `${process.pid}x${Date.now()}x${++createdCount}`;
    const now = new Date().toISOString();
    const values = [
      body.templateChargeId,
      `ch_ref${suffix}`,
      suffix,
      body.notifyPayload,
      `ev_ref${suffix}`,
      now,
    ];
    const { rows } = await pool.query({ ...createStatement, values });
    return send(response, toJson(rows[0]));
  }
  if (url.startsWith('/charges/')) {
    const { rows } = await pool.query({
      ...oneStatement,
      values: [MERCHANT_ID, url.slice('/charges/'.length)],
    });
    return send(response, toJson(rows[0]));
  }
  const { rows } = await pool.query({ ...pageStatement, values: [MERCHANT_ID] });
  return send(response, { charges: rows.map(toJson), pagination: {} });
}

function readJson(request: IncomingMessage): Promise<{ templateChargeId: string; notifyPayload: string }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    request.on('error', reject);
  });
}

function send(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function toJson(row: ReferenceRow): unknown {
  const { qrCode, account, nonce, accountName, bank } = row.destination as Record<string, string>;
  const customer = { id: row.customer_id, email: row.email };
  return {
    id: row.id,
    customer,
    merchantAmount: Number(row.merchant_amount) / 100,
    merchantCurrency: row.merchant_currency,
    method: row.method,
    customerAmount: Number(row.customer_amount) / 100,
    customerCurrency: row.customer_currency,
    status: row.status,
    destination: { qrCode, account, nonce, accountName, bank },
    refunds: (row.refunds ?? []).map((refund) => ({
      id: refund.id,
      chargeId: row.id,
      customer,
      method: row.method,
      customerAmount: Number(refund.customer_amount) / 100,
      customerCurrency: refund.customer_currency,
      status: refund.status,
      createdAt: refund.created_at,
      updatedAt: refund.updated_at,
    })),
    orders: row.orders,
    notifyPayload: row.notify_payload,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
