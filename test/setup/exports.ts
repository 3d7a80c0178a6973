import type { MerchantCaller } from '../../src/domain/api-key/permissions.ts';
import { buildExports } from '../../src/domain/export/build-exports.ts';
import { type CreateExportInput, createExport } from '../../src/domain/export/create-export.ts';
import { openExport } from '../../src/domain/export/open-export.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/service.ts';
import { rolePermissions } from '../../src/domain/user/role-permissions.ts';
import { noon } from './makers.ts';

/** An owner of the merchant, as the operations see who calls. */
export function ownerOf({ merchant }: NewMerchant, mode: MerchantCaller['mode'] = 'live'): MerchantCaller {
  return { merchant, mode, permissions: new Set(rolePermissions.owner[mode]), actor: 'user:owner' };
}

export async function readAll(bytes: AsyncIterable<Buffer>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString('utf8');
}

/** Asks for a file, makes it, and reads it. */
export async function exported(
  service: Service,
  merchant: NewMerchant,
  input: CreateExportInput,
  now = noon,
): Promise<{ id: string; fileName: string; text: string }> {
  const caller = ownerOf(merchant);
  const { id } = await createExport(service, { caller, input, now });
  await buildExports(service, { clock: { now: () => now } });
  const { row, bytes } = await openExport(service, { caller, id, now });
  return { id, fileName: row.fileName, text: await readAll(bytes) };
}
