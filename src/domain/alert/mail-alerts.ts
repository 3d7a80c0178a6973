import type { Alert } from '../../../prisma/client/client.ts';
import { type Tx, transact } from '../../kit/db.ts';
import { inBatches } from '../../kit/in-batches.ts';
import { enqueueMessage } from '../../message/enqueue-message.ts';
import { endpointAlertMail } from '../../message/mails/endpoint-alert-mail.ts';
import type { AlertKind } from '../../notification/judge-endpoint.ts';
import type { Service } from '../service.ts';

const batchMax = 100;

/**
 * Hands the alerts that have not been mailed to the outgoing messages: one mail to each owner and developer of the
 * merchant. Each alert once, whatever number of processes call it. Answers how many alerts.
 */
export async function mailAlerts(service: Service, options: { now: Date }): Promise<number> {
  return inBatches(batchMax, () => transact(service, (tx) => mailSome(service, tx, options.now)));
}

async function mailSome(service: Service, tx: Tx, now: Date): Promise<number> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM alert WHERE mailed_at IS NULL ORDER BY id LIMIT ${batchMax} FOR UPDATE SKIP LOCKED`;
  const where = { id: { in: rows.map(({ id }) => id) } };
  for (const alert of await tx.alert.findMany({ where, orderBy: { id: 'asc' } })) {
    await mailAlert(service, tx, { alert, now });
  }
  await tx.alert.updateMany({ where, data: { mailedAt: now } });
  return rows.length;
}

async function mailAlert(
  service: Service,
  tx: Tx,
  { alert, now }: { alert: Alert; now: Date },
): Promise<void> {
  const { id, merchantId, mode, url, detail, webhookId, createdAt } = alert;
  const merchant = await tx.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  const users = await tx.merchantUser.findMany({
    where: { merchantId, disabledAt: null, role: { in: ['owner', 'developer'] } },
  });
  const place = webhookId === null ? 'notifications' : 'webhooks';
  const content = endpointAlertMail('en', {
    kind: alert.kind as AlertKind,
    merchant: merchant.name,
    mode,
    isWebhook: webhookId !== null,
    url,
    detail,
    at: createdAt,
    dashboardUrl: `${service.settings.publicUrl}/dashboard/${place}`,
  });
  for (const user of users) {
    await enqueueMessage(service, tx, {
      merchantId,
      mode,
      audience: 'team',
      kind: 'endpoint-alert',
      channel: 'email',
      to: user.email,
      language: 'en',
      content,
      dedupeKey: `endpoint-alert ${id} ${user.id}`,
      now,
    });
  }
}
