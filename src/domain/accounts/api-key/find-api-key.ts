import type { ApiKey, Merchant } from '../../../../prisma/client/client.ts';
import { type CachedReader, readCached } from '../../platform/read-cached.ts';

export type KeyWithMerchant = ApiKey & { merchant: Merchant };

export function findApiKey(service: CachedReader, key: string): Promise<KeyWithMerchant | null> {
  return readCached(service, {
    name: `key ${key}`,
    read: (prisma) => prisma.apiKey.findUnique({ where: { key }, include: { merchant: true } }),
    getTopic: (apiKey) => apiKey?.merchantId,
  });
}
