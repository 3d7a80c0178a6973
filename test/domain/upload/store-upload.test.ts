import { describe, expect } from 'vitest';
import type { Statement, Upload } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { importStatement } from '../../../src/domain/money-in/statement/import/import-statement.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { pruneUploads } from '../../../src/domain/platform/upload/prune-uploads.ts';
import { storeUpload, uploadLifetimeMs } from '../../../src/domain/platform/upload/store-upload.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { camtXml, ntry, toChunks } from '../../setup/statement-files.ts';

const now = noon;

const owner = (merchant: NewMerchant) =>
  ({ merchantId: merchant.merchant.id, mode: 'live', actor: 'user:ada' }) as const;

const upload = (service: Service, merchant: NewMerchant, content: string) =>
  storeUpload(service, { ...owner(merchant), fileName: 'file', source: toChunks(content, 1000), now });

async function queue(
  service: Service,
  merchant: NewMerchant,
  receivingAccountId: string,
): Promise<Statement> {
  const { id: uploadId } = await upload(service, merchant, camtXml(ntry()));
  const { statement } = await importStatement(service, {
    ...owner(merchant),
    uploadId,
    receivingAccountId,
    now,
    systemNow: now,
  });
  return statement;
}

describe('Upload', () => {
  const countUploads = (service: Service, merchant: NewMerchant) =>
    service.prisma.upload.count({ where: { merchantId: merchant.merchant.id } });

  test('is aborted beyond the maximum size, and stores nothing', async ({ service, merchant }) => {
    await seedCharge(service, merchant);
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 1;
        yield new Uint8Array(1_048_576);
      }
    }
    const input = { ...owner(merchant), fileName: 'x', source: endless(), bytesMax: 3 * 1_048_576, now };
    await expect(storeUpload(service, input)).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(sent).toBeLessThan(6);
    expect(await countUploads(service, merchant)).toBe(0);
  });

  test('stores nothing if it is interrupted', async ({ service, merchant }) => {
    await seedCharge(service, merchant);
    async function* broken() {
      yield new Uint8Array(600_000);
      throw new Error('connection lost');
    }
    const input = {
      merchantId: merchant.merchant.id,
      mode: 'live',
      fileName: 'x',
      actor: 'user:ada',
    } as const;
    await expect(storeUpload(service, { ...input, source: broken(), now })).rejects.toThrow(
      'connection lost',
    );
    expect(await countUploads(service, merchant)).toBe(0);
    expect(
      await service.prisma.uploadChunk.count({ where: { upload: { merchantId: input.merchantId } } }),
    ).toBe(0);
  });

  test('is deleted after a day unless it was imported', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const statement = await queue(service, merchant, charge.receivingAccountId);
    await upload(service, merchant, 'not imported');
    const { signal } = new AbortController();
    await pruneUploads(service, { now: new Date(noon.getTime() + uploadLifetimeMs - 1), signal });
    expect(await countUploads(service, merchant)).toBe(2);
    await pruneUploads(service, { now: new Date(noon.getTime() + uploadLifetimeMs), signal });
    expect(await service.prisma.upload.findMany({ where: { merchantId: merchant.merchant.id } })).toEqual([
      expect.objectContaining({ id: statement.uploadId }),
    ]);
  });

  test('deletes the oldest file that was not imported if too many are pending', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const { uploadId: importedId } = await queue(service, merchant, charge.receivingAccountId);
    const store = (minutes: number) =>
      storeUpload(service, {
        ...owner(merchant),
        fileName: 'file',
        source: toChunks(`${minutes}`, 1000),
        now: minutesAfter(noon, minutes),
      });
    const uploads: Upload[] = [];
    for (let minutes = 1; minutes <= 20; minutes++) uploads.push(await store(minutes));
    const latest = await store(21);
    const remaining = await service.prisma.upload.findMany({
      where: { merchantId: merchant.merchant.id },
      orderBy: { createdAt: 'asc' },
    });
    expect(remaining.map(({ id }) => id)).toEqual([
      importedId,
      ...uploads.slice(1).map(({ id }) => id),
      latest.id,
    ]);
  });

  test('is rejected while too many others are being uploaded', async ({ service, merchant }) => {
    await seedCharge(service, merchant);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    async function* slow() {
      yield new TextEncoder().encode('half');
      await end;
    }
    const input = { ...owner(merchant), fileName: 'file', now };
    const running = Array.from({ length: 20 }, () => storeUpload(service, { ...input, source: slow() }));
    await expect.poll(() => countUploads(service, merchant)).toBe(20);
    await expect(upload(service, merchant, 'one more')).rejects.toMatchObject({ code: 'rate_limited' });
    resolve();
    await Promise.all(running);
    expect(await countUploads(service, merchant)).toBe(20);
  });
});
