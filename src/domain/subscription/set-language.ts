import type { Service } from '../service.ts';

/** In which language the customer is written to: that of the page where they last did something. */
export async function setLanguage(
  service: Service,
  { id, language, now }: { id: string; language: string; now: Date },
): Promise<void> {
  await service.prisma.subscription.updateMany({
    where: { id, language: { not: language } },
    data: { language, version: { increment: 1 }, updatedAt: now },
  });
}
