import { mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished } from 'vitest';
import type { BankFeed, Mode } from '../../../prisma/client/client.ts';
import { createBankFeed } from '../../../src/domain/money-in/feed/create-bank-feed.ts';
import { deleteBankFeed } from '../../../src/domain/money-in/feed/delete-bank-feed.ts';
import { markLateFeeds } from '../../../src/domain/money-in/feed/mark-late-feeds.ts';
import { claimPoll, pollBankFeed } from '../../../src/domain/money-in/feed/poll-bank-feed.ts';
import { pruneFeedDeliveries } from '../../../src/domain/money-in/feed/prune-feed-deliveries.ts';
import { reprocessDelivery } from '../../../src/domain/money-in/feed/reprocess-delivery.ts';
import { requestPoll } from '../../../src/domain/money-in/feed/request-poll.ts';
import { simulateFetch } from '../../../src/domain/money-in/feed/simulate-delivery.ts';
import { updateBankFeed } from '../../../src/domain/money-in/feed/update-bank-feed.ts';
import { cancelStatement } from '../../../src/domain/money-in/statement/cancel-statement.ts';
import { confirmStatement } from '../../../src/domain/money-in/statement/confirm-statement.ts';
import { listPendingEntries } from '../../../src/domain/money-in/statement/preview/list-pending-entries.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { openFolder } from '../../../src/feed/pull/open-folder.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../src/kit/duration.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { readDeliveries } from '../../setup/feeds.ts';
import { clockTest } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import {
  finishImports,
  pollDueFeeds,
  pollTwice,
  readFeed,
  reportInStatement,
  vndCharge,
} from '../../setup/pull-feeds.ts';
import { seedReceivingAccount } from '../../setup/receiving-accounts.ts';
import { noon, readChargeStatus, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { createTempDir } from '../../setup/temp-dir.ts';
import { undo } from '../../setup/undo.ts';

const test = clockTest
  .extend('feedDir', { scope: 'file' }, ({ onFileCleanup }) => createTempDir(onFileCleanup))
  .extend('service', { scope: 'file' }, async ({ onFileCleanup, feedDir }) => {
    const service = await setupService(onFileCleanup);
    return { ...service, settings: { ...service.settings, feedDir } };
  })
  .extend('merchant', ({ service }) => seedMerchant(service))
  .extend('charge', ({ service, merchant }) => seedCharge(service, merchant, { input: vndCharge }))
  .extend('account', ({ service, charge }) =>
    service.prisma.receivingAccount.findUniqueOrThrow({ where: { id: charge.receivingAccountId } }),
  )
  .extend('feed', ({ service, merchant, charge }) =>
    createFolderFeed(service, merchant.merchant.id, charge.receivingAccountId),
  )
  .extend('folder', async ({ feedDir, feed }) => {
    const folder = join(feedDir, feed.id);
    await mkdir(folder);
    return folder;
  });

function createFolderFeed(
  service: Service,
  merchantId: string,
  receivingAccountId: string,
  { mode = 'live' as Mode, pull = {} } = {},
) {
  const receivingAccounts = [{ receivingAccountId }];
  return createBankFeed(service, {
    ...{ merchantId, mode, actor: 'user:test', now: noon },
    input: { kind: 'folder', receivingAccounts, pull },
  });
}

const asUser = ({ id, merchantId, mode }: BankFeed, now: Date) => ({
  ...{ id, merchantId, mode, actor: 'user:test', now },
});

const asAuditedUser = ({ merchantId, mode }: BankFeed, now: Date) => ({
  ...{ merchantId, mode, now, audit: { actor: 'user:test', now } },
});

describe('A folder feed', () => {
  test('completes a charge that a statement file reports, once, and leaves the file', async ({
    service,
    clock,
    charge,
    account,
    feed,
    folder,
  }) => {
    await writeFile(
      join(folder, 'a.xml'),
      reportInStatement(charge, { account: account.account, paidAt: noon }),
    );
    await pollDueFeeds(service, clock);
    expect(await readDeliveries(service, feed)).toEqual([]);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'connected', lastPollAt: clock.now() });
    await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readChargeStatus(service, charge)).toBe('completed');
    await pollTwice(service, clock);
    const deliveries = await readDeliveries(service, feed);
    expect(deliveries).toMatchObject([{ status: 'processed', fileName: 'a.xml', ipAddress: null }]);
    expect(deliveries[0]!.statementIds).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['a.xml']);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'connected', lastError: null });
    await expectInvariants(service);
  });

  test('reads a compressed file, and moves it to the archive after the import', async ({
    service,
    clock,
    charge,
    account,
    feed,
    folder,
  }) => {
    await updateBankFeed(service, { ...asUser(feed, noon), input: { pull: { archivesFiles: true } } });
    const statement = reportInStatement(charge, { account: account.account, paidAt: noon });
    await writeFile(join(folder, 'a.xml.gz'), gzipSync(statement));
    await pollTwice(service, clock);
    expect(await readdir(folder)).toEqual(['a.xml.gz']);
    await finishImports(service, clock);
    // A worker that stops moves no more files.
    const onError = (error: Error) => expect.unreachable(error.stack);
    const claim = (await claimPoll(service, clock.now()))!;
    await pollBankFeed(service, claim, { clock, signal: AbortSignal.abort(), onError });
    expect(await readdir(folder)).toEqual(['a.xml.gz']);
    await pollTwice(service, clock);
    expect(await readChargeStatus(service, charge)).toBe('completed');
    expect(await readdir(folder)).toEqual(['archive']);
    expect(await readdir(join(folder, 'archive'))).toEqual(['a.xml.gz']);
    // Another file of the same name keeps both.
    const second = reportInStatement(charge, { account: account.account, paidAt: noon, id: '2' });
    await writeFile(join(folder, 'a.xml.gz'), gzipSync(second));
    await pollTwice(service, clock);
    await finishImports(service, clock);
    await pollTwice(service, clock);
    expect(await readdir(join(folder, 'archive'))).toHaveLength(2);
    expect(await readDeliveries(service, feed)).toHaveLength(2);
  });

  test('waits until a file no longer grows, and ignores unfinished names and other patterns', async ({
    service,
    clock,
    charge,
    account,
    feed,
    folder,
  }) => {
    await updateBankFeed(service, { ...asUser(feed, noon), input: { pull: { patterns: ['CAMT*.XML'] } } });
    const statement = reportInStatement(charge, { account: account.account, paidAt: noon });
    const path = join(folder, 'camt053.xml');
    await writeFile(path, statement.slice(0, 300));
    for (const name of ['other.xml', '.camt053.xml', 'camt.xml.part'])
      await writeFile(join(folder, name), statement);
    await pollDueFeeds(service, clock);
    await writeFile(path, statement.slice(0, 600));
    clock.advance(30 * secondMs);
    expect(await pollDueFeeds(service, clock)).toBe(1);
    await writeFile(path, statement);
    clock.advance(30 * secondMs);
    await pollDueFeeds(service, clock);
    expect(await readDeliveries(service, feed)).toEqual([]);
    await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readDeliveries(service, feed)).toMatchObject([
      { fileName: 'camt053.xml', status: 'processed' },
    ]);
  });

  test('follows no symbolic link, neither as a file nor as its folder', async ({
    service,
    clock,
    charge,
    account,
    feed,
    folder,
    feedDir,
  }) => {
    const statement = reportInStatement(charge, { account: account.account, paidAt: noon });
    const secret = join(feedDir, 'of-another.xml');
    await writeFile(secret, statement);
    await symlink(secret, join(folder, 'a.xml'));
    await pollTwice(service, clock);
    expect(await readDeliveries(service, feed)).toEqual([]);
    await rm(folder, { recursive: true });
    const other = await createTempDir(onTestFinished);
    await writeFile(join(other, 'b.xml'), statement);
    await symlink(other, folder);
    await pollTwice(service, clock);
    expect(await readDeliveries(service, feed)).toEqual([]);
    expect(await readFeed(service, feed)).toMatchObject({
      status: 'failing',
      lastError: /^folder_missing: /,
    });
  });

  test('fails visibly without its folder, is polled less often, and recovers', async ({
    service,
    clock,
    feed,
    feedDir,
  }) => {
    await pollDueFeeds(service, clock);
    const failing = await readFeed(service, feed);
    expect(failing).toMatchObject({ status: 'failing', consecutiveFailures: 1 });
    expect(failing.nextPollAt).toEqual(new Date(noon.getTime() + minuteMs));
    const alerts = await service.prisma.alert.findMany({ where: { bankFeedId: feed.id } });
    expect(alerts).toMatchObject([
      { kind: 'feed_failing', detail: /^folder_missing: the operator must create/ },
    ]);
    for (let i = 0; i < 8; i++) {
      clock.advance(hourMs);
      await pollDueFeeds(service, clock);
    }
    const { nextPollAt } = await readFeed(service, feed);
    expect(nextPollAt!.getTime() - clock.now().getTime()).toBe(hourMs);
    await mkdir(join(feedDir, feed.id));
    await requestPoll(service, asUser(feed, clock.now()));
    await pollDueFeeds(service, clock);
    expect(await readFeed(service, feed)).toMatchObject({
      status: 'connected',
      consecutiveFailures: 0,
      lastError: null,
    });
  });

  test('fails visibly if its folder or a file cannot be read', async ({ feedDir }) => {
    await mkdir(join(feedDir, 'removed'));
    const source = await openFolder(feedDir, 'removed');
    await rm(join(feedDir, 'removed'), { recursive: true });
    await expect(source.list()).rejects.toMatchObject({
      name: 'PullError',
      reason: 'folder_missing',
      message: 'the service cannot read the folder removed in FEED_DIR: ENOENT',
    });
    // Linux returns EIO for the first bytes of this file.
    const file = { name: 'mem', size: 1, modifiedAt: noon };
    const processFiles = await openFolder('/proc', String(process.pid));
    await expect(Array.fromAsync(processFiles.read(file))).rejects.toMatchObject({
      name: 'PullError',
      reason: 'connection_failed',
      message: 'mem cannot be read: EIO',
    });
  });

  test('shows a file that cannot be imported, and imports it when it is fetched again', async ({
    service,
    clock,
    charge,
    account,
    feed,
    folder,
  }) => {
    const path = join(folder, 'a.xml');
    await writeFile(path, reportInStatement(charge, { account: '99999999999', paidAt: noon }));
    await writeFile(join(folder, 'b.xml'), '<Document><unclosed>');
    await pollTwice(service, clock);
    await finishImports(service, clock);
    const [first, second] = await readDeliveries(service, feed);
    expect(first).toMatchObject({ status: 'failed', reason: 'unknown_account', detail: '99999999999' });
    expect(second).toMatchObject({ status: 'failed', reason: 'file_unreadable' });
    expect(await readFeed(service, feed)).toMatchObject({ status: 'failing' });
    // Successful polls do not hide that a file failed.
    await pollTwice(service, clock);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'failing' });
    await updateBankFeed(service, {
      ...asUser(feed, clock.now()),
      input: { receivingAccounts: [{ receivingAccountId: account.id, bankAccount: '99999999999' }] },
    });
    await reprocessDelivery(service, { ...asUser(feed, clock.now()), id: first!.id });
    await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readChargeStatus(service, charge)).toBe('completed');
    expect(await readDeliveries(service, feed)).toMatchObject([
      { status: 'ignored', reason: 'fetched_again' },
      { status: 'failed' },
      { status: 'processed' },
    ]);
    await expectInvariants(service);
  });

  test('alerts the merchant once about a file that does not add up, until its import is confirmed or cancelled', async ({
    service,
    clock,
    charge,
    account,
    feed,
    folder,
  }) => {
    const balance = (type: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="VND">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-17</Dt></Dt></Bal>`;
    const report = reportInStatement(charge, { account: account.account, paidAt: noon });
    const wrong = report.replace('<Ntry>', `${balance('OPBD')}${balance('CLBD')}<Ntry>`);
    await writeFile(join(folder, 'a.xml'), wrong);
    await writeFile(join(folder, 'b.xml'), `${wrong}\n`);
    await pollTwice(service, clock);
    await finishImports(service, clock);
    await finishImports(service, clock);
    const waiting = { status: 'received', reason: 'confirmation_needed' };
    const deliveries = await readDeliveries(service, feed);
    expect(deliveries).toMatchObject([waiting, waiting]);
    expect(await readChargeStatus(service, charge)).toBe('pending');
    expect(await readFeed(service, feed)).toMatchObject({
      status: 'failing',
      consecutiveFailures: 2,
      lastError: 'confirmation_needed: b.xml',
    });
    const [first, second] = deliveries.map(({ statementIds }) => statementIds[0]!);
    await confirmStatement(service, { ...asAuditedUser(feed, clock.now()), id: first! });
    await cancelStatement(service, { ...asAuditedUser(feed, clock.now()), id: second! });
    await finishImports(service, clock);
    expect(await readDeliveries(service, feed)).toMatchObject([
      { status: 'processed', reason: null },
      { status: 'ignored', reason: 'import_cancelled' },
    ]);
    expect(await readChargeStatus(service, charge)).toBe('completed');
    expect(await readFeed(service, feed)).toMatchObject({ status: 'connected' });
    const alerts = await service.prisma.alert.findMany({ where: { bankFeedId: feed.id } });
    expect(alerts).toMatchObject([{ kind: 'feed_failing' }]);
    await expectInvariants(service);
  });

  test('imports the accounts of one file into the accounts of the feed, and ignores others', async ({
    service,
    clock,
    charge,
    account,
    feed,
    folder,
  }) => {
    const receivingAccounts = [{ receivingAccountId: account.id, bankAccount: '0123499999' }];
    await updateBankFeed(service, { ...asUser(feed, noon), input: { receivingAccounts } });
    const own = reportInStatement(charge, { account: '0123499999', paidAt: noon });
    const foreign = reportInStatement(charge, { account: '0987654321', paidAt: noon, id: '7' });
    const statements = [own, foreign].map((text) => /<Stmt>.*<\/Stmt>/s.exec(text)![0]);
    await writeFile(join(folder, 'a.xml'), own.replace(/<Stmt>.*<\/Stmt>/s, statements.join('')));
    await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readDeliveries(service, feed)).toMatchObject([{ status: 'processed' }]);
    expect(await readChargeStatus(service, charge)).toBe('completed');
    expect(await service.prisma.transfer.count({ where: { merchantId: feed.merchantId } })).toBe(1);
  });

  test('fails with the names if several accounts of a file may be an account of the feed', async ({
    service,
    clock,
    merchant,
    charge,
    account,
    feed,
    folder,
  }) => {
    const other = await seedReceivingAccount(service, merchant);
    const receivingAccounts = [
      { receivingAccountId: account.id, bankAccount: '0123499999' },
      { receivingAccountId: other.id, bankAccount: '5550001111' },
    ];
    await updateBankFeed(service, { ...asUser(feed, noon), input: { receivingAccounts } });
    const reports = ['970123499999', '880123499999', '5550001111'].map((number, index) =>
      reportInStatement(charge, { account: number, paidAt: noon, id: String(index) }),
    );
    const [first] = reports as [string];
    const statements = reports.map((text) => /<Stmt>.*<\/Stmt>/s.exec(text)![0]);
    await writeFile(join(folder, 'a.xml'), first.replace(/<Stmt>.*<\/Stmt>/s, statements.join('')));
    await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readDeliveries(service, feed)).toMatchObject([
      { status: 'failed', reason: 'unknown_account', detail: '970123499999, 880123499999' },
    ]);
  });

  test('is polled by one worker at a time, and again after the worker was killed', async ({
    service,
    clock,
    charge,
    account,
    feed,
    folder,
  }) => {
    await writeFile(
      join(folder, 'a.xml'),
      reportInStatement(charge, { account: account.account, paidAt: noon }),
    );
    await pollDueFeeds(service, clock);
    clock.advance(5 * minuteMs);
    const claims = await Promise.all([1, 2, 3].map(() => claimPoll(service, clock.now())));
    expect(claims.filter(Boolean)).toMatchObject([{ feedId: feed.id }]);
    // The worker with the lease does nothing more.
    clock.advance(59 * secondMs);
    expect(await pollDueFeeds(service, clock)).toBe(0);
    clock.advance(2 * secondMs);
    expect(await pollDueFeeds(service, clock)).toBe(1);
    await finishImports(service, clock);
    expect(await readChargeStatus(service, charge)).toBe('completed');
  });

  test('is left to another worker when its worker stops, and polled once more after a request during a poll', async ({
    service,
    clock,
    feed,
    folder,
  }) => {
    await writeFile(join(folder, 'a.xml'), 'x');
    const claim = (await claimPoll(service, clock.now()))!;
    const onError = (error: Error) => expect.unreachable(error.stack);
    await pollBankFeed(service, claim, { clock, signal: AbortSignal.abort(), onError });
    expect(await readFeed(service, feed)).toMatchObject({
      leasedUntil: null,
      nextPollAt: noon,
      lastPollAt: null,
    });
    const next = (await claimPoll(service, clock.now()))!;
    clock.advance(secondMs);
    await requestPoll(service, asUser(feed, clock.now()));
    await pollBankFeed(service, next, { clock, signal: new AbortController().signal, onError });
    expect((await readFeed(service, feed)).nextPollAt).toEqual(clock.now());
  });

  test('is late if polls succeed but no file comes, until one does', async ({
    service,
    clock,
    charge,
    account,
    feed,
    folder,
  }) => {
    await updateBankFeed(service, { ...asUser(feed, noon), input: { silenceMinutes: 180 } });
    await pollTwice(service, clock);
    expect(await markLateFeeds(service, { now: clock.now() })).toBe(0);
    await pollTwice(service, clock);
    expect(await markLateFeeds(service, { now: clock.now() })).toBe(1);
    await pollTwice(service, clock);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'late' });
    await writeFile(
      join(folder, 'a.xml'),
      reportInStatement(charge, { account: account.account, paidAt: noon }),
    );
    await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'connected', lateSince: null });
  });

  test('imports a file again after a change, without recording a transfer twice', async ({
    service,
    clock,
    charge,
    account,
    feed,
    folder,
  }) => {
    const path = join(folder, 'a.xml');
    await writeFile(path, reportInStatement(charge, { account: account.account, paidAt: noon }));
    await pollTwice(service, clock);
    await finishImports(service, clock);
    await utimes(path, noon, new Date(noon.getTime() + 1234));
    await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readDeliveries(service, feed)).toMatchObject([
      { status: 'processed' },
      { status: 'processed' },
    ]);
    expect(await service.prisma.transfer.count({ where: { merchantId: feed.merchantId } })).toBe(1);
    await expectInvariants(service);
  });

  test('fetches no file again after 90 days, even if its import was undone', async ({
    service,
    clock,
    merchant,
    charge,
    account,
    feed,
    folder,
  }) => {
    const path = join(folder, 'a.xml');
    await writeFile(path, reportInStatement(charge, { account: account.account, paidAt: noon }));
    for (const modifiedAt of [noon, new Date(noon.getTime() + 1234)]) {
      await utimes(path, noon, modifiedAt);
      await pollTwice(service, clock);
      await finishImports(service, clock);
    }
    const [, latest] = await readDeliveries(service, feed);
    await undo(service, merchant, { id: latest!.statementIds[0]! });
    clock.advance(91 * dayMs);
    await pruneFeedDeliveries(service, { now: clock.now() });
    await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readDeliveries(service, feed)).toMatchObject([{ id: latest!.id }]);
    const { merchantId } = feed;
    expect(await service.prisma.transfer.count({ where: { merchantId, undoneAt: null } })).toBe(0);
    await deleteBankFeed(service, asUser(feed, clock.now()));
    await pruneFeedDeliveries(service, { now: clock.now() });
    expect(await readDeliveries(service, feed)).toEqual([]);
  });

  test.for(['BOOK', 'PDNG'])(
    'shows an entry of an interim report with the status %s as pending, and counts its booking once',
    async (status, { service, clock, charge, account, feed, folder }) => {
      const booked = reportInStatement(charge, { account: account.account, paidAt: noon });
      // The same entry during the day, in a camt.052 report.
      const provisional = booked
        .replaceAll('camt.053', 'camt.052')
        .replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt')
        .replaceAll('Stmt>', 'Rpt>')
        .replaceAll('BOOK', status);
      await writeFile(join(folder, 'intraday.xml'), provisional);
      await pollTwice(service, clock);
      await finishImports(service, clock);
      expect(await readChargeStatus(service, charge)).toBe('pending');
      const [delivery] = await readDeliveries(service, feed);
      expect(delivery).toMatchObject({ fileName: 'intraday.xml', status: 'processed' });
      const report = await service.prisma.statement.findUniqueOrThrow({
        where: { id: delivery!.statementIds[0]! },
        include: { receivingAccount: true },
      });
      expect(report.resultCounts).toMatchObject({ ignored: 1, matched: 0 });
      expect(await listPendingEntries(service, report)).toMatchObject([
        { entry: { amount: { minor: charge.customerAmount } }, transferId: undefined },
      ]);
      await writeFile(join(folder, 'statement.xml'), booked);
      await pollTwice(service, clock);
      await finishImports(service, clock);
      expect(await readChargeStatus(service, charge)).toBe('completed');
      const transfer = await service.prisma.transfer.findFirstOrThrow({
        where: { receivingAccountId: charge.receivingAccountId },
      });
      expect(await listPendingEntries(service, report)).toMatchObject([{ transferId: transfer.id }]);
      // The report of a day that is over changes nothing.
      await writeFile(join(folder, 'again.xml'), `${provisional}\n`);
      await pollTwice(service, clock);
      await finishImports(service, clock);
      const { receivingAccountId } = charge;
      expect(
        await service.prisma.transfer.count({ where: { receivingAccountId, allocated: { gt: 0 } } }),
      ).toBe(1);
      const { amountReceived } = await service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
      expect(amountReceived).toBe(charge.customerAmount);
      await expectInvariants(service);
    },
  );

  test('of the sandbox receives a simulated file that pays a charge', async ({
    service,
    clock,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant, { mode: 'sandbox', input: vndCharge });
    const { receivingAccountId } = charge;
    const options = { mode: 'sandbox' } as const;
    const feed = await createFolderFeed(service, merchant.merchant.id, receivingAccountId, options);
    const delivery = await simulateFetch(service, { feedId: feed.id, chargeId: charge.id, clock });
    expect(delivery).toMatchObject({ status: 'received', feedId: feed.id });
    await finishImports(service, clock);
    expect(await readChargeStatus(service, charge)).toBe('completed');
    expect(await readDeliveries(service, feed)).toMatchObject([{ status: 'processed' }]);
    await updateBankFeed(service, { ...asUser(feed, noon), input: { isPaused: true } });
  });

  test('is rejected if the operator has not set a folder, and cannot be polled while it is paused', async ({
    service,
    charge,
    merchant,
    feed,
  }) => {
    const withoutFolder = { ...service, settings: { ...service.settings, feedDir: undefined } };
    const creating = createFolderFeed(withoutFolder, merchant.merchant.id, charge.receivingAccountId);
    expect(await doneOrCode(creating)).toBe('invalid_request');
    const nested = createFolderFeed(service, merchant.merchant.id, charge.receivingAccountId, {
      pull: { patterns: ['../*'] },
    });
    expect(await doneOrCode(nested)).toBe('invalid_request');
    await updateBankFeed(service, { ...asUser(feed, noon), input: { isPaused: true } });
    expect(await claimPoll(service, new Date(noon.getTime() + hourMs))).toBeUndefined();
    expect(await doneOrCode(requestPoll(service, asUser(feed, noon)))).toBe('bank_feed_not_pollable');
  });
});
