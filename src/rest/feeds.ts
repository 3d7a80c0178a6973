import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FeedDelivery } from '../../prisma/client/client.ts';
import type { Context } from '../context.ts';
import { processDeliveriesOfFeed } from '../domain/money-in/feed/process-delivery.ts';
import {
  type DeliveryRequest,
  deliveryBytesMax,
  receiveDelivery,
} from '../domain/money-in/feed/receive-delivery.ts';
import { limitRate, tooManyRequestsError, toVisitorKey } from '../http/limit-rate.ts';
import { rejectUnstorableUrl } from '../http/reject-unstorable-text.ts';
import { batchCalls } from '../kit/batch-calls.ts';
import { getClientNetwork } from '../kit/client-network.ts';
import { DomainError } from '../kit/errors.ts';
import { insertRows } from '../kit/insert-rows.ts';
import { createRateLimiter } from '../kit/rate-limiter.ts';

/** Rejections per second of one network and feed that are recorded; further ones get a 429. */
const rejectionsPerSecond = 1;

/**
 * Concurrent deliveries of a merchant are inserted together, and those of a feed processed together, at most `size`.
 * Inserts and processing each run for `concurrency` merchants or feeds at the same time.
 */
const batches = { size: 50, concurrency: 4 };

type FeedRoute = { Params: { feedId: string } };

/**
 * Registers the URLs to which banks send deliveries. Each feed authenticates its sender itself, so the routes
 * are outside of the documented interface. Some banks append a path to the URL.
 */
export function registerFeedRoutes(app: FastifyInstance, context: Context): void {
  // The signature covers the bytes of the body, regardless of its Content-Type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  rejectUnstorableUrl(app);
  const limiter = createRateLimiter(rejectionsPerSecond)!;
  // The database rejects the whole statement if one of its rows belongs to a paused or moved merchant.
  const insert = batchCalls<FeedDelivery>(
    (_merchantId, deliveries) => insertRows(context.service.prisma, 'feed_delivery', deliveries),
    batches,
  );
  const process = batchCalls<FeedDelivery>(
    (_feedId, deliveries) =>
      processDeliveriesOfFeed(context.service, {
        deliveries,
        now: context.clock.now(),
        onError: (error) => app.log.error({ err: error }, 'a feed delivery was not processed'),
      }),
    batches,
  );
  for (const url of ['/feeds/:feedId', '/feeds/:feedId/*'])
    app.post<FeedRoute>(url, async (request, reply) => {
      const { feedId } = request.params;
      const key = `${feedId} ${getClientNetwork(request.ip)}`;
      const answer = await receiveDelivery(context.service, {
        feedId,
        request: await readDelivery(request),
        now: context.clock.now(),
        admitRejection: () => limiter.take(key, performance.now()).isAllowed,
        insert: (delivery) => insert(delivery.merchantId, delivery),
        process: (delivery) => process(delivery.feedId, delivery),
      }).catch((error) => {
        // Limits attempts to guess the URL of a feed.
        if (error instanceof DomainError && error.code === 'bank_feed_not_found')
          limitRate(context.limiter, toVisitorKey(request), reply);
        throw error;
      });
      if (!answer) throw tooManyRequestsError(1);
      // The unread rest of the body must not be parsed as the next request.
      if (answer.status === 413) reply.header('connection', 'close');
      return reply.code(answer.status).type('application/json').send(JSON.stringify(answer.body));
    });
}

async function readDelivery(request: FastifyRequest): Promise<DeliveryRequest> {
  const { method, url, ip, headers } = request;
  const announcedSize = Number(headers['content-length'] ?? 0);
  const { body, size } =
    announcedSize > deliveryBytesMax
      ? { body: Buffer.alloc(0), size: announcedSize }
      : await readBody(request.body);
  const texts = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return {
    method,
    path: url.split('?')[0]!,
    headers: Object.fromEntries(texts),
    body,
    size,
    ipAddress: ip,
  };
}

/** Stops reading once the body is too large. */
async function readBody(source: unknown): Promise<{ body: Buffer; size: number }> {
  if (!(source instanceof Readable)) return { body: Buffer.alloc(0), size: 0 };
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > deliveryBytesMax) return { body: Buffer.alloc(0), size };
      chunks.push(chunk);
    }
  } catch {
    throw new DomainError('request_timeout', 'The delivery was interrupted');
  }
  return { body: Buffer.concat(chunks), size };
}
