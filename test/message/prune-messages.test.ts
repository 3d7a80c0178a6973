import { expect, test } from 'vitest';
import { pruneMessages } from '../../src/message/prune-messages.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedMail, sendDueMessages } from '../setup/messages.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

test('messages are kept 90 days; those that wait are kept on', async () => {
  const service = await setupService(onCleanup);
  const now = new Date('2026-11-17T12:00:00Z');
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  await seedMail(service, { now: daysAgo(90.01) });
  const young = await seedMail(service, { now: daysAgo(89.99) });
  await sendDueMessages(service, 'email', {});
  const waiting = await seedMail(service, { now: daysAgo(100) });
  expect(await pruneMessages(service, { now })).toBe(1);
  const left = await service.prisma.message.findMany({ select: { id: true } });
  expect(left.map(({ id }) => id).sort()).toEqual([young, waiting].sort());
});
