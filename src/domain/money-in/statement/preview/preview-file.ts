import type { Clock } from '../../../../kit/clock.ts';
import type { Db } from '../../../../kit/db.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { merchantNow } from '../../../platform/clock/merchant-now.ts';
import { storeUpload } from '../../../platform/upload/store-upload.ts';
import { previewStatement } from './preview-statement.ts';
import type { StatementPreview } from './statement-preview.ts';

type PreviewFileInput = MerchantScope & {
  receivingAccountId: string;
  source: AsyncIterable<Uint8Array>;
  fileName: string;
  mapping?: unknown;
  actor: string;
  clock: Clock;
};

/**
 * Previews a file, which is stored only during the preview. Errors: those of `storeUpload` and
 * `previewStatement`.
 */
export async function previewFile(db: Db, input: PreviewFileInput): Promise<StatementPreview> {
  const { clock, source, ...rest } = input;
  const merchant = await db.prisma.merchant.findUniqueOrThrow({ where: { id: input.merchantId } });
  const systemNow = clock.now();
  const { id: uploadId } = await storeUpload(db, { ...rest, source, now: systemNow });
  try {
    const now = merchantNow(systemNow, merchant, input.mode);
    return await previewStatement(db, { ...rest, uploadId, now, systemNow });
  } finally {
    await db.prisma.upload.deleteMany({ where: { id: uploadId } });
  }
}
