import { DatabaseSync } from 'node:sqlite';

export type ShopOrder = {
  id: string;
  tea: string;
  amount: number;
  /** Of the session that pays it; with the token the page follows it. */
  session: { id: string; checkoutUrl: string };
  clientToken: string;
  /** Set by the callback, which alone is proof that the money arrived. */
  chargeId?: string;
  /** One for each payment: a second would be tea given away. */
  parcels: number;
  /** Event types that the webhook received, in the order in which they arrived. */
  events: string[];
  refund?: { id: string; customerAmount: string; detailsUrl: string | null };
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
 * Does the work of an event once, in the transaction that remembers the event: after a failure neither is stored, and the
 * next attempt does both. A callback and a webhook carry the same event, so each channel remembers its own.
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
