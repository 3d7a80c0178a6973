import { parse } from 'csv-parse/sync';
import { describe, expect, onTestFinished } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { eraseCustomer } from '../../../src/domain/operations/customer-data/erase-customer.ts';
import { buildExports, buildStep, pageRows } from '../../../src/domain/payouts/export/build-exports.ts';
import { createExport } from '../../../src/domain/payouts/export/create-export.ts';
import { pruneExports } from '../../../src/domain/payouts/export/delete-exports.ts';
import { openExport } from '../../../src/domain/payouts/export/open-export.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { newId } from '../../../src/kit/id.ts';
import { toOwnerCaller } from '../../setup/callers.ts';
import { copyRows } from '../../setup/copy-rows.ts';
import { isLongRun } from '../../setup/counts.ts';
import { createAndReadExport, readText } from '../../setup/exports.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { seedPayableRefund } from '../../setup/payouts.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { beforeStatement } from '../../setup/sent-statements.ts';

type Line = Record<string, string>;
const parseLines = (text: string): Line[] => parse(text, { columns: true, bom: true });
const all = { kind: 'charges', where: {} } as const;

async function seedCharges(service: Service, merchant: NewMerchant, total: number) {
  const model = await seedCharge(service, merchant);
  const ids = Array.from({ length: total }, (_, i) => newId('charge', new Date(noon.getTime() - i - 1)));
  const ended = { status: 'expired', completed_at: null };
  const copies = ids.map((id) => ({ ...ended, of: model.id, id, payment_reference: id.slice(13) }));
  await copyRows(service, 'charge', copies);
  return [model.id, ...ids];
}

describe('Exported list', () => {
  test('follows its filter, with amounts in major units and times in ISO 8601', async ({ service }) => {
    const merchant = await seedMerchant(service);
    const charge = await seedCharge(service, merchant);
    await service.prisma.charge.update({
      where: { id: charge.id },
      data: { firstName: '=cmd()', lastName: 'Wong, Ada' },
    });
    await seedCharge(service, merchant, { input: { email: 'bob@example.com' } });
    const other = await seedMerchant(service);
    await seedCharge(service, other);
    await seedCharge(service, merchant, { mode: 'sandbox' });
    const { text, fileName } = await createAndReadExport(service, merchant, {
      kind: 'charges',
      where: { email: 'ada@example.com', createdAt: { gte: noon } },
      includeByteOrderMark: true,
    });
    expect(fileName).toBe('charges-2026-11-17.csv');
    expect(text.startsWith('\uFEFFid,status,createdAt,')).toBe(true);
    expect(parseLines(text)).toEqual([
      expect.objectContaining({
        id: charge.id,
        createdAt: '2026-11-17T12:00:00.000Z',
        merchantAmount: '128.50',
        merchantCurrency: 'HKD',
        amountReceived: '0.00',
        rate: '1',
        email: 'ada@example.com',
        firstName: "'=cmd()",
        lastName: 'Wong, Ada',
        completedAt: '',
      }),
    ]);
  });

  test('of refunds or transfers omits payout details', async ({ service }) => {
    const merchant = await seedMerchant(service);
    const refund = await seedPayableRefund(service, merchant);
    const refunds = await createAndReadExport(service, merchant, { kind: 'refunds', where: {} });
    expect(parseLines(refunds.text)).toMatchObject([
      { id: refund.id, status: 'processing', customerAmount: '20.50', email: 'ada@example.com' },
    ]);
    expect(refunds.text).not.toContain('123456789');
    const transfers = await createAndReadExport(service, merchant, {
      kind: 'transfers',
      where: { status: { in: ['matched'] } },
    });
    expect(parseLines(transfers.text)).toMatchObject([
      { direction: 'credit', status: 'matched', amount: '128.50', allocated: '128.50', currency: 'HKD' },
    ]);
    const none = await createAndReadExport(service, merchant, {
      kind: 'transfers',
      where: { status: { in: ['over'] } },
    });
    expect(none.text).toMatch(/^id,direction,[^\n]+\r\n$/);
  });

  test('of many pages is complete and in the requested order after killed workers are replaced', async ({
    service,
  }) => {
    const merchant = await seedMerchant(service);
    const ids = await seedCharges(service, merchant, 3 * pageRows);
    const caller = toOwnerCaller(merchant);
    const { id } = await createExport(service, { caller, input: all, now: noon });
    let now = noon;
    for (let page = 1; page <= 2; page++) {
      // A worker that is killed after a page leaves its lease.
      const leasedUntil = minutesAfter(now, 1);
      const data = { status: 'running', leasedUntil } as const;
      const claimed = await service.prisma.export.update({ where: { id }, data });
      const remaining = await buildStep(service, claimed, { leasedUntil, now });
      expect(remaining).toMatchObject({ status: 'running', chunkCount: page, rows: page * pageRows });
      expect(await buildExports(service, { clock: { now: () => now } })).toBe(0);
      now = minutesAfter(now, 2);
    }
    const input = { ...all, reverse: true };
    const reversed = await createExport(service, { caller, input, now });
    await seedCharge(service, merchant, {
      now: minutesAfter(noon, 1),
      input: { notifyPayload: 'created since' },
    });
    await Promise.all([
      buildExports(service, { clock: { now: () => now } }),
      buildExports(service, { clock: { now: () => now } }),
    ]);
    const { row, bytes } = await openExport(service, { caller, id, now });
    const text = await readText(bytes);
    expect(parseLines(text).map((line) => line.id)).toEqual(ids);
    expect(row).toMatchObject({
      status: 'completed',
      rows: ids.length,
      total: ids.length,
      size: BigInt(Buffer.byteLength(text)),
    });
    const reversedFile = await openExport(service, { caller, id: reversed.id, now });
    const reversedLines = parseLines(await readText(reversedFile.bytes));
    expect(reversedLines.map((line) => line.id)).toEqual(ids.toReversed());
  });

  test('of many pages is released by a stopping worker and continued by another', async ({ service }) => {
    const merchant = await seedMerchant(service);
    const ids = await seedCharges(service, merchant, pageRows);
    const { id } = await createExport(service, { caller: toOwnerCaller(merchant), input: all, now: noon });
    const read = () => service.prisma.export.findUniqueOrThrow({ where: { id } });
    const stop = new AbortController();
    beforeStatement(
      onTestFinished,
      ({ text }) => text.startsWith('INSERT INTO "public"."export_chunk"'),
      async () => stop.abort(),
    );
    await buildExports(service, { clock: { now: () => noon }, signal: stop.signal });
    expect(await read()).toMatchObject({ status: 'running', rows: pageRows });
    expect(await buildExports(service, { clock: { now: () => noon } })).toBe(1);
    expect(await read()).toMatchObject({ status: 'completed', rows: ids.length });
  });

  test('of many pages lets a shorter one finish first', async ({ service }) => {
    const merchant = await seedMerchant(service);
    await seedCharges(service, merchant, 2 * pageRows);
    const caller = toOwnerCaller(merchant);
    const long = await createExport(service, { caller, input: all, now: noon });
    const short = await createExport(service, {
      caller,
      input: { ...all, where: { status: 'pending' } },
      now: minutesAfter(noon, 1),
    });
    let ticks = 0;
    await buildExports(service, { clock: { now: () => minutesAfter(noon, ++ticks) }, pagesPerClaim: 1 });
    const finished = async (id: string) =>
      (await service.prisma.export.findUniqueOrThrow({ where: { id } })).finishedAt?.getTime() ?? 0;
    expect(await finished(short.id)).toBeLessThan(await finished(long.id));
  });

  test.runIf(isLongRun)(
    'of a million charges takes bounded memory',
    { timeout: 900_000 },
    async ({ service }) => {
      const merchant = await seedMerchant(service);
      for (let done = 0; done < 1_000_000; done += 50_000) await seedCharges(service, merchant, 50_000);
      const { id } = await createExport(service, { caller: toOwnerCaller(merchant), input: all, now: noon });
      const startedAt = performance.now();
      let peak = 0;
      const measure = () => {
        peak = Math.max(peak, process.memoryUsage().heapUsed);
        return noon;
      };
      await buildExports(service, { clock: { now: measure } });
      const row = await service.prisma.export.findUniqueOrThrow({ where: { id } });
      console.log(
        `${row.rows} rows, ${row.size} bytes in ${Math.round(performance.now() - startedAt)} ms, heap ${peak}`,
      );
      expect(row).toMatchObject({ status: 'completed', rows: row.total });
      expect(peak).toBeLessThan(400 * 1_048_576);
    },
  );
});

