import type { Alert, Merchant, MerchantUser, NoticeSetting } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { type DueBatch, processDue } from '../../../kit/process-due.ts';
import { isOfRunningMerchant } from '../../../kit/running-merchants.ts';
import { enqueueMessages, type MessageInput } from '../../../message/enqueue-message.ts';
import type { MailContent } from '../../../message/mail.ts';
import { bankFeedMail } from '../../../message/mails/bank-feed-mail.ts';
import { endpointAlertMail } from '../../../message/mails/endpoint-alert-mail.ts';
import { referencesLowMail } from '../../../message/mails/references-low-mail.ts';
import type { MessageKind } from '../../../message/message-kinds.ts';
import type { Service } from '../../platform/service.ts';
import type { AlertKind } from '../alert/alert-kind.ts';
import { getAlertTopic, listNoticeChoices } from './notice-topics.ts';

/** The number of alerts per transaction. It is small, because each alert can have many recipients. */
const batchSize = 25;

/**
 * Notifies the users of a merchant about each alert that has not been sent yet, according to their settings: by
 * an immediate email, or by adding it to the next notice of `queueNotices`. Concurrent calls process each alert
 * only once. Returns the number of alerts.
 */
export async function mailAlerts(
  service: Service,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<number> {
  return processDue({ batchSize, failureMessage: 'some alerts could not be emailed', signal }, (batch) =>
    transact(service, (uow) => mailBatch(uow, { now, batch })),
  );
}

async function mailBatch(
  uow: UnitOfWork<Service>,
  { now, batch }: { now: Date; batch: DueBatch },
): Promise<number> {
  const { tx } = uow;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM alert
    WHERE mailed_at IS NULL AND id <> ALL(${[...batch.excludedIds]}::text[]) AND ${isOfRunningMerchant}
    ORDER BY id LIMIT ${batch.limit} FOR UPDATE SKIP LOCKED`;
  const ids = rows.map(({ id }) => id);
  batch.onLocked(ids);
  if (ids.length === 0) return 0;
  const where = { id: { in: ids } };
  const alerts = await tx.alert.findMany({ where, orderBy: { id: 'asc' } });
  const getRecipients = await findRecipients(tx, alerts);
  const messages = alerts.flatMap((alert) => toMessages(uow, alert, { now, ...getRecipients(alert) }));
  await enqueueMessages(uow, messages);
  await addToNotices(
    tx,
    alerts.flatMap((alert) => toPendingNotices(alert, getRecipients(alert))),
  );
  await tx.alert.updateMany({ where, data: { mailedAt: now } });
  return ids.length;
}

type AlertedUser = MerchantUser & { noticeSettings: NoticeSetting[] };
type AlertRecipients = { merchant: Merchant; users: AlertedUser[] };

async function findRecipients(tx: Tx, alerts: readonly Alert[]): Promise<(alert: Alert) => AlertRecipients> {
  const ids = [...new Set(alerts.map(({ merchantId }) => merchantId))];
  const merchants = await tx.merchant.findMany({ where: { id: { in: ids } } });
  // Locked, so that a change of the settings takes effect before or after all alerts of the batch.
  await tx.$queryRaw`
    SELECT 1 FROM notice_setting WHERE user_id IN (SELECT id FROM merchant_user WHERE merchant_id = ANY(${ids}))
    ORDER BY user_id, channel, topic FOR UPDATE`;
  const users = await tx.merchantUser.findMany({
    where: { merchantId: { in: ids }, removedAt: null },
    include: { noticeSettings: true },
  });
  const merchantsById = new Map(merchants.map((merchant) => [merchant.id, merchant]));
  const usersByMerchant = Map.groupBy(users, ({ merchantId }) => merchantId);
  return ({ merchantId }) => ({
    merchant: merchantsById.get(merchantId)!,
    users: usersByMerchant.get(merchantId) ?? [],
  });
}

function toMessages(
  { settings }: Service,
  alert: Alert,
  { merchant, users, now }: AlertRecipients & { now: Date },
): MessageInput[] {
  const { id, merchantId, mode } = alert;
  const content = toMailContent(alert, {
    merchant: merchant.name,
    dashboard: `${settings.publicUrl}/dashboard`,
  });
  const topic = getAlertTopic(alert.kind as AlertKind);
  const mailedUsers = users.filter(({ role, noticeSettings }) =>
    listNoticeChoices(role, noticeSettings).some(
      (choice) => choice.topic === topic && choice.channel === 'email' && choice.frequency === 'at_once',
    ),
  );
  return mailedUsers.map((user) => ({
    merchantId,
    mode,
    audience: 'staff',
    trigger: 'system',
    kind: toMessageKind(alert.kind as AlertKind),
    channel: 'email',
    to: user.email,
    language: 'en',
    content,
    dedupeKey: `endpoint-alert ${id} ${user.id}`,
    now,
  }));
}

type PendingNotice = { userId: string; channel: string; topic: string; alertId: string };

/** An immediate email is a separate message; all other notices collect alerts. */
function toPendingNotices({ id: alertId, kind }: Alert, { users }: AlertRecipients): PendingNotice[] {
  const alertTopic = getAlertTopic(kind as AlertKind);
  return users.flatMap(({ id: userId, role, noticeSettings }) =>
    listNoticeChoices(role, noticeSettings)
      .filter(
        ({ topic, channel, frequency }) =>
          topic === alertTopic && frequency !== 'off' && !(channel === 'email' && frequency === 'at_once'),
      )
      .map(({ channel, topic }) => ({ userId, channel, topic, alertId })),
  );
}

async function addToNotices(tx: Tx, notices: readonly PendingNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await tx.$executeRaw`
    UPDATE notice_setting AS setting SET alert_ids = setting.alert_ids || added.alert_ids
    FROM (
      SELECT user_id, channel, topic, array_agg(alert_id ORDER BY alert_id) AS alert_ids
      FROM unnest(${notices.map(({ userId }) => userId)}::text[], ${notices.map(({ channel }) => channel)}::text[],
        ${notices.map(({ topic }) => topic)}::text[], ${notices.map(({ alertId }) => alertId)}::text[])
        AS pending (user_id, channel, topic, alert_id)
      GROUP BY user_id, channel, topic) AS added
    WHERE setting.user_id = added.user_id AND setting.channel = added.channel::message_channel
      AND setting.topic = added.topic::notice_topic`;
}

function toMessageKind(kind: AlertKind): MessageKind {
  if (kind === 'references_low') return 'references-low';
  return kind === 'feed_failing' || kind === 'feed_late' ? 'bank-feed' : 'endpoint-alert';
}

function toMailContent(
  alert: Alert,
  { merchant, dashboard }: { merchant: string; dashboard: string },
): MailContent {
  const { mode, url, detail, webhookId, createdAt: at } = alert;
  const kind = alert.kind as AlertKind;
  const facts = { merchant, mode, detail, at };
  if (kind === 'references_low') return referencesLowMail({ ...facts, dashboardUrl: url });
  if (kind === 'feed_failing' || kind === 'feed_late')
    return bankFeedMail({ ...facts, kind, dashboardUrl: url });
  const isWebhook = webhookId !== null;
  const dashboardUrl = `${dashboard}/${isWebhook ? 'webhooks' : 'notifications'}`;
  return endpointAlertMail({ ...facts, kind, isWebhook, url, dashboardUrl });
}
