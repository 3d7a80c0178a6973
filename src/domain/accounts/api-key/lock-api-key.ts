import type { ApiKey } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantCaller } from './permissions.ts';

export async function lockApiKey(tx: Tx, { merchant, mode }: MerchantCaller, id: string): Promise<ApiKey> {
  await tx.$queryRaw`SELECT 1 FROM api_key
    WHERE id = ${id} AND merchant_id = ${merchant.id} AND mode = ${mode}::mode FOR UPDATE`;
  const apiKey = await tx.apiKey.findFirst({ where: { id, merchantId: merchant.id, mode } });
  if (!apiKey) throw new DomainError('api_key_not_found', `API key not found: ${id}`);
  return apiKey;
}
