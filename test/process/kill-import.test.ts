import { expect, onTestFinished, test } from 'vitest';
import { getImportCounts } from '../../src/domain/money-in/statement/statement-state.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { queueFile } from '../setup/import-file.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';
import { csvMapping } from '../setup/statement-files.ts';
import { onDatabase } from './on-database.ts';
import { runServiceForTest } from './run-service.ts';

const onCleanup = cleanupAfterFile();

const rows = count(1_500, 100_000);

test('a worker killed in the midst of an import leaves it to the next, which counts every line once', {
  timeout: count(120_000, 900_000),
}, async () => {
  const service = await setupService(onCleanup);
  const now = new Date();
  const merchant = await seedMerchant(service, {}, now);
  const [first, last] = [
    await seedCharge(service, merchant, { now }),
    await seedCharge(service, merchant, { now, input: { email: 'bob@example.com' } }),
  ];
  const day = now.toISOString().slice(0, 10);
  const lines = Array.from({ length: rows }, (_, n) => {
    if (n === 0) return `${day},128.50,${first.paymentReference}`;
    return n === rows - 1 ? `${day},128.50,${last.paymentReference}` : `${day},1,hello`;
  });
  const { statement } = await queueFile(service, merchant, {
    content: `Date,Amount,Text\n${lines.join('\n')}\n`,
    receivingAccountId: first.receivingAccountId,
    mapping: csvMapping({ referenceColumns: ['Text'] }),
    now,
  });
  const read = () => service.prisma.statement.findUniqueOrThrow({ where: { id: statement.id } });
  const startWorker = () =>
    runServiceForTest(onTestFinished, { ...onDatabase(service.connectionString), ROLE: 'worker' });

  const doomed = startWorker();
  await expect
    .poll(async () => (await read()).recordedCount, { timeout: 60_000, interval: 5 })
    .toBeGreaterThan(0);
  await doomed.end('SIGKILL');
  const left = await read();
  expect(left).toMatchObject({ status: 'running', entryCount: rows });
  expect(left.recordedCount).toBeLessThan(rows);
  const recorded = () => service.prisma.transfer.count({ where: { statementId: statement.id } });
  expect(await recorded()).toBe(left.recordedCount);

  // Half a minute passes.
  await service.prisma.statement.update({ where: { id: statement.id }, data: { leasedUntil: now } });
  startWorker();
  await expect.poll(async () => (await read()).status, { timeout: count(60_000, 600_000) }).toBe('completed');
  expect(getImportCounts(await read())).toMatchObject({ matched: 2, exception: rows - 2, duplicate: 0 });
  expect(await recorded()).toBe(rows);
  await expectInvariants(service);
});
