import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { hourMs, minuteMs } from '../../src/kit/duration.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { isLongRun } from '../setup/counts.ts';
import { getEventTypes } from '../setup/database-state.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { type Receiver, startReceiver } from '../setup/receiver.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { type ServiceOnDatabase, setupService } from '../setup/service.ts';
import { onDatabase } from './on-database.ts';
import { runService, type ServiceProcess } from './run-service.ts';
import { underLoad } from './under-load.ts';

const onCleanup = cleanupAfterFile();

/** A clock that jumps while clients use the service. */

let service: ServiceOnDatabase;
let merchant: NewMerchant;
let receiver: Receiver;
let running: ServiceProcess;
let offMs = 0;

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service, {}, new Date());
  receiver = await startReceiver();
  await seedWebhook(service, merchant, { url: receiver.url, notificationVersion: '1.0' });
  const command = [process.execPath, 'scripts/launch.mjs', 'test/process/jumping-service.ts'];
  running = runService(onDatabase(service.connectionString), command);
});

afterAll(async () => {
  await running?.end('SIGKILL');
  await receiver?.stop();
});

async function setClock(ms: number): Promise<void> {
  running.child.stdin!.write(`${ms}\n`);
  await expect.poll(() => running.said()).toContain(`The clock is off by ${ms} ms`);
  offMs = ms;
}

const statusOf = async (id: string) =>
  (await service.prisma.charge.findUniqueOrThrow({ where: { id } })).status;

test.runIf(isLongRun)(
  'the clock jumps hours forwards, minutes backwards, and forwards again',
  {
    timeout: 120_000,
  },
  async () => {
    const { url } = await running.ready();
    const waiting = await seedCharge(service, merchant, {
      now: new Date(),
      input: { notifyPayload: 'waits' },
    });
    const site = { service, merchant, receiver, url: () => url, logged: () => running.logged() };
    const now = () => new Date(Date.now() + offMs);
    const { cutOff } = await underLoad({ ...site, now, mayExpire: true }, async (ledger) => {
      const goOn = async () => {
        const { size } = ledger.ends;
        await expect.poll(() => ledger.ends.size).toBeGreaterThan(size + 12);
      };
      await setClock(5 * hourMs);
      await expect.poll(() => statusOf(waiting.id)).toBe('expired');
      await goOn();
      await setClock(5 * hourMs - 10 * minuteMs);
      await goOn();
      // What was put off until a time that now lies ahead again is due once the clock is right.
      await setClock(5 * hourMs);
    });
    expect(cutOff).toBe(0);
    expect(await getEventTypes(service, { objectId: waiting.id })).toEqual([
      'charge_created',
      'charge_expired',
    ]);
  },
);
