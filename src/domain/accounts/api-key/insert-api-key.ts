import type { ApiKey } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { newId, newSecret } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { sha256 } from '../../../kit/secrets.ts';
import type { Permission } from './permissions.ts';

const modeLabel = { live: 'live', sandbox: 'test' } as const;

/** Inserts a secret key. Only the hash of the secret is stored, so the secret cannot be shown again. */
export async function insertApiKey(
  tx: Tx,
  options: MerchantScope & { name: string; permissions: readonly Permission[]; now: Date },
): Promise<{ apiKey: ApiKey; secret: string }> {
  const { now, permissions, ...fields } = options;
  const secret = newSecret(`cs_${modeLabel[options.mode]}`);
  const apiKey = await tx.apiKey.create({
    data: {
      ...fields,
      id: newId('apiKey', now),
      kind: 'secret',
      key: newSecret(`ck_${modeLabel[options.mode]}`),
      secretHash: sha256(secret),
      permissions: [...permissions],
      createdAt: now,
    },
  });
  return { apiKey, secret };
}

/**
 * Inserts a publishable key, which can only start a checkout and has no secret. Without `allowedOrigins`, any
 * origin is accepted.
 */
export async function insertPublishableKey(
  tx: Tx,
  options: MerchantScope & { name?: string; allowedOrigins?: string[]; now: Date },
): Promise<ApiKey> {
  const { now, ...fields } = options;
  return tx.apiKey.create({
    data: {
      name: 'Checkout',
      ...fields,
      id: newId('apiKey', now),
      kind: 'publishable',
      key: newSecret(`pk_${modeLabel[options.mode]}`),
      createdAt: now,
    },
  });
}
