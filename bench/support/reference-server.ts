import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';

/**
 * What a request costs at the least: bare node:http and pg, prepared statements, the same rows and the same JSON as the
 * REST interface, without authentication, checks or log. MERCHANT_ID names whose charges.
 */

const { DATABASE_URL = '', MERCHANT_ID = '' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

const columns = `
  charge.*, coalesce(refunds.list, '[]') AS refunds
  FROM charge LEFT JOIN LATERAL (
    SELECT json_agg(refund ORDER BY id) AS list FROM refund WHERE charge_id = charge.id
  ) refunds ON true
  WHERE merchant_id = $1 AND mode = 'sandbox'`;
const getOne = { name: 'one', text: `SELECT ${columns} AND charge.id = $2` };
const getPage = { name: 'page', text: `SELECT ${columns} ORDER BY charge.id DESC LIMIT 50` };
/** One statement: the charge, copied from the one given with another id and nonce, and its event. */
const create = {
  name: 'create',
  text: `
    WITH made AS (
      INSERT INTO charge
        SELECT made.* FROM charge, LATERAL jsonb_populate_record(charge, $2) made WHERE charge.id = $1 RETURNING *
    ), told AS (
      INSERT INTO event (id, merchant_id, mode, message, object_id, object_version, payload, actor, relayed_at, created_at)
        SELECT $3, merchant_id, mode, 'charge_created', id, 1, to_json(made), 'bench', now(), now() FROM made
    ) SELECT * FROM made`,
};

type Row = Record<string, unknown> & { refunds?: Record<string, unknown>[] };

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => {
    response.statusCode = 500;
    response.end(error.message);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address() as { port: number };
  console.log(`reference on http://127.0.0.1:${address.port}`);
});
process.on('SIGTERM', () => process.exit(0));

let made = 0;
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url!;
  if (request.method === 'POST') {
    const body = await readJson(request);
    const suffix = `${process.pid}x${++made}`;
    const { rows } = await pool.query({
      ...create,
      values: [body.like, { id: `ch_ref${suffix}`, nonce: suffix, status: 'pending' }, `ev_ref${suffix}`],
    });
    return send(response, toJson(rows[0]));
  }
  if (url.startsWith('/charges/')) {
    const { rows } = await pool.query({ ...getOne, values: [MERCHANT_ID, url.slice('/charges/'.length)] });
    return send(response, toJson(rows[0]));
  }
  const { rows } = await pool.query({ ...getPage, values: [MERCHANT_ID] });
  return send(response, { charges: rows.map(toJson), pagination: {} });
}

async function readJson(request: IncomingMessage): Promise<{ like: string }> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

function send(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

function toJson(row: Row): unknown {
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
