import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createBankFeed } from '../../src/domain/money-in/feed/create-bank-feed.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { count } from '../setup/counts.ts';
import { serviceTest as test } from '../setup/fixtures.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { pollDueFeeds, reportInStatement } from '../setup/pull-feeds.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { createServiceEnv } from './create-service-env.ts';
import { runServiceForTest } from './run-service.ts';

const kills = count(2, 20);
const filesPerKill = 15;
const terms = { method: 'viettel-pay', merchantCurrency: 'VND', merchantAmount: 250_000 } as const;

test(`Each file of a folder feed is imported once when its worker is killed during polls ${kills} times`, {
  timeout: 60_000 + kills * 30_000,
}, async ({ service }) => {
  const now = new Date();
  const feedDir = await createTempDir(onTestFinished);
  const merchant = await seedMerchant(service, {}, now);
  const files = kills * filesPerKill;
  const charges = [];
  for (let i = 0; i < files; i++)
    charges.push(
      await seedCharge(service, merchant, { now, input: { ...terms, email: `payer${i}@example.com` } }),
    );
  const { receivingAccountId } = charges[0]!;
  const { account } = await service.prisma.receivingAccount.findUniqueOrThrow({
    where: { id: receivingAccountId },
  });
  const withFolder = { ...service, settings: { ...service.settings, feedDir } };
  const feed = await createBankFeed(withFolder, {
    ...{ merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test', now },
    input: { kind: 'folder', receivingAccounts: [{ receivingAccountId }] },
  });
  const folder = join(feedDir, feed.id);
  await mkdir(folder);
  for (const [i, charge] of charges.entries())
    await writeFile(
      join(folder, `${i}.xml`),
      reportInStatement(charge, { id: `${i}`, account, paidAt: now }),
    );
  // The first poll sees the files, and the next one may take them for complete.
  await pollDueFeeds(withFolder, systemClock);

  const env = { ...createServiceEnv(service.connectionString), ROLE: 'worker', FEED_DIR: feedDir };
  const countFetched = () => service.prisma.feedDelivery.count({ where: { feedId: feed.id } });
  /** As if the leases of the killed worker had expired, and the time of the next poll had come. */
  const expireLeasesOfWorker = async () => {
    const before = new Date(Date.now() - 1);
    await service.prisma.bankFeed.updateMany({ data: { leasedUntil: null, nextPollAt: before } });
    await service.prisma.statement.updateMany({
      where: { status: 'running' },
      data: { leasedUntil: before },
    });
    await service.prisma.feedDelivery.updateMany({
      where: { status: 'received' },
      data: { nextAttemptAt: before },
    });
  };
  for (let kill = 0; kill < kills; kill++) {
    await expireLeasesOfWorker();
    const fetched = await countFetched();
    const worker = runServiceForTest(onTestFinished, env);
    await expect.poll(countFetched, { timeout: 30_000, interval: 2 }).toBeGreaterThan(fetched);
    await worker.end('SIGKILL');
  }
  expect(await countFetched()).toBeLessThan(files);

  await expireLeasesOfWorker();
  runServiceForTest(onTestFinished, env);
  const countCompleted = () => service.prisma.charge.count({ where: { status: 'completed' } });
  await expect.poll(countCompleted, { timeout: 60_000 }).toBe(files);
  expect(await service.prisma.transfer.count()).toBe(files);
  expect(await countFetched()).toBe(files);
  await expectInvariants(service);
});
