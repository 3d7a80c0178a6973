import { expect, test } from 'vitest';
import { measureMessages } from '../../src/message/measure-messages.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedMail, sendDueMessages } from '../setup/messages.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

test('what waits is counted, with how long it is overdue, and what was given up within a day', async () => {
  const service = await setupService(onCleanup);
  const now = new Date('2026-11-17T12:00:00Z');
  const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
  expect(await measureMessages(service, now)).toEqual({ pending: 0, oldestDueSeconds: 0, failed: 0 });
  await seedMail(service, { now: secondsAgo(30), expiresAt: secondsAgo(20) });
  await seedMail(service, { now: secondsAgo(90_000), expiresAt: secondsAgo(89_000) });
  const settings = { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'pay@shop.example' };
  for (const at of [secondsAgo(88_000), secondsAgo(10)])
    await sendDueMessages(service, 'email', settings, { clock: { now: () => at } });
  await seedMail(service, { now: secondsAgo(7) });
  await seedMail(service, { now: secondsAgo(3) });
  expect(await measureMessages(service, now)).toEqual({ pending: 2, oldestDueSeconds: 7, failed: 1 });
});
