import { onTestFinished } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { buildExports } from '../../src/domain/payouts/export/build-exports.ts';
import { type CreateExportInput, createExport } from '../../src/domain/payouts/export/create-export.ts';
import { openExport } from '../../src/domain/payouts/export/open-export.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { toOwnerCaller } from './callers.ts';
import { noon } from './seed.ts';

export async function readText(bytes: AsyncIterable<Buffer>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString('utf8');
}

/** Builds requested exports until the end of the test, as a worker does. */
export function startExportWorker(service: Service): void {
  const timer = setInterval(() => void buildExports(service, { clock: systemClock }), 100);
  onTestFinished(() => clearInterval(timer));
}

export async function createAndReadExport(
  service: Service,
  merchant: NewMerchant,
  input: CreateExportInput,
  now = noon,
): Promise<{ id: string; fileName: string; text: string }> {
  const caller = toOwnerCaller(merchant);
  const { id } = await createExport(service, { caller, input, now });
  await buildExports(service, { clock: { now: () => now } });
  const { row, bytes } = await openExport(service, { caller, id, now });
  return { id, fileName: row.fileName, text: await readText(bytes) };
}
