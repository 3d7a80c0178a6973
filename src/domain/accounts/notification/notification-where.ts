import type { NotificationKind, NotificationStatus, Prisma } from '../../../../prisma/client/client.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { createdBetween } from '../../platform/created-between.ts';

/** Which notifications: those that fit all members given; times are inclusive. */
export type NotificationFilter = {
  kind?: NotificationKind | null | undefined;
  status?: NotificationStatus[] | null | undefined;
  webhookId?: string | null | undefined;
  message?: string | null | undefined;
  chargeId?: string | null | undefined;
  since?: Date | null | undefined;
  until?: Date | null | undefined;
};

/** The filter as Prisma says it. */
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
    ...(message && { eventMessage: message }),
    // Whose it is, is said again for the index.
    ...(chargeId && { event: { merchantId, mode, objectId: chargeId } }),
    ...createdBetween('notification', { startDate: since ?? undefined, endDate: until ?? undefined }),
  };
}
