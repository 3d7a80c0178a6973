import type { Service } from '../service.ts';

/** Whether the customer is reminded of open invoices. The invoices themselves still come, and nothing is cancelled. */
export async function setReminders(
  service: Service,
  { id, off, now }: { id: string; off: boolean; now: Date },
): Promise<void> {
  await service.prisma.subscription.update({
    where: { id },
    data: { remindersOff: off, version: { increment: 1 }, updatedAt: now },
  });
}
