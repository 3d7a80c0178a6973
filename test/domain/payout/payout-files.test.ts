import { describe, expect } from 'vitest';
import type { Refund } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { eraseCustomer } from '../../../src/domain/operations/customer-data/erase-customer.ts';
import { cancelRefund } from '../../../src/domain/payments/refund/cancel-refund.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import { buildExports } from '../../../src/domain/payouts/export/build-exports.ts';
import { type CreateExportInput, createExport } from '../../../src/domain/payouts/export/create-export.ts';
import { pruneExports } from '../../../src/domain/payouts/export/delete-exports.ts';
import { openExport } from '../../../src/domain/payouts/export/open-export.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toOwnerCaller } from '../../setup/callers.ts';
import { countLockWaits } from '../../setup/concurrently.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { createAndReadExport, readText } from '../../setup/exports.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { checkPain001 } from '../../setup/pain-001.ts';
import { payeeAccount, seedPayableRefund } from '../../setup/payouts.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { reverseOne, transferInput } from '../../setup/transfers.ts';

/** A refund is in one file that the bank may have, or in the next file. */

const payouts = { kind: 'payouts', format: 'csv' } as const;
const dayLater = 25 * 60;

async function seedShop(service: Service) {
  // Each call is a minute after the one before.
  let minutes = 0;
  const next = () => minutesAfter(noon, ++minutes);
  const merchant = await seedMerchant(service);
  const refund = await seedPayableRefund(service, merchant);
  const caller = toOwnerCaller(merchant);
  const createFile = async (options: Partial<CreateExportInput> = {}) => {
    const input = { ...payouts, ...options } as CreateExportInput;
    return (await createExport(service, { caller, input, now: next() })).id;
  };
  const buildFiles = async () => {
    const now = next();
    await buildExports(service, { clock: { now: () => now } });
  };
  const download = async (id: string) =>
    readText((await openExport(service, { caller, id, now: minutesAfter(noon, minutes) })).bytes);
  return { merchant, refund, createFile, buildFiles, download, next };
}

/** Erases a customer without refunds. */
async function eraseOtherCustomer(service: Service, merchant: NewMerchant, now: Date): Promise<void> {
  const charge = await seedCharge(service, merchant, { input: { email: 'other@example.com' } });
  await eraseCustomer(service, { id: charge.customerId, now });
}

const readExportedAt = async (service: Service, { id }: Refund) =>
  (await service.prisma.refund.findUniqueOrThrow({ where: { id } })).payoutExportedAt;
const nothingToExport = { message: expect.stringContaining('only refunds that have already been exported') };

