import { expect, test } from 'vitest';
import { importStatement } from '../../src/domain/statement/import-statement.ts';
import { countsOf } from '../../src/domain/statement/statement-state.ts';
import { storeUpload } from '../../src/domain/upload/store-upload.ts';
import { startAnnouncer } from '../../src/event/announcer.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { createHub } from '../../src/live/hub.ts';
import { listen } from '../../src/live/listen.ts';
import { buildWorker } from '../../src/worker.ts';
import { chunks } from '../setup/chunks.ts';
import { csvMapping } from '../setup/csv-mapping.ts';
import { makeCharge, makeMerchant } from '../setup/makers.ts';
import { testService } from '../setup/service.ts';

/** Statements through whole workers, as a service runs them. */

const rows = 600;

test('what is asked for is imported by one of two workers, and by the other when that stops on the way', async () => {
  const plain = await testService();
  const errors: Error[] = [];
  const onError = (error: Error) => void errors.push(error);
  const announcer = startAnnouncer(plain.connectionString, onError);
  const service = { ...plain, announce: announcer.announce };
  const start = async (processName: string) => {
    const hub = createHub();
    const listener = await listen(service.connectionString, hub, onError);
    const config = { connectionString: service.connectionString, processName };
    const worker = await buildWorker({ config, service, hub, clock: systemClock, onError });
    await worker.start();
    return async () => {
      await worker.stop({ graceMs: 5_000 });
      await listener.stop();
    };
  };
  const stopOne = await start('one');
  const stopOther = await start('other');
  const now = new Date();
  const merchant = await makeMerchant(service, {}, now);
  const { receivingAccountId } = await makeCharge(service, merchant, { now });
  const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:ada', now } as const;
  const day = now.toISOString().slice(0, 10);
  const mapping = csvMapping({ references: ['Text'], bankReference: 'Ref' });
  const queue = async (name: string) => {
    const lines = Array.from({ length: rows }, (_, n) => `${day},1,unknown,${name}${n}`);
    const source = chunks(`Date,Amount,Text,Ref\n${lines.join('\n')}\n`);
    const { id: uploadId } = await storeUpload(service, { ...owner, fileName: name, source });
    const input = { ...owner, uploadId, receivingAccountId, mapping, machineNow: now };
    return (await importStatement(service, input)).statement.id;
  };
  const ids = [await queue('A'), await queue('B'), await queue('C')];
  const done = () => service.prisma.statement.count({ where: { status: 'done' } });
  await expect.poll(done).toBeGreaterThan(0);
  await stopOne();
  await expect.poll(done).toBe(3);
  await stopOther();
  await announcer.stop();
  const statements = await service.prisma.statement.findMany({ where: { id: { in: ids } } });
  expect(statements.map((statement) => countsOf(statement).exception)).toEqual([rows, rows, rows]);
  expect(await service.prisma.transfer.count()).toBe(3 * rows);
  expect(errors).toEqual([]);
});
