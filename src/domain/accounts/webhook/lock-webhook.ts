import type { Webhook } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

/**
 * Locks a webhook until the end of the transaction and returns it. Throws `webhook_not_found`, also for a
 * deleted webhook.
 */
export async function lockWebhook(tx: Tx, options: ScopedId): Promise<Webhook> {
  const { merchantId, mode, id } = options;
  await tx.$queryRaw`SELECT 1 FROM webhook
    WHERE id = ${id} AND merchant_id = ${merchantId} AND mode = ${mode}::mode FOR UPDATE`;
  const webhook = await tx.webhook.findFirst({ where: { id, merchantId, mode, deletedAt: null } });
  if (!webhook) throw new DomainError('webhook_not_found', `Webhook not found: ${id}`);
  return webhook;
}