describe('Payout file', () => {
  test('has payout details and no formulas as CSV', async ({ service, merchant }) => {
    const refund = await seedPayableRefund(service, merchant, { details: { holder: '=1+1' } });
    const { text } = await createAndReadExport(service, merchant, payouts);
    const [, line] = text.split('\r\n');
    expect(line).toMatch(new RegExp(`^${refund.payoutReference},20.50,HKD,'=1\\+1,004,123456789,HK,`));
  });

  test('requires the permission to pay, and each download is in the audit trail', async ({ service }) => {
    const { merchant } = await seedShop(service);
    const caller = { ...toOwnerCaller(merchant), permissions: new Set(['read', 'write', 'refund']) };
    const creation = createExport(service, { caller, input: payouts, now: noon });
    await expect(creation).rejects.toMatchObject({ code: 'permission_denied' });
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

  test('has each refund once, unless exported refunds are included', async ({ service }) => {
    const { merchant, refund, createFile } = await seedShop(service);
    await createAndReadExport(service, merchant, payouts);
    const after = await service.prisma.refund.findUniqueOrThrow({ where: { id: refund.id } });
    expect(after).toMatchObject({ status: 'processing', payoutExportedAt: noon, version: refund.version });
    await expect(createFile()).rejects.toMatchObject(nothingToExport);
    expect(await doneOrCode(createFile({ refundIds: [refund.id] }))).toBe('invalid_request');
    await expect(createFile({ refundIds: ['re_none'] })).rejects.toMatchObject({
      message: expect.stringContaining('matches no refunds that are ready to be paid'),
    });
    const repeated = await createAndReadExport(service, merchant, { ...payouts, includeExported: true });
    expect(repeated.text).toContain(refund.payoutReference);
  });

  test('has each refund once when several files are requested concurrently', async ({ service }) => {
    const { merchant, refund, createFile } = await seedShop(service);
    const refunds = [refund];
    for (let i = 0; i < 3; i++) refunds.push(await seedPayableRefund(service, merchant));
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => doneOrCode(createFile())));
    expect(outcomes.toSorted()).toEqual(['done', ...Array(5).fill('invalid_request')]);
    const files = await service.prisma.export.findMany({ where: { merchantId: merchant.merchant.id } });
    expect(files.map(({ options }) => (options as { refundIds: string[] }).refundIds)).toEqual([
      refunds.map(({ id }) => id).sort(),
    ]);
  });

  test('omits refunds that were paid since, and fails when all were', async ({ service }) => {
    const { merchant, refund, createFile, buildFiles, download } = await seedShop(service);
    const other = await seedPayableRefund(service, merchant);
    const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test', now: noon } as const;
    const first = await createFile();
    await completeRefund(service, { ...owner, id: refund.id });
    await buildFiles();
    expect(await download(first)).toContain(other.payoutReference);
    expect(await download(first)).not.toContain(refund.payoutReference);
    const second = await createFile({ includeExported: true });
    await completeRefund(service, { ...owner, id: other.id });
    await buildFiles();
    const row = await service.prisma.export.findUniqueOrThrow({ where: { id: second } });
    expect(row).toMatchObject({ status: 'failed', failureReason: expect.stringContaining('paid, reopened') });
  });

  test('fails after an internal error, and its refunds can be exported again', async ({ service }) => {
    const { refund, createFile, buildFiles } = await seedShop(service);
    const { detailsEncrypted } = refund;
    const damaged = `${detailsEncrypted!.slice(0, -8)}AAAAAAAA`;
    const write = (text: string | null) =>
      service.prisma.refund.update({ where: { id: refund.id }, data: { detailsEncrypted: text } });
    await write(damaged);
    const id = await createFile();
    await expect(buildFiles()).rejects.toThrow();
    const row = await service.prisma.export.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ status: 'failed', failureReason: expect.stringContaining('internal error') });
    expect(await readExportedAt(service, refund)).toBeNull();
    await write(detailsEncrypted);
    await createFile();
    await buildFiles();
    expect(await readExportedAt(service, refund)).not.toBeNull();
  });

  test('keeps its refunds from being cancelled until it is deleted without a download, or they are reopened', async ({
    service,
  }) => {
    const { merchant, refund, createFile, buildFiles, download, next } = await seedShop(service);
    const other = await seedPayableRefund(service, merchant);
    const cancel = ({ id }: Refund) =>
      cancelRefund(service, {
        ...{ merchantId: merchant.merchant.id, mode: 'live', actor: 'user:ada' },
        ...{ id, now: next() },
      });
    await createFile({ refundIds: [refund.id] });
    const downloaded = await createFile({ refundIds: [other.id] });
    const inFile = {
      code: 'refund_not_initiated',
      message: expect.stringContaining('a payment file contains'),
    };
    await expect(cancel(refund)).rejects.toMatchObject(inFile);
    await buildFiles();
    await download(downloaded);
    await pruneExports(service, { now: minutesAfter(noon, dayLater) });
    expect((await cancel(refund)).refund.status).toBe('cancelled');
    await expect(cancel(other)).rejects.toMatchObject(inFile);
    const reopening = {
      merchantId: merchant.merchant.id,
      mode: 'live',
      actor: 'user:ada',
      now: next(),
    } as const;
    await reopenRefund(service, { ...reopening, id: other.id, reason: 'The file was not sent' });
    expect((await cancel(other)).refund.status).toBe('cancelled');
  });

  test('never releases a refund that its charge no longer covers into the next file', async ({ service }) => {
    const { merchant, refund, createFile, buildFiles, next } = await seedShop(service);
    const charge = await service.prisma.charge.findUniqueOrThrow({ where: { id: refund.chargeId } });
    await createFile();
    await buildFiles();
    const { receivingAccountId, customerAmount: minor, paymentReference: reference } = charge;
    const input = transferInput({ money: { minor, currency: 'HKD' }, reference });
    await reverseOne(service, merchant, { receivingAccountId, input });
    await pruneExports(service, { now: minutesAfter(next(), dayLater) });
    expect(await readExportedAt(service, refund)).not.toBeNull();
    await expect(createFile()).rejects.toMatchObject(nothingToExport);
  });

  test('omits a refund that was reopened before it was built; the next file has it with its new reference', async ({
    service,
  }) => {
    const { merchant, refund, createFile, buildFiles, download, next } = await seedShop(service);
    const unchanged = await seedPayableRefund(service, merchant);
    const first = await createFile();
    const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:ada', now: next() } as const;
    await reopenRefund(service, { ...owner, id: refund.id, reason: 'A digit was wrong' });
    const resubmitted = await submitRefundDetails(service, {
      ...owner,
      id: refund.id,
      details: payeeAccount,
    });
    await buildFiles();
    const reference = resubmitted.refund.payoutReference;
    expect(await download(first)).not.toContain(reference);
    expect(await download(first)).toContain(unchanged.payoutReference);
    const second = await createFile();
    await buildFiles();
    expect(await download(second)).toContain(reference);
    expect(await download(second)).not.toContain(unchanged.payoutReference);
  });

  test('omits a refund that a later file includes before the first one was built', async ({ service }) => {
    const { merchant, refund, createFile, buildFiles, download } = await seedShop(service);
    const first = await createFile();
    await seedPayableRefund(service, merchant);
    const second = await createFile({ includeExported: true });
    await buildFiles();
    expect(await service.prisma.export.findUniqueOrThrow({ where: { id: first } })).toMatchObject({
      status: 'failed',
      failureReason: expect.stringContaining('later file'),
    });
    expect(await download(second)).toContain(refund.payoutReference);
    await expect(createFile()).rejects.toMatchObject(nothingToExport);
  });

  test('is removed by an erasure before it is built; its refunds are in the next file', async ({
    service,
  }) => {
    const { merchant, refund, createFile, buildFiles, download, next } = await seedShop(service);
    const first = await createFile();
    await eraseOtherCustomer(service, merchant, next());
    await buildFiles();
    await expect(download(first)).rejects.toMatchObject({ code: 'export_not_found' });
    const second = await createFile();
    await buildFiles();
    expect(await download(second)).toContain(refund.payoutReference);
  });

  test('is removed by an erasure; its refunds are in the next file if it was not downloaded', async ({
    service,
  }) => {
    const { merchant, refund, createFile, buildFiles, download, next } = await seedShop(service);
    await createFile();
    await buildFiles();
    await eraseOtherCustomer(service, merchant, next());
    expect(await readExportedAt(service, refund)).toBeNull();
    const second = await createFile();
    await buildFiles();
    expect(await download(second)).toContain(refund.payoutReference);
  });

  test('is removed by an erasure; its refunds stay exported if it was downloaded', async ({ service }) => {
    const { merchant, refund, createFile, buildFiles, download, next } = await seedShop(service);
    const first = await createFile();
    await buildFiles();
    await download(first);
    await eraseOtherCustomer(service, merchant, next());
    expect(await readExportedAt(service, refund)).not.toBeNull();
    await expect(createFile()).rejects.toMatchObject(nothingToExport);
    await createFile({ includeExported: true });
  });

  test('is removed after a day; its refunds are in the next file unless it was downloaded', async ({
    service,
  }) => {
    const [unused, downloaded] = [await seedShop(service), await seedShop(service)];
    await unused.createFile();
    const file = await downloaded.createFile();
    await unused.buildFiles();
    await downloaded.download(file);
    await pruneExports(service, { now: minutesAfter(unused.next(), dayLater) });
    expect(await service.prisma.export.count({ where: { id: file } })).toBe(0);
    const second = await unused.createFile();
    await expect(downloaded.createFile()).rejects.toMatchObject(nothingToExport);
    await unused.buildFiles();
    expect(await unused.download(second)).toContain(unused.refund.payoutReference);
  });

  test('is built even if it has waited for more than a day', async ({ service }) => {
    const { refund, createFile, buildFiles, download, next } = await seedShop(service);
    const file = await createFile();
    await pruneExports(service, { now: minutesAfter(next(), dayLater) });
    await buildFiles();
    expect(await download(file)).toContain(refund.payoutReference);
  });

  test('leaves refunds of another downloaded file exported when it is removed', async ({ service }) => {
    const { merchant, refund, createFile, buildFiles, download, next } = await seedShop(service);
    const first = await createFile();
    await buildFiles();
    await download(first);
    const added = await seedPayableRefund(service, merchant);
    await createFile({ includeExported: true });
    await buildFiles();
    await eraseOtherCustomer(service, merchant, next());
    expect(await readExportedAt(service, refund)).not.toBeNull();
    expect(await readExportedAt(service, added)).toBeNull();
  });

  test('is downloaded if it is removed during the download', async ({ service }) => {
    const { refund, createFile, buildFiles, download, next } = await seedShop(service);
    const id = await createFile();
    await buildFiles();
    const client = await service.pool.connect();
    try {
      // The download waits for the audit trail before it sends anything.
      await client.query('BEGIN; LOCK TABLE audit_entry IN EXCLUSIVE MODE');
      const downloading = download(id).catch(() => 'the file was removed');
      const countWaits = () => countLockWaits(service);
      await expect.poll(countWaits).toBe(1);
      const pruning = pruneExports(service, { now: minutesAfter(next(), dayLater) });
      await expect.poll(countWaits).toBe(2);
      await client.query('COMMIT');
      await Promise.all([downloading, pruning]);
    } finally {
      client.release(true);
    }
    expect(await readExportedAt(service, refund)).not.toBeNull();
  });
});

