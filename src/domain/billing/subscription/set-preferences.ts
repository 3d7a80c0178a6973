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

/** Enables or disables payment reminders. The customer still receives invoices, and nothing is cancelled. */
export async function setReminders(
  service: Service,
  { id, areDisabled, now }: { id: string; areDisabled: boolean; now: MerchantTime },
): Promise<void> {
  await transact(service, async (uow) => {
    const scope = await uow.tx.subscription.update({
      where: { id },
      data: { remindersDisabled: areDisabled, version: { increment: 1 }, updatedAt: now },
      select: { merchantId: true, mode: true },
    });
    announceChange(uow, { objectId: id, ...scope });
  });
}
