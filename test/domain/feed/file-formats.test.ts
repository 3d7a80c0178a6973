import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { createBankFeed } from '../../../src/domain/money-in/feed/create-bank-feed.ts';
import { storeStatementMapping } from '../../../src/domain/money-in/statement/statement-mapping.ts';
import { readDeliveries } from '../../setup/feeds.ts';
import { clockTest } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { finishImports, pollTwice } from '../../setup/pull-feeds.ts';
import { seedReceivingAccount } from '../../setup/receiving-accounts.ts';
import { noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { booking, camtXml, csvMapping, mt940Text } from '../../setup/statement-files.ts';
import { createTempDir } from '../../setup/temp-dir.ts';
import { zip, zipFile } from '../../setup/zip-files.ts';

const test = clockTest
  .extend('feedDir', { scope: 'file' }, ({ onFileCleanup }) => createTempDir(onFileCleanup))
  .extend('service', { scope: 'file' }, async ({ onFileCleanup, feedDir }) => {
    const service = await setupService(onFileCleanup);
    return { ...service, settings: { ...service.settings, feedDir } };
  })
  .extend('merchant', ({ service }) => seedMerchant(service));

const account = '012-345678';
const toCamt = (text: string, message: '052' | '053' | '054') =>
  camtXml(booking({ text }), { message }).replace(
    '<IBAN>HK00 1234 5678</IBAN>',
    `<Othr><Id>${account}</Id></Othr>`,
  );
const toMt940 = (text: string) =>
  mt940Text(`:61:2611171117C128,50NTRFNONREF//R1\n:86:${text}`, { account }).replace(
    'C261120HKD100,',
    'C261120HKD128,50',
  );
const toMt942 = (text: string) =>
  [
    ':20:S1',
    `:25:${account}`,
    ':28C:1/1',
    ':34F:HKD0,',
    ':13D:2611171200+0800',
    `:61:2611171117C128,50NTRFNONREF//R1\n:86:${text}`,
    ':90C:1HKD128,50',
    '-',
    '',
  ].join('\n');
const toCsv = (text: string) => `Date,Amount,Text\n2026-11-17,128.50,${text}\n`;

/** A file that reports HKD 128.50 with the text of the payer. */
const files: Record<string, (text: string) => string | Buffer> = {
  'camt053.xml': (text) => toCamt(text, '053'),
  'camt054.xml': (text) => toCamt(text, '054'),
  'MT940.txt': toMt940,
  'export.csv': toCsv,
  'export.csv.gz': (text) => gzipSync(toCsv(text)),
  'statements.zip': (text) => zip(zipFile('statement.xml', toCamt(text, '053'))),
  'tables.zip': (text) => zip(zipFile('export.csv', toCsv(text))),
};

/** Interim reports, whose entries are provisional. */
const interimFiles: Record<string, (text: string) => string> = {
  'camt052.xml': (text) => toCamt(text, '052'),
  'MT942.txt': toMt942,
};

test.for(Object.keys({ ...files, ...interimFiles }))(
  'A folder feed reads %s, and only booked entries complete a charge',
  async (name, { service, clock, merchant, feedDir }) => {
    const charge = await seedCharge(service, merchant);
    const { receivingAccountId } = charge;
    const own = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test', now: noon } as const;
    const feed = await createBankFeed(service, {
      ...own,
      input: { kind: 'folder', receivingAccounts: [{ receivingAccountId, bankAccount: account }] },
    });
    const mapping = csvMapping({ referenceColumns: ['Text'] });
    await storeStatementMapping(service.prisma, {
      receivingAccountId,
      mapping,
      actor: 'user:test',
      now: noon,
    });
    const isInterim = name in interimFiles;
    const create = (isInterim ? interimFiles : files)[name]!;
    const folder = join(feedDir, feed.id);
    await mkdir(folder);
    const fetch = async (fileName: string, content: string | Buffer) => {
      await writeFile(join(folder, fileName), content);
      await pollTwice(service, clock);
      await finishImports(service, clock);
    };
    const readCharge = () => service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
    await fetch(name, create(charge.paymentReference));
    const [delivery] = await readDeliveries(service, feed);
    expect(delivery).toMatchObject({ status: 'processed', reason: null, fileName: name });
    const { resultCounts } = await service.prisma.statement.findFirstOrThrow({
      where: { receivingAccountId },
    });
    expect(resultCounts).toMatchObject(isInterim ? { ignored: 1, matched: 0 } : { ignored: 0, matched: 1 });
    expect((await readCharge()).status).toBe(isInterim ? 'pending' : 'completed');
    await fetch('end-of-day.xml', toCamt(charge.paymentReference, '053'));
    expect(await readCharge()).toMatchObject({ status: 'completed', amountReceived: charge.customerAmount });
    await service.prisma.bankFeed.update({ where: { id: feed.id }, data: { status: 'paused' } });
    await expectInvariants(service);
  },
);

test('A table whose columns are not known is shown as failed', async ({
  service,
  clock,
  merchant,
  feedDir,
}) => {
  const charge = await seedCharge(service, merchant);
  const { receivingAccountId } = charge;
  const feed = await createBankFeed(service, {
    ...{ merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test', now: noon },
    input: { kind: 'folder', receivingAccounts: [{ receivingAccountId }] },
  });
  const folder = join(feedDir, feed.id);
  await mkdir(folder);
  await writeFile(join(folder, 'export.csv'), toCsv(charge.paymentReference));
  await pollTwice(service, clock);
  expect(await readDeliveries(service, feed)).toMatchObject([
    { status: 'failed', reason: 'mapping_missing' },
  ]);
});

test('A table is imported into the account of the feed that it names above its header', async ({
  service,
  clock,
  merchant,
  feedDir,
}) => {
  const first = await seedCharge(service, merchant);
  const own = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test', now: noon } as const;
  const second = await seedReceivingAccount(service, merchant);
  const receivingAccounts = [
    { receivingAccountId: first.receivingAccountId, bankAccount: account },
    { receivingAccountId: second.id, bankAccount: '888-222222' },
  ];
  const mapping = csvMapping({ skipLines: 1 });
  for (const { receivingAccountId } of receivingAccounts)
    await storeStatementMapping(service.prisma, { ...own, receivingAccountId, mapping });
  const feed = await createBankFeed(service, { ...own, input: { kind: 'folder', receivingAccounts } });
  const folder = join(feedDir, feed.id);
  await mkdir(folder);
  await writeFile(join(folder, 'a.csv'), `Account Number:,****2222\n${toCsv('rent')}`);
  await writeFile(join(folder, 'b.csv'), `Account Number:,999-333333\n${toCsv('rent')}`);
  await pollTwice(service, clock);
  await finishImports(service, clock);
  expect(await readDeliveries(service, feed)).toMatchObject([
    { fileName: 'a.csv', status: 'processed' },
    { fileName: 'b.csv', status: 'failed', reason: 'unknown_account', detail: '999-333333' },
  ]);
  const transfers = await service.prisma.transfer.findMany({ where: { merchantId: own.merchantId } });
  expect(transfers).toMatchObject([{ receivingAccountId: second.id }]);
});
