import type { Mode, Webhook } from '../../../prisma/client/client.ts';
import { type Db, transact } from '../../kit/db.ts';
import { lockWebhook } from './lock-webhook.ts';

/**
 * Deletes a webhook: it hears of nothing more, and what was on its way to it is skipped. The row stays for the delivery
 * log. Error: `webhook_not_found`.
 */
export async function deleteWebhook(
  db: Db,
  options: { merchantId: string; mode: Mode; id: string; actor: string; now: Date },
): Promise<Webhook> {
  const { now } = options;
  return transact(db, async (tx) => {
    const { id } = await lockWebhook(tx, options);
    return tx.webhook.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
  });
}