const toInput = (options: object = {}): CreateExportInput => ({ kind: 'payouts', format: 'csv', ...options });

describe.each(['03', '09'] as const)('pain.001.001.%s', (version) => {
  const format = `pain.001.001.${version}` as const;

  test('has the elements of the standard in order, and each payment once', async ({ service }) => {
    const merchant = await seedMerchant(service, { name: 'Tea & <Co>' });
    const first = await seedPayableRefund(service, merchant, {
      details: { holder: '陳大文 & Söhne "Ltd"\u0007' },
    });
    const two = await seedPayableRefund(service, merchant, {
      amount: 128.5,
      details: { holder: 'A'.repeat(140) },
      now: minutesAfter(noon, 1),
    });
    const { text, fileName } = await createAndReadExport(service, merchant, toInput({ format }));
    expect(fileName).toBe(`payouts-2026-11-17.${format}.xml`);
    const file = checkPain001(text, version);
    expect(file).toMatchObject({ initiator: 'Tea & <Co>', count: '2', sum: '149' });
    const account = await service.prisma.receivingAccount.findFirstOrThrow({
      where: { charges: { some: { id: first.chargeId } } },
    });
    expect(file.groups).toMatchObject([
      { debtor: account.holder, account: account.account, currency: 'HKD', day: '2026-11-17', count: '2' },
    ]);
    expect(file.groups[0]?.payments).toEqual([
      {
        endToEndId: first.payoutReference,
        remittance: first.payoutReference,
        amount: '20.50',
        currency: 'HKD',
        creditor: '陳大文 & Söhne "Ltd"',
        country: 'HK',
        account: '123456789',
        system: 'HKNCC',
        member: '004',
      },
      expect.objectContaining({
        endToEndId: two.payoutReference,
        amount: '128.50',
        creditor: 'A'.repeat(140),
      }),
    ]);
  });
});

