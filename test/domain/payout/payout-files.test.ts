import { expect, test } from 'vitest';
import type { Refund } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { eraseCustomer } from '../../../src/domain/operations/customer-data/erase-customer.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import { buildExports } from '../../../src/domain/payouts/export/build-exports.ts';
import { type CreateExportInput, createExport } from '../../../src/domain/payouts/export/create-export.ts';
import { openExport } from '../../../src/domain/payouts/export/open-export.ts';
import { pruneExports } from '../../../src/domain/payouts/export/prune-exports.ts';
import { toOwnerCaller } from '../../setup/callers.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { countLockWaits } from '../../setup/concurrently.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { createAndReadExport, readText } from '../../setup/exports.ts';
import { payeeAccount, seedPayableRefund } from '../../setup/payouts.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

/**
 * What a file of refunds to pay holds, and for whom it is: what stands in one that may be with the bank is in no other;
 * what stands in none is in the next.
 */

const service = await setupService(onCleanup);
const payouts = { kind: 'payouts', format: 'csv' } as const;
const dayLater = 25 * 60;
/** Each call a minute after the one before. */
let minutes = 0;
const next = () => minutesAfter(noon, ++minutes);

async function shop() {
  const merchant = await seedMerchant(service);
  const refund = await seedPayableRefund(service, merchant);
  const caller = toOwnerCaller(merchant);
  const ask = async (more: Partial<CreateExportInput> = {}) => {
    const input = { ...payouts, ...more } as CreateExportInput;
    return (await createExport(service, { caller, input, now: next() })).id;
  };
  const make = async () => {
    const now = next();
    await buildExports(service, { clock: { now: () => now } });
  };
  const download = async (id: string) =>
    readText((await openExport(service, { caller, id, now: minutesAfter(noon, minutes) })).bytes);
  return { merchant, refund, ask, make, download };
}

/** Somebody who has nothing to do with the refunds. */
async function eraseSomebody(merchant: NewMerchant): Promise<void> {
  const charge = await seedCharge(service, merchant, { input: { email: 'other@example.com' } });
  await eraseCustomer(service, { id: charge.customerId, now: next() });
}

const exportedAt = async ({ id }: Refund) =>
  (await service.prisma.refund.findUniqueOrThrow({ where: { id } })).payoutExportedAt;
const nothingLeft = { message: expect.stringContaining('not already exported') };

test('as CSV it has where the money goes, with no formula in it', async () => {
  const merchant = await seedMerchant(service);
  const refund = await seedPayableRefund(service, merchant, { details: { holder: '=1+1' } });
  const { text } = await createAndReadExport(service, merchant, payouts);
  const [, line] = text.split('\r\n');
  expect(line).toMatch(new RegExp(`^${refund.payoutReference},20.50,HKD,'=1\\+1,004,123456789,HK,`));
});

test('it is for who may pay, and each that takes it stands in the audit trail', async () => {
  const { merchant } = await shop();
  const caller = { ...toOwnerCaller(merchant), permissions: new Set(['read', 'write', 'refund']) };
  const asked = createExport(service, { caller, input: payouts, now: noon });
  await expect(asked).rejects.toMatchObject({ code: 'permission_denied' });
  const { id } = await createAndReadExport(service, merchant, payouts);
  const entries = await service.prisma.auditEntry.findMany({
    where: { objectId: id },
    orderBy: { id: 'asc' },
  });
  expect(entries).toMatchObject([
    { action: 'export.created', actor: 'user:owner', detail: { kind: 'payouts', format: 'csv' } },
    { action: 'export.downloaded', actor: 'user:owner' },
  ]);
});

test('it holds each refund once, unless it is asked for again', async () => {
  const { merchant, refund, ask } = await shop();
  await createAndReadExport(service, merchant, payouts);
  const after = await service.prisma.refund.findUniqueOrThrow({ where: { id: refund.id } });
  expect(after).toMatchObject({ status: 'processing', payoutExportedAt: noon, version: refund.version });
  await expect(ask()).rejects.toMatchObject(nothingLeft);
  expect(await doneOrCode(ask({ refundIds: [refund.id] }))).toBe('invalid_request');
  const again = await createAndReadExport(service, merchant, { ...payouts, includeExported: true });
  expect(again.text).toContain(refund.payoutReference);
});

test('asked for by many at once, each refund is in one', async () => {
  const { merchant, refund, ask } = await shop();
  const refunds = [refund];
  for (let i = 0; i < 3; i++) refunds.push(await seedPayableRefund(service, merchant));
  const asked = await Promise.all(Array.from({ length: 6 }, () => doneOrCode(ask())));
  expect(asked.toSorted()).toEqual(['done', ...Array(5).fill('invalid_request')]);
  const files = await service.prisma.export.findMany({ where: { merchantId: merchant.merchant.id } });
  expect(files.map(({ options }) => (options as { refundIds: string[] }).refundIds)).toEqual([
    refunds.map(({ id }) => id).sort(),
  ]);
});

