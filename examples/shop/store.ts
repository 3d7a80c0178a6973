import { DatabaseSync } from 'node:sqlite';

export type ShopOrder = {
  id: string;
  tea: string;
  amount: number;
  /** The checkout session of the order. The shop's page follows the state of the session with `clientToken`. */
  session: { id: string; checkoutUrl: string };
  clientToken: string;
  /** Set by the callback, which is the only proof of payment. */
  chargeId?: string;
  /** The number of parcels sent, one per payment: a second parcel would be a loss. */
  parcels: number;
  /** Event types that the webhook received, in order of arrival. */
  events: string[];
  refund?: { id: string; customerAmount: string };
};

const database = new DatabaseSync(process.env.DATABASE ?? 'shop.db');
database.exec(`
  CREATE TABLE IF NOT EXISTS shop_order (id TEXT PRIMARY KEY, document TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS processed_event (channel TEXT, event_id TEXT, PRIMARY KEY (channel, event_id));
`);
const select = database.prepare('SELECT document FROM shop_order WHERE id = ?');
const upsert = database.prepare('INSERT OR REPLACE INTO shop_order VALUES (?, ?)');
const insertProcessedEvent = database.prepare(
  'INSERT INTO processed_event VALUES (?, ?) ON CONFLICT DO NOTHING',
);

export function readOrder(id: string): ShopOrder | undefined {
  const row = select.get(id);
  return row && JSON.parse(String(row.document));
}

export function saveOrder(order: ShopOrder): void {
  upsert.run(order.id, JSON.stringify(order));
}

/**
 * Runs `work` once for each event, in the transaction that records the event as processed. If `work` fails, nothing is
 * stored, and the next delivery of the event runs it again. A callback and a webhook may deliver the same event, so
 * each channel has its own records.
 */
export function processOnce(channel: 'callback' | 'webhook', eventId: string, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    if (insertProcessedEvent.run(channel, eventId).changes === 1) work();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