describe('Payment file', () => {
  test('is paid from another account of the currency only on request', async ({ service, merchant }) => {
    const refund = await seedPayableRefund(service, merchant);
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    const bank = await service.prisma.receivingAccount.findFirstOrThrow({
      where: { ...owner, method: 'hk-bank-transfer' },
    });
    const baht = await service.prisma.receivingAccount.findFirstOrThrow({
      where: { ...owner, currency: 'THB' },
    });
    const caller = toOwnerCaller(merchant);
    const create = (options: object) =>
      doneOrCode(createExport(service, { caller, input: toInput(options), now: noon }));
    expect(await create({ payingAccountId: bank.id })).toBe('invalid_request');
    const options = { refundIds: [refund.id], payingAccountId: bank.id };
    expect(await create({ ...options, payingAccountId: baht.id })).toBe('invalid_request');
    expect(await create({ ...options, payingAccountId: 'acc_none' })).toBe('receiving_account_not_found');
    const { text } = await createAndReadExport(
      service,
      merchant,
      toInput({ ...options, format: 'pain.001.001.09' }),
    );
    expect(checkPain001(text, '09').groups).toMatchObject([{ account: bank.account, debtor: bank.holder }]);
  });

  test('fails for an account that the format cannot represent, and leaves its refunds unexported', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    await service.prisma.receivingAccount.updateMany({
      where: { merchantId: merchant.merchant.id, method: 'fps' },
      data: { account: `${'long'.repeat(10)}@wallet` },
    });
    const caller = toOwnerCaller(merchant);
    const input = toInput({ format: 'pain.001.001.03' });
    const { id } = await createExport(service, { caller, input, now: noon });
    await buildExports(service, { clock: { now: () => minutesAfter(noon, 1) } });
    const row = await service.prisma.export.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ status: 'failed', failureReason: expect.stringContaining('CSV') });
    const after = await service.prisma.refund.findUniqueOrThrow({ where: { id: refund.id } });
    expect(after.payoutExportedAt).toBeNull();
  });
});
