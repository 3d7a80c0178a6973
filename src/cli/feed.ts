import type { BankFeed } from '../../prisma/client/client.ts';
import { reprocessDelivery } from '../domain/money-in/feed/reprocess-delivery.ts';
import { requestPoll } from '../domain/money-in/feed/request-poll.ts';
import {
  type SimulatedDelivery,
  simulateDelivery,
  simulateFetch,
} from '../domain/money-in/feed/simulate-delivery.ts';
import type { Service } from '../domain/platform/service.ts';
import { feedKinds, isFeedKind, presets } from '../feed/catalog.ts';
import { systemClock } from '../kit/clock.ts';
import { DomainError } from '../kit/errors.ts';
import { type ServiceCommand, UsageError } from './command.ts';
import { readText } from './files.ts';

const deliveriesMax = 1_000;

export const listFeedsCommand: ServiceCommand = {
  async run(service, { options }) {
    const feeds = await service.prisma.bankFeed.findMany({
      where: {
        deletedAt: null,
        ...(options.merchant !== undefined && { merchantId: String(options.merchant) }),
      },
      orderBy: { id: 'asc' },
    });
    const rows = feeds.map((feed) => toJson(service, feed));
    const lines = rows.map(({ id, mode, kind, name, status, lastSuccessAt, nextPollAt }) => {
      const next = nextPollAt ? [`next poll ${nextPollAt.toISOString()}`] : [];
      return [id, mode, kind, status, lastSuccessAt?.toISOString() ?? 'no delivery yet', ...next, name].join(
        '  ',
      );
    });
    return { json: rows, text: lines.join('\n') || 'No bank feeds' };
  },
};

function toJson({ settings }: Service, feed: BankFeed) {
  const { id, merchantId, mode, kind, name, status, lastSuccessAt, lastTransferAt, lastError } = feed;
  const { lastPollAt, nextPollAt } = feed;
  const url = `${settings.publicUrl}/feeds/${id}`;
  return {
    id,
    merchantId,
    mode,
    kind,
    name,
    status,
    url,
    lastSuccessAt,
    lastTransferAt,
    lastError,
    lastPollAt,
    nextPollAt,
  };
}

export const listDeliveriesCommand: ServiceCommand = {
  async run({ prisma }, { positionals: [feedId = ''], options: { limit = '20' } }) {
    const take = Number(limit);
    if (!/^\d+$/.test(String(limit)) || take < 1 || take > deliveriesMax)
      throw new UsageError(`--limit must be 1 to ${deliveriesMax}`);
    const feed = await prisma.bankFeed.findUnique({ where: { id: feedId } });
    if (!feed) throw new DomainError('bank_feed_not_found', `Bank feed not found: ${feedId}`);
    const deliveries = await prisma.feedDelivery.findMany({
      where: { feedId },
      orderBy: { id: 'desc' },
      take,
      select: {
        ...{
          id: true,
          createdAt: true,
          status: true,
          reason: true,
          detail: true,
          fileName: true,
          size: true,
        },
        results: true,
        transferIds: true,
        statementIds: true,
      },
    });
    const lines = deliveries.map(({ id, createdAt, status, reason, detail, transferIds, statementIds }) =>
      [id, createdAt.toISOString(), status, reason, detail, ...transferIds, ...statementIds]
        .filter(Boolean)
        .join('  '),
    );
    return { json: deliveries, text: lines.join('\n') || 'No deliveries' };
  },
};

export const processDeliveryCommand: ServiceCommand = {
  async run(service, { positionals: [id = ''] }) {
    const delivery = await service.prisma.feedDelivery.findUnique({ where: { id } });
    if (!delivery) throw new DomainError('feed_delivery_not_found', `Delivery not found: ${id}`);
    const { merchantId, mode } = delivery;
    const context = { merchantId, mode, actor: 'operator', now: new Date() };
    const { status, reason, results } = await reprocessDelivery(service, { ...context, id });
    const json = { id, status, reason, results };
    return {
      json,
      text: `${id}: ${[status, reason].filter(Boolean).join(', ')}`,
      failed: status === 'failed',
    };
  },
};

export const pollFeedCommand: ServiceCommand = {
  async run(service, { positionals: [id = ''] }) {
    const feed = await service.prisma.bankFeed.findFirst({ where: { id, deletedAt: null } });
    if (!feed) throw new DomainError('bank_feed_not_found', `Bank feed not found: ${id}`);
    const { merchantId, mode } = feed;
    await requestPoll(service, { merchantId, mode, id, actor: 'operator', now: new Date() });
    return { json: { id, requested: true }, text: `${id}: a worker polls the feed within seconds` };
  },
};

export const simulateFeedCommand: ServiceCommand = {
  async run(service, { positionals: [kind = ''], options, onProgress }) {
    if (!isFeedKind(kind)) throw new UsageError(`KIND must be one of: ${feedKinds.join(', ')}`);
    const { feed, charge, body, url } = options;
    const input = {
      feedId: feed === undefined ? await findOnlyFeed(service, kind) : String(feed),
      chargeId: charge === undefined ? undefined : String(charge),
      body: body === undefined ? undefined : await readText(String(body)),
    };
    if (kind !== 'custom' && presets[kind].pull !== undefined) {
      const { id, status, reason, statementIds } = await simulateFetch(service, {
        ...input,
        clock: systemClock,
      });
      const text = `${id}: ${[status, reason].filter(Boolean).join(', ')}`;
      return { json: { id, status, reason, statementIds }, text, failed: status === 'failed' };
    }
    const delivery = await simulateDelivery(service, { ...input, now: new Date() });
    const target =
      url === undefined ? delivery.url : delivery.url.replace(service.settings.publicUrl, String(url));
    onProgress(`POST ${target}`);
    const answer = await send({ ...delivery, url: target });
    return {
      json: { ...delivery, url: target, answer },
      text: `${answer.status} ${answer.body}`,
      failed: answer.status >= 300,
    };
  },
};

async function findOnlyFeed({ prisma }: Service, kind: string): Promise<string> {
  const feeds = await prisma.bankFeed.findMany({
    where: { kind, mode: 'sandbox', deletedAt: null },
    take: 2,
  });
  const [feed, other] = feeds;
  if (!feed) throw new DomainError('bank_feed_not_found', `The sandbox has no bank feed of the kind ${kind}`);
  if (other) throw new UsageError(`Several bank feeds are of the kind ${kind}: choose one with --feed`);
  return feed.id;
}

async function send({ url, headers, body }: SimulatedDelivery): Promise<{ status: number; body: string }> {
  const response = await fetch(url, { method: 'POST', headers, body }).catch((cause: Error) => {
    throw new Error(`The service cannot be reached at ${url}: start it, or set --url`, { cause });
  });
  return { status: response.status, body: await response.text() };
}
