import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { canSendEmail, type Service } from '../../platform/service.ts';
import { getNextSummary } from './next-summary.ts';

/**
 * Turns on the email that a new owner needs to run a shop: each transfer that needs review, and a daily summary of the
 * payments. Nothing is turned on without a mail server.
 */
export async function insertDefaultNotices(
  { tx, settings }: UnitOfWork<Service>,
  { user, now }: { user: MerchantUser; now: Date },
): Promise<void> {
  const { id: userId, merchantId } = user;
  if (!canSendEmail({ settings }) || user.role !== 'owner' || merchantId === null) return;
  const { timeZone } = await tx.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  const counter = await tx.eventCounter.findUnique({
    where: { merchantId_mode: { merchantId, mode: 'live' } },
  });
  const notice = { userId, channel: 'email', eventPosition: counter?.last ?? 0n } as const;
  await tx.noticeSetting.createMany({
    data: [
      { ...notice, topic: 'payments', frequency: 'daily', nextAt: getNextSummary(now, timeZone) },
      { ...notice, topic: 'reviews', frequency: 'at_once', nextAt: now },
    ],
  });
}
