import type { ApiKey } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { newId, newSecret } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { sha256 } from '../../../kit/secrets.ts';
import type { Permission } from './permissions.ts';

const modeLabel = { live: 'live', sandbox: 'test' } as const;

/** A key with its secret, which is shown this once: only its hash is stored. */
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

/** A publishable key: it can only start a checkout, so it has no secret. No allowed origins: any. */
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
