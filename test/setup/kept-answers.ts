import type { IdempotencyKey } from '../../prisma/client/client.ts';
import type { Service } from '../../src/domain/platform/service.ts';

/** The decrypted answer of an idempotency key. */
export function readAnswer({ secrets }: Service, row: IdempotencyKey): Promise<string> {
  const { merchantId, mode, key, answerEncrypted } = row;
  return secrets.decrypt(answerEncrypted, 'idempotency_key.answer_encrypted', [merchantId, mode, key]);
}
