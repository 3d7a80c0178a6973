import type { ApiKey, Merchant } from '../../../../prisma/client/client.ts';
import { findKept, type Reader } from '../../platform/find-kept.ts';

export type KeyWithMerchant = ApiKey & { merchant: Merchant };

/** A key with its merchant; null where there is none. */
export function findApiKey(service: Reader, key: string): Promise<KeyWithMerchant | null> {
  return findKept(service, {
    name: `key ${key}`,
    read: (prisma) => prisma.apiKey.findUnique({ where: { key }, include: { merchant: true } }),
    topicOf: (apiKey) => apiKey?.merchantId,
  });
}