describe('Export file', () => {
  test('is encrypted, and available to its owner in its mode for a day', async ({ service }) => {
    const merchant = await seedMerchant(service);
    await seedCharge(service, merchant);
    const { id } = await createAndReadExport(service, merchant, all);
    const [chunk] = await service.prisma.exportChunk.findMany({ where: { exportId: id } });
    expect(chunk?.bytesEncrypted).toMatch(/^testdatakey0\./);
    const open = (caller = toOwnerCaller(merchant), now = noon) => openExport(service, { caller, id, now });
    await expect(open(toOwnerCaller(await seedMerchant(service)))).rejects.toMatchObject({
      code: 'export_not_found',
    });
    await expect(open(toOwnerCaller(merchant, 'sandbox'))).rejects.toMatchObject({
      code: 'export_not_found',
    });
    await expect(open(toOwnerCaller(merchant), minutesAfter(noon, 24 * 60))).rejects.toMatchObject({
      code: 'export_not_found',
    });
    expect(await pruneExports(service, { now: minutesAfter(noon, 24 * 60 - 1) })).toBe(0);
    await pruneExports(service, { now: minutesAfter(noon, 24 * 60) });
    expect(await service.prisma.exportChunk.count({ where: { exportId: id } })).toBe(0);
  });

  test('is deleted when a customer is erased who may be in it', async ({ service }) => {
    const merchant = await seedMerchant(service);
    const charge = await seedCharge(service, merchant);
    const { id } = await createAndReadExport(service, merchant, all);
    await eraseCustomer(service, { id: charge.customerId, now: noon });
    await expect(
      openExport(service, { caller: toOwnerCaller(merchant), id, now: noon }),
    ).rejects.toMatchObject({
      code: 'export_not_found',
    });
  });

  test('of the reconciliation has one line for each account, with every part of its closing balance', async ({
    service,
  }) => {
    const merchant = await seedMerchant(service);
    await seedPayableRefund(service, merchant);
    const { text, fileName } = await createAndReadExport(service, merchant, {
      kind: 'reconciliation',
      from: '2026-11-01',
      to: '2026-11-30',
    });
    expect(fileName).toBe('reconciliation-2026-11-01-to-2026-11-30.csv');
    expect(parseLines(text)).toMatchObject([
      {
        currency: 'HKD',
        opening: '0.00',
        received: '128.50',
        matched: '128.50',
        returned: '0.00',
        refunded: '0.00',
        fees: '0.00',
        closing: '128.50',
        timeZone: 'UTC',
      },
    ]);
  });
});
