import type { BankFeed, FeedDelivery } from '../../../../prisma/client/client.ts';
import { type FeedKind, getFeedDefinition } from '../../../feed/catalog.ts';
import type { Tx } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { decryptDeliveryBody } from '../../money-in/feed/decrypt-delivery.ts';
import type { FeedSettings } from '../../money-in/feed/feed-settings.ts';
import { readContent } from '../../money-in/feed/process-delivery.ts';
import type { FeedItemResult } from '../../money-in/feed/record-feed-items.ts';

/**
 * Returns the deliveries that reported the transfers. Only a delivery of nothing else has its body, as received,
 * because the other items of a body are data of other customers.
 */
export async function exportFeedDeliveries(
  tx: Tx,
  options: MerchantScope & { transferIds: string[]; secrets: Secrets },
): Promise<object[]> {
  const { merchantId, mode, transferIds, secrets } = options;
  const deliveries = await tx.feedDelivery.findMany({
    where: { merchantId, mode, transferIds: { hasSome: transferIds }, bodyEncrypted: { not: null } },
    include: { feed: true },
    orderBy: { id: 'asc' },
  });
  const transferIdSet = new Set(transferIds);
  return Promise.all(
    deliveries.map(async (delivery) => {
      const { id, createdAt } = delivery;
      const body = (await decryptDeliveryBody(secrets, delivery))!;
      return reportsOnly(transferIdSet, { ...delivery, body })
        ? { id, body: body.toString('utf8'), createdAt }
        : { id, createdAt };
    }),
  );
}

/** Returns whether every item of the body, also an ignored one, is one of the transfers. */
function reportsOnly(
  transferIds: ReadonlySet<string>,
  delivery: FeedDelivery & { feed: BankFeed; body: Buffer },
): boolean {
  const { feed, body } = delivery;
  const { custom } = feed.settings as FeedSettings;
  const content = readContent({ definition: getFeedDefinition(feed.kind as FeedKind, custom) }, { body });
  if (!('items' in content) || content.ignoredCount > 0 || content.isTest) return false;
  const results = delivery.results as FeedItemResult[];
  const reportedIds = [...results.map(({ transferId }) => transferId), ...delivery.transferIds];
  return (
    results.length === content.items.length &&
    reportedIds.every((id) => id !== undefined && transferIds.has(id))
  );
}
