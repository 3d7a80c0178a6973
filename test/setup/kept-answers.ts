import type { IdempotencyKey } from '../../prisma/client/client.ts';
import type { Service } from '../../src/domain/platform/service.ts';

/** The decrypted answer of an idempotency key. */
export function readAnswer({ secrets }: Service, row: IdempotencyKey): Promise<string> {
  const { merchantId, mode, key, responseEncrypted } = row;
  return secrets.decrypt(responseEncrypted, 'idempotency_key.response_encrypted', [merchantId, mode, key]);
}
