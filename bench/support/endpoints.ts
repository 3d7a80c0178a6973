import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createWebhook } from '../../src/domain/accounts/webhook/create-webhook.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { startAnnouncer } from '../../src/event/announcer.ts';
import { toEventRow } from '../../src/event/event-row.ts';
import { formatNotice } from '../../src/event/notice.ts';
import { newId } from '../../src/kit/id.ts';
import { toColumnList } from '../../src/kit/insert-rows.ts';

type BenchEndpoint = {
  url: string;
  /** The time at which each event first arrived, by event ID (`webhook-id`). */
  arrivals: Map<string, number>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Starts a merchant's endpoint in this process, so that arrivals and commits use the same clock. The endpoint responds
 * with `behavior.status` after `afterMs`, or never.
 */
export async function startEndpoint(
  behavior: { status: number; afterMs: number } | 'never',
): Promise<BenchEndpoint> {
  const arrivals = new Map<string, number>();
  const server = http.createServer((request, response) => {
    const id = request.headers['webhook-id'] as string;
    if (!arrivals.has(id)) arrivals.set(id, performance.now());
    request.resume();
    if (behavior === 'never') return;
    setTimeout(() => response.writeHead(behavior.status).end(), behavior.afterMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type BenchEventSource = {
  /** Commits an event; returns its ID and the time of the commit. */
  commitEvent(): Promise<{ id: string; committedAt: number }>;
  merchantId: string;
  /** Deletes the webhooks and skips their pending notifications, so that they do not affect the next run. */
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Creates a merchant with a webhook for each URL. Events are committed and announced as by another process, so a worker
 * receives them only through the database.
 */
export async function createEventSource(
  service: Service,
  connectionString: string,
  urls: readonly string[],
): Promise<BenchEventSource> {
  const announcer = startAnnouncer(connectionString, (error) => console.error(error.message));
  const now = new Date();
  // Each run has a new merchant, because an interrupted run leaves its webhooks and notifications behind.
  const { merchant } = await createMerchant(service, { input: { name: 'Bench' }, now });
  const scope = { merchantId: merchant.id, mode: 'sandbox' } as const;
  for (const url of urls) {
    const input = { url, username: 'shop', password: 'sesame' };
    await createWebhook(service, { ...scope, input, actor: 'job:bench', now });
  }
  return {
    merchantId: merchant.id,
    async commitEvent() {
      const at = new Date();
      const objectId = newId('charge', at);
      const payload = {
        chargeId: objectId,
        merchantId: merchant.id,
        merchantAmount: 128.5,
        status: 'completed',
      };
      const event = { type: 'CHARGE_COMPLETE', objectId, objectVersion: 2, payload } as const;
      const row = toEventRow({ ...scope, ...event, actor: 'job:bench', now: at });
      await service.pool.query({ name: 'insert-event', text: toInsertSql(row), values: Object.values(row) });
      announcer.announce(formatNotice({ ...scope, objectId }));
      return { id: row.id, committedAt: performance.now() };
    },
    async [Symbol.asyncDispose]() {
      await announcer.stop();
      await deleteWebhooks(service, merchant.id);
    },
  };
}

/** Returns a statement that inserts an event. A single statement keeps the cost of the commit low. */
function toInsertSql(row: object): string {
  const placeholders = Object.keys(row).map((_, i) => `$${i + 1}`);
  return `INSERT INTO event (${toColumnList(Object.keys(row))}) VALUES (${placeholders})`;
}

async function deleteWebhooks(service: Service, merchantId: string): Promise<void> {
  await service.prisma.webhook.updateMany({ where: { merchantId }, data: { deletedAt: new Date() } });
  await service.pool.query(
    `UPDATE notification SET status = 'skipped', next_attempt_at = NULL, leased_until = NULL, finished_at = now()
     WHERE merchant_id = $1 AND status = 'pending'`,
    [merchantId],
  );
  await service.pool.query('VACUUM ANALYZE notification, event, notification_attempt, webhook');
}

/** Commits an event and waits for its arrival, because a worker that is ready may still be starting its jobs. */
export async function warmUp(source: BenchEventSource, { arrivals }: BenchEndpoint): Promise<void> {
  const { id } = await source.commitEvent();
  while (!arrivals.has(id)) await delay(10);
  await delay(500);
}

/** Returns the milliseconds from the commit to the arrival of each event; infinity if the event has not arrived. */
export function computeLatencies(
  events: readonly { id: string; committedAt: number }[],
  { arrivals }: BenchEndpoint,
): number[] {
  return events.map(({ id, committedAt }) =>
    Math.max(0, (arrivals.get(id) ?? Number.POSITIVE_INFINITY) - committedAt),
  );
}