test('what was paid meanwhile is left out, and there is none when all was', async () => {
  const { merchant, refund, ask, make, download } = await shop();
  const other = await seedPayableRefund(service, merchant);
  const by = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test', now: noon } as const;
  const first = await ask();
  await completeRefund(service, { ...by, id: refund.id });
  await make();
  expect(await download(first)).toContain(other.payoutReference);
  expect(await download(first)).not.toContain(refund.payoutReference);
  const second = await ask({ includeExported: true });
  await completeRefund(service, { ...by, id: other.id });
  await make();
  const row = await service.prisma.export.findUniqueOrThrow({ where: { id: second } });
  expect(row).toMatchObject({ status: 'failed', errorReason: expect.stringContaining('paid, reopened') });
});

test('reopened before its file was made, a refund is in the next file alone, with its new word', async () => {
  const { merchant, refund, ask, make, download } = await shop();
  const staying = await seedPayableRefund(service, merchant);
  const first = await ask();
  const by = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:ada', now: next() } as const;
  await reopenRefund(service, { ...by, id: refund.id, reason: 'A digit was wrong' });
  const again = await submitRefundDetails(service, { ...by, id: refund.id, details: payeeAccount });
  await make();
  const word = again.refund.payoutReference;
  expect(await download(first)).not.toContain(word);
  expect(await download(first)).toContain(staying.payoutReference);
  const second = await ask();
  await make();
  expect(await download(second)).toContain(word);
  expect(await download(second)).not.toContain(staying.payoutReference);
});

test('asked for once more before the first file was made, a refund is in the later one alone', async () => {
  const { merchant, refund, ask, make, download } = await shop();
  const first = await ask();
  await seedPayableRefund(service, merchant);
  const second = await ask({ includeExported: true });
  await make();
  expect(await service.prisma.export.findUniqueOrThrow({ where: { id: first } })).toMatchObject({
    status: 'failed',
    errorReason: expect.stringContaining('later file'),
  });
  expect(await download(second)).toContain(refund.payoutReference);
  await expect(ask()).rejects.toMatchObject(nothingLeft);
});

test('a customer is erased before the file was made: its refunds are in the next', async () => {
  const { merchant, refund, ask, make, download } = await shop();
  const first = await ask();
  await eraseSomebody(merchant);
  await make();
  await expect(download(first)).rejects.toMatchObject({ code: 'export_not_found' });
  const second = await ask();
  await make();
  expect(await download(second)).toContain(refund.payoutReference);
});

test('a file that nobody downloaded goes with an erasure: its refunds are in the next', async () => {
  const { merchant, refund, ask, make, download } = await shop();
  await ask();
  await make();
  await eraseSomebody(merchant);
  expect(await exportedAt(refund)).toBeNull();
  const second = await ask();
  await make();
  expect(await download(second)).toContain(refund.payoutReference);
});

test('a file that was downloaded goes with an erasure: the bank may have it, so its refunds stay marked', async () => {
  const { merchant, refund, ask, make, download } = await shop();
  const first = await ask();
  await make();
  await download(first);
  await eraseSomebody(merchant);
  expect(await exportedAt(refund)).not.toBeNull();
  await expect(ask()).rejects.toMatchObject(nothingLeft);
  await ask({ includeExported: true });
});

test('after its day a file goes, and its refunds are in the next unless it was downloaded', async () => {
  const [left, taken] = [await shop(), await shop()];
  await left.ask();
  const file = await taken.ask();
  await left.make();
  await taken.download(file);
  await pruneExports(service, { now: minutesAfter(next(), dayLater) });
  expect(await service.prisma.export.count({ where: { id: file } })).toBe(0);
  const second = await left.ask();
  await expect(taken.ask()).rejects.toMatchObject(nothingLeft);
  await left.make();
  expect(await left.download(second)).toContain(left.refund.payoutReference);
});

test('a file that is not made after its day waits, and is made', async () => {
  const { refund, ask, make, download } = await shop();
  const file = await ask();
  await pruneExports(service, { now: minutesAfter(next(), dayLater) });
  await make();
  expect(await download(file)).toContain(refund.payoutReference);
});

test('a second file that nobody downloaded leaves marked what the first holds', async () => {
  const { merchant, refund, ask, make, download } = await shop();
  const first = await ask();
  await make();
  await download(first);
  const fresh = await seedPayableRefund(service, merchant);
  await ask({ includeExported: true });
  await make();
  await eraseSomebody(merchant);
  expect(await exportedAt(refund)).not.toBeNull();
  expect(await exportedAt(fresh)).toBeNull();
});

test('deleted while it is being downloaded, a file counts as downloaded', async () => {
  const { refund, ask, make, download } = await shop();
  const id = await ask();
  await make();
  const client = await service.pool.connect();
  try {
    // The audit trail takes nothing: the download waits before it has said anything.
    await client.query('BEGIN; LOCK TABLE audit_entry IN EXCLUSIVE MODE');
    const downloading = download(id).catch(() => 'the file is gone');
    const waiting = () => countLockWaits(service);
    await expect.poll(waiting).toBe(1);
    const pruning = pruneExports(service, { now: minutesAfter(next(), dayLater) });
    await expect.poll(waiting).toBe(2);
    await client.query('COMMIT');
    await Promise.all([downloading, pruning]);
  } finally {
    client.release(true);
  }
  expect(await exportedAt(refund)).not.toBeNull();
});
