import type { IdempotencyKey } from '../../prisma/client/client.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { getLockKey } from '../../src/kit/lock-by-name.ts';
import { withClient } from '../../src/kit/with-client.ts';

export function readStoredResponse({ secrets }: Service, row: IdempotencyKey): Promise<string> {
  const { merchantId, mode, key, responseEncrypted } = row;
  return secrets.decrypt(responseEncrypted, 'idempotency_key.response_encrypted', [merchantId, mode, key]);
}

/**
 * Runs `work` while another connection holds the named lock. The name for an idempotency key consists of merchant, mode
 * and key.
 */
export function withNamedLock<T>(connectionString: string, name: string, work: () => Promise<T>): Promise<T> {
  return withClient(connectionString, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [getLockKey(name)]);
    return work();
  });
}
