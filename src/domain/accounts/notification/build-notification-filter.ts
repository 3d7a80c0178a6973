import type { NotificationKind, Prisma } from '../../../../prisma/client/client.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { createdBetween } from '../../platform/created-between.ts';

/** A notification must match all properties that are set; `since` and `until` are inclusive. */
export type NotificationFilter = {
  kind?: NotificationKind | null | undefined;
  status?: Prisma.NotificationWhereInput['status'];
  webhookId?: string | null | undefined;
  eventType?: Prisma.NotificationWhereInput['eventType'];
  chargeId?: string | null | undefined;
  since?: Date | null | undefined;
  until?: Date | null | undefined;
};

export function buildNotificationFilter(
  scope: MerchantScope,
  filter: NotificationFilter,
): Prisma.NotificationWhereInput {
  const { kind, status, webhookId, eventType, chargeId, since, until } = filter;
  const { merchantId, mode } = scope;
  return {
    merchantId,
    mode,
    ...(kind && { kind }),
    ...(status && { status }),
    ...(webhookId && { webhookId }),
    ...(eventType && { eventType }),
    // Repeats the merchant and mode, so that the query can use the index of events.
    ...(chargeId && { event: { merchantId, mode, objectId: chargeId } }),
    ...createdBetween('notification', { startDate: since ?? undefined, endDate: until ?? undefined }),
  };
}
