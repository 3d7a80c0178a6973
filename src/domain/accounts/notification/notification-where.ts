import type { NotificationKind, NotificationStatus, Prisma } from '../../../../prisma/client/client.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { createdBetween } from '../../platform/created-between.ts';

/** All given members must match; times are inclusive. */
export type NotificationFilter = {
  kind?: NotificationKind | null | undefined;
  status?: NotificationStatus[] | null | undefined;
  webhookId?: string | null | undefined;
  message?: string | null | undefined;
  chargeId?: string | null | undefined;
  since?: Date | null | undefined;
  until?: Date | null | undefined;
};

export function notificationWhere(
  owner: MerchantScope,
  filter: NotificationFilter,
): Prisma.NotificationWhereInput {
  const { kind, status, webhookId, message, chargeId, since, until } = filter;
  const { merchantId, mode } = owner;
  return {
    merchantId,
    mode,
    ...(kind && { kind }),
    ...(status && { status: { in: status } }),
    ...(webhookId && { webhookId }),
    ...(message && { eventType: message }),
    // Repeats the owner, so that the query can use the index of events.
    ...(chargeId && { event: { merchantId, mode, objectId: chargeId } }),
    ...createdBetween('notification', { startDate: since ?? undefined, endDate: until ?? undefined }),
  };
}
