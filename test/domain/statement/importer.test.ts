import { setImmediate } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import type { Statement } from '../../../prisma/client/client.ts';
import { type Importer, startImporter } from '../../../src/domain/money-in/statement/start-importer.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import { csvLines, getNonZeroCounts, queueFile } from '../../setup/import-file.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

const timeout = count(90_000, 600_000);

let service: Service;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

const importer = (concurrency?: number): Importer =>
  startImporter(service, {
    clock: { now: () => noon },
    ...(concurrency && { concurrency }),
    onError: (fault) => expect.unreachable(fault.stack),
  });

const statementOf = (id: string) => service.prisma.statement.findUniqueOrThrow({ where: { id } });

/** A file of many lines on an account of its own, which waits. */
async function queueLines(total: number): Promise<Statement> {
  const merchant = await seedMerchant(service);
  const charge = await seedCharge(service, merchant);
  const file = {
    ...csvLines(charge.paymentReference, total),
    receivingAccountId: charge.receivingAccountId,
    now: noon,
  };
  return (await queueFile(service, merchant, file)).statement;
}

test('a file that several importers begin at once is imported by one, whole', { timeout }, async () => {
  for (let round = 0; round < count(3, 50); round += 1) {
    const { id } = await queueLines(300);
    const importers = Array.from({ length: 3 }, () => importer());
    await Promise.all(importers.map((one) => one.startQueued()));
    await expect.poll(async () => (await statementOf(id)).status).toBe('completed');
    await Promise.all(importers.map((one) => one.stop()));
    expect(getNonZeroCounts(await statementOf(id))).toEqual({ matched: 1, exception: 299 });
    expect(await service.prisma.transfer.count({ where: { statementId: id } })).toBe(300);
  }
});

test('an importer that is stopped while it begins gives back what it claimed, for another to begin at once', {
  timeout,
}, async () => {
  const { id } = await queueLines(600);
  const stopped = importer();
  const begun = stopped.startQueued();
  await setImmediate();
  await stopped.stop();
  expect(await statementOf(id)).toMatchObject({ status: 'queued', leasedBy: null });
  await begun;
  const next = importer();
  await next.startQueued();
  await expect.poll(async () => (await statementOf(id)).status).toBe('completed');
  await next.stop();
});

test('an importer that is told twice at once to begin has no more under way than it has places', {
  timeout,
}, async () => {
  const ids = [(await queueLines(600)).id, (await queueLines(600)).id];
  const statuses = async () => (await Promise.all(ids.map(statementOf))).map(({ status }) => status);
  const narrow = importer(1);
  await Promise.all([narrow.startQueued(), narrow.startQueued()]);
  expect((await statuses()).filter((status) => status === 'queued')).toHaveLength(1);
  await expect.poll(statuses).toEqual(['completed', 'completed']);
  await narrow.stop();
});

test('after all of this every promise holds', async () => {
  await expectInvariants(service);
});
