import { expect, test } from 'vitest';
import { getImportCounts } from '../../src/domain/money-in/statement/statement-state.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { queueFile } from '../setup/import-file.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { setupService, withAnnouncer } from '../setup/service.ts';
import { csvMapping } from '../setup/statement-files.ts';
import { waitUntilZero } from '../setup/wait.ts';
import { startServiceWorker } from './test-worker.ts';

const onCleanup = cleanupAfterFile();

/** Statements through whole workers, as a service runs them. */

const rows = 1_000;

test('what is asked for is imported by a worker, and by the next where that stops on the way', async () => {
  const errors: Error[] = [];
  const onError = (error: Error) => void errors.push(error);
  const service = withAnnouncer(onCleanup, await setupService(onCleanup), onError);
  const start = (processName: string) => {
    const config = { connectionString: service.connectionString, processName };
    return startServiceWorker({ config, service, onError });
  };
  const now = new Date();
  const merchant = await seedMerchant(service, {}, now);
  const { receivingAccountId } = await seedCharge(service, merchant, { now });
  const day = now.toISOString().slice(0, 10);
  const mapping = csvMapping({ referenceColumns: ['Text'], bankReferenceColumn: 'Ref' });
  const queue = (name: string) => {
    const lines = Array.from({ length: rows }, (_, n) => `${day},1,unknown,${name}${n}`);
    const content = `Date,Amount,Text,Ref\n${lines.join('\n')}\n`;
    return queueFile(service, merchant, { content, receivingAccountId, mapping, now });
  };
  const { statement } = service.prisma;
  const done = () => statement.count({ where: { status: 'completed' } });
  {
    await using _one = await start('one');
    for (const name of ['A', 'B', 'C']) await queue(name);
    const underWay = () => statement.count({ where: { status: 'running', recordedCount: { gt: 0 } } });
    await expect.poll(underWay, { interval: 5 }).toBeGreaterThan(0);
  }
  expect(await done()).toBeLessThan(3);
  await using _other = await start('other');
  const countMissing = async () => 3 * rows - (await service.prisma.transfer.count());
  await waitUntilZero(countMissing, 'lines not recorded');
  await expect.poll(done).toBe(3);
  const statements = await statement.findMany();
  expect(statements.map((one) => getImportCounts(one).exception)).toEqual([rows, rows, rows]);
  expect(await countMissing()).toBe(0);
  expect(errors).toEqual([]);
});
