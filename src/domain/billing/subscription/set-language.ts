import { announceChange } from '../../../event/announce-change.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';

/**
 * Sets the language of messages to the customer, which is the language of the page that the customer used
 * last.
 */
export async function setLanguage(
  service: Service,
  { id, language, now }: { id: string; language: string; now: MerchantTime },
): Promise<void> {
  await transact(service, async (uow) => {
    const rows = await uow.tx.subscription.updateManyAndReturn({
      where: { id, language: { not: language } },
      data: { language, version: { increment: 1 }, updatedAt: now },
      select: { merchantId: true, mode: true },
    });
    for (const scope of rows) announceChange(uow, { objectId: id, ...scope });
  });
}
