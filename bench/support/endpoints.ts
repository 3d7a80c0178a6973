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

export type BenchEndpoint = {
  url: string;
  /** When each notification arrived first, by its `webhook-id`. */
  arrivals: Map<string, number>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A merchant's server in this process, whose clock is that of the commits: answers with the status after the wait. */
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
  /** Commits an event; answers its id, and when it was committed. */
  commitEvent(): Promise<{ id: string; committedAt: number }>;
  merchantId: string;
  /** Takes what is left of the run out of the way of the next. */
  [Symbol.asyncDispose](): Promise<void>;
};

/** A merchant whose webhooks are these, and to whom things happen as in another process. */
export async function createEventSource(
  service: Service,
  connectionString: string,
  urls: readonly string[],
): Promise<BenchEventSource> {
  const announcer = startAnnouncer(connectionString, (error) => console.error(error.message));
  const now = new Date();
  // The webhooks of earlier runs would be told too, were it the same merchant.
  const { merchant } = await createMerchant(service, { input: { name: 'Bench' }, now });
  const scope = { merchantId: merchant.id, mode: 'sandbox' } as const;
  for (const url of urls) {
    const input = { url, username: 'shop', password: 'sesame' };
    await createWebhook(service, { ...scope, input, actor: 'bench', now });
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
      const event = { message: 'CHARGE_COMPLETE', objectId, objectVersion: 2, payload } as const;
      const row = toEventRow({ ...scope, ...event, actor: 'bench', now: at });
      await service.pool.query({ name: 'happen', text: insertSql(row), values: Object.values(row) });
      announcer.announce(formatNotice({ ...scope, objectId }));
      return { id: row.id, committedAt: performance.now() };
    },
    async [Symbol.asyncDispose]() {
      await announcer.stop();
      await retireMerchant(service, merchant.id);
    },
  };
}

/** One statement, so that the events themselves take little of what is measured. */
function insertSql(row: object): string {
  const placeholders = Object.keys(row).map((_, i) => `$${i + 1}`);
  return `INSERT INTO event (${toColumnList(Object.keys(row))}) VALUES (${placeholders})`;
}

async function retireMerchant(service: Service, merchantId: string): Promise<void> {
  await service.prisma.webhook.updateMany({ where: { merchantId }, data: { deletedAt: new Date() } });
  await service.pool.query(
    `UPDATE notification SET status = 'skipped', next_attempt_at = NULL, leased_until = NULL, finished_at = now()
     WHERE merchant_id = $1 AND status = 'pending'`,
    [merchantId],
  );
  await service.pool.query('VACUUM ANALYZE notification, event, notification_attempt, webhook');
}

/** Until the first arrives: a worker that is ready still has its jobs to start. */
export async function warmUp(source: BenchEventSource, { arrivals }: BenchEndpoint): Promise<void> {
  const { id } = await source.commitEvent();
  while (!arrivals.has(id)) await delay(10);
  await delay(500);
}

/** Milliseconds from commit to arrival; those that have not arrived count as endless. */
export function latencies(
  events: readonly { id: string; committedAt: number }[],
  { arrivals }: BenchEndpoint,
): number[] {
  return events.map(({ id, committedAt }) =>
    Math.max(0, (arrivals.get(id) ?? Number.POSITIVE_INFINITY) - committedAt),
  );
}
