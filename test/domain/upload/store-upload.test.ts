import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge, Statement } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { importStatement } from '../../../src/domain/money-in/statement/import-statement.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { pruneUploads } from '../../../src/domain/platform/upload/prune-uploads.ts';
import { storeUpload, uploadLifetimeMs } from '../../../src/domain/platform/upload/store-upload.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { camtXml, ntry, toChunks } from '../../setup/statement-files.ts';

const onCleanup = cleanupAfterFile();

let service: Service;
let merchant: NewMerchant;
const now = noon;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

async function newCharge(): Promise<Charge> {
  merchant = await seedMerchant(service);
  return seedCharge(service, merchant);
}

const owner = () => ({ merchantId: merchant.merchant.id, mode: 'live', actor: 'user:ada' }) as const;

const upload = (content: string) =>
  storeUpload(service, { ...owner(), fileName: 'file', source: toChunks(content, 1000), now });

async function queue(receivingAccountId: string): Promise<Statement> {
  const { id: uploadId } = await upload(camtXml(ntry()));
  const { statement } = await importStatement(service, {
    ...owner(),
    uploadId,
    receivingAccountId,
    now,
    machineNow: now,
  });
  return statement;
}

describe('an upload', () => {
  const left = () => service.prisma.upload.count({ where: { merchantId: merchant.merchant.id } });

  test('of more than may be kept is broken off, and leaves nothing', async () => {
    await newCharge();
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 1;
        yield new Uint8Array(1_048_576);
      }
    }
    const input = { ...owner(), fileName: 'x', source: endless(), bytesMax: 3 * 1_048_576, now };
    await expect(storeUpload(service, input)).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(sent).toBeLessThan(6);
    expect(await left()).toBe(0);
  });

  test('that breaks off leaves nothing', async () => {
    await newCharge();
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
    expect(await left()).toBe(0);
    expect(
      await service.prisma.uploadChunk.count({ where: { upload: { merchantId: input.merchantId } } }),
    ).toBe(0);
  });

  test('is deleted after a day unless it was imported', async () => {
    const charge = await newCharge();
    const statement = await queue(charge.receivingAccountId);
    await upload('not imported');
    const { signal } = new AbortController();
    await pruneUploads(service, { now: new Date(noon.getTime() + uploadLifetimeMs - 1), signal });
    expect(await left()).toBe(2);
    await pruneUploads(service, { now: new Date(noon.getTime() + uploadLifetimeMs), signal });
    expect(await service.prisma.upload.findMany({ where: { merchantId: merchant.merchant.id } })).toEqual([
      expect.objectContaining({ id: statement.uploadId }),
    ]);
  });

  test('is refused where too many wait', async () => {
    await newCharge();
    // Whether they come at once or one after the other.
    const all = await Promise.allSettled(Array.from({ length: 25 }, (_, n) => upload(`${n}`)));
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused).toEqual(Array(5).fill('rate_limited'));
    expect(await left()).toBe(20);
    await expect(upload('one more')).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
