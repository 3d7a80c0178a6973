import { randomUUID } from 'node:crypto';
import type { Event, Notification, Prisma, Webhook } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { toEventRow } from '../../../event/event-row.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';

/**
 * Sends CHARGE_COMPLETE for a fictional charge, with the header `webhook-test: true`, to the given webhook,
 * even a disabled one, or to all enabled webhooks. The notification is attempted once, does not affect the
 * health of the webhook and is not in the event log. Throws `webhook_not_found`.
 */
export async function sendTestNotification(
  db: Db,
  options: MerchantScope & Audited & { webhookId?: string | null | undefined; actor: string; now: Date },
): Promise<Notification[]> {
  const { merchantId, mode, webhookId, actor, now, audit } = options;
  return transact(db, async (uow) => {
    const { tx } = uow;
    const where = {
      merchantId,
      mode,
      deletedAt: null,
      ...(webhookId ? { id: webhookId } : { disabledAt: null }),
    };
    const webhooks = await tx.webhook.findMany({ where, orderBy: { id: 'asc' } });
    if (webhookId && webhooks.length === 0) {
      throw new DomainError('webhook_not_found', `Webhook not found: ${webhookId}`);
    }
    if (audit) await recordAudit(uow, { ...audit, merchantId, mode, action: 'webhook.tested' });
    if (webhooks.length === 0) return [];
    const event = await recordTestEvent(tx, { merchantId, mode, actor, now });
    const rows = webhooks.map((webhook) => toRow(webhook, event, now));
    const notifications = await tx.notification.createManyAndReturn({ data: rows });
    for (const { id } of notifications) announceChange(uow, { objectId: id, merchantId, mode });
    return notifications;
  });
}

/**
 * Inserts the event as already relayed, so that it gets no sequence number in the event log and is sent only
 * to the chosen webhooks.
 */
function recordTestEvent(
  tx: Tx,
  { merchantId, mode, actor, now }: MerchantScope & { actor: string; now: Date },
) {
  const chargeId = newId('charge', now);
  const payload = {
    chargeId,
    merchantId,
    customerAmount: 128.5,
    customerCurrency: 'HKD',
    amountReceived: 128.5,
    merchantAmount: 128.5,
    merchantCurrency: 'HKD',
    status: 'completed',
    paymentMethod: 'fps',
    orders: [{ id: 'test-1', name: 'Test order', quantity: 1, amount: 128.5, currency: 'HKD' }],
    notifyPayload: Buffer.from(`test ${randomUUID()}`).toString('base64'),
  };
  const event = {
    merchantId,
    mode,
    type: 'CHARGE_COMPLETE',
    objectId: chargeId,
    objectVersion: 2,
  } as const;
  const row = toEventRow({ ...event, payload, actor, now });
  return tx.event.create({ data: { ...row, test: true, relayedAt: now } });
}

function toRow(webhook: Webhook, event: Event, now: Date): Prisma.NotificationCreateManyInput {
  const { merchantId, mode, url } = webhook;
  return {
    id: newId('notification', now),
    merchantId,
    mode,
    eventId: event.id,
    eventType: event.type,
    kind: 'webhook',
    webhookId: webhook.id,
    url,
    queueKey: webhook.id,
    nextAttemptAt: now,
    createdAt: now,
  };
}
