import {
  type Alert,
  type Merchant,
  type MerchantUser,
  type NoticeSetting,
  Prisma,
} from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { CurrencyCode } from '../../../kit/currency.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { type DueBatch, processDue } from '../../../kit/process-due.ts';
import { isOfRunningMerchant } from '../../../kit/running-merchants.ts';
import { formatMoney, getLocale } from '../../../language/format.ts';
import { languages } from '../../../language/languages.ts';
import { getBankFeedTitle } from '../../../message/mails/bank-feed-mail.ts';
import { getEndpointAlertTitle, withoutQuery } from '../../../message/mails/endpoint-alert-mail.ts';
import { type NoticeSection, noticeChatText, noticeMail } from '../../../message/mails/notice-mail.ts';
import { getReferencesLowTitle } from '../../../message/mails/references-low-mail.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { Service } from '../../platform/service.ts';
import type { AlertKind } from '../alert/alert-kind.ts';
import { noticeRoles } from '../user/roles.ts';
import { enqueueNotice } from './enqueue-notice.ts';
import { getNextSummary } from './next-summary.ts';
import type { NoticeChannel } from './notice-topics.ts';

/** The number of users per transaction. It is small, because each user has several topics. */
const batchSize = 25;
/** The shortest time between two immediate notices about a topic, so that many payments result in few messages. */
const pauseMs = minuteMs;

/**
 * Writes the notices that are due: immediate ones and daily summaries. A notice and the user's new position in the
 * event log are written in one transaction, so that no event and no alert is reported twice. Concurrent calls process
 * different users. Returns the number of users.
 */
export async function queueNotices(
  service: Service,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<number> {
  const failureMessage = 'the notices to some users could not be written';
  return processDue({ batchSize, failureMessage, signal }, (batch) =>
    transact(service, (uow) => queueBatch(uow, { now, batch })),
  );
}

/** A daily summary is due even if it is empty, so that its time advances. */
function buildDueCondition(now: Date): Prisma.Sql {
  return Prisma.sql`next_at <= ${now} AND (frequency = 'daily' OR alert_ids <> '{}'
    OR (topic IN ('payments', 'reviews') AND event_position < (SELECT last FROM event_counter AS counter
      WHERE counter.merchant_id = merchant_user.merchant_id AND counter.mode = 'live')))`;
}

async function queueBatch(
  uow: UnitOfWork<Service>,
  { now, batch }: { now: Date; batch: DueBatch },
): Promise<number> {
  const { tx } = uow;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM merchant_user
    WHERE removed_at IS NULL AND role = ANY(${noticeRoles}::user_role[])
      AND id <> ALL(${[...batch.excludedIds]}::text[]) AND ${isOfRunningMerchant}
      AND EXISTS (SELECT 1 FROM notice_setting WHERE user_id = merchant_user.id AND ${buildDueCondition(now)})
    ORDER BY id LIMIT ${batch.limit} FOR NO KEY UPDATE SKIP LOCKED`;
  const ids = rows.map(({ id }) => id);
  batch.onLocked(ids);
  if (ids.length === 0) return 0;
  const users = await tx.merchantUser.findMany({
    where: { id: { in: ids } },
    include: { merchant: true },
    orderBy: { id: 'asc' },
  });
  for (const user of users) await queueForUser(uow, { user, merchant: user.merchant!, now });
  return ids.length;
}

type NoticeRecipient = { user: MerchantUser; merchant: Merchant; now: Date };

async function queueForUser(uow: UnitOfWork<Service>, recipient: NoticeRecipient): Promise<void> {
  const settings = await lockDueSettings(uow, recipient);
  const groups = Map.groupBy(settings, ({ channel, frequency }) => `${channel} ${frequency}`);
  for (const group of groups.values()) await queueNotice(uow, recipient, group);
}

/** Locks the settings in the same order as `mailAlerts`, which adds alerts to them concurrently. */
async function lockDueSettings(
  { tx }: UnitOfWork<Service>,
  { user, now }: NoticeRecipient,
): Promise<NoticeSetting[]> {
  const keys = await tx.$queryRaw<{ channel: NoticeChannel; topic: NoticeSetting['topic'] }[]>`
    SELECT notice_setting.channel::text, topic::text FROM notice_setting
      JOIN merchant_user ON merchant_user.id = user_id
    WHERE user_id = ${user.id} AND ${buildDueCondition(now)}
    ORDER BY channel, topic FOR UPDATE OF notice_setting`;
  if (keys.length === 0) return [];
  return tx.noticeSetting.findMany({
    where: { userId: user.id, OR: keys },
    orderBy: [{ channel: 'asc' }, { topic: 'asc' }],
  });
}

/** Writes one notice about the due topics of a channel and a frequency, and moves their positions. */
async function queueNotice(
  uow: UnitOfWork<Service>,
  { user, merchant, now }: NoticeRecipient,
  settings: readonly NoticeSetting[],
): Promise<void> {
  const { tx } = uow;
  const { channel, frequency } = settings[0]!;
  const where = { merchantId_mode: { merchantId: merchant.id, mode: 'live' as const } };
  const position = (await tx.eventCounter.findUnique({ where }))?.last ?? 0n;
  const sections = await readSections(uow, { merchantId: merchant.id, settings, position });
  const isDaily = frequency === 'daily';
  if (sections.length > 0) {
    const facts = { merchant: merchant.name, isDaily, sections };
    await enqueueNotice(uow, {
      user,
      channel: channel as NoticeChannel,
      trigger: 'system',
      mail: noticeMail(facts),
      chatText: noticeChatText(facts),
      now,
    });
  }
  const pauseEnd = sections.length > 0 ? new Date(now.getTime() + pauseMs) : now;
  await tx.noticeSetting.updateMany({
    where: { userId: user.id, channel, topic: { in: settings.map(({ topic }) => topic) } },
    data: {
      eventPosition: position,
      alertIds: [],
      nextAt: isDaily ? getNextSummary(now, merchant.timeZone) : pauseEnd,
    },
  });
}

/** The maximum number of payments, transfers or alerts that a notice lists; the others are only counted. */
const itemsMax = 10;

const locale = getLocale('en');

type SectionOptions = { merchantId: string; settings: readonly NoticeSetting[]; position: bigint };

/**
 * Returns the content of the topics: for each setting, its alerts, or the live events from its own position up to
 * `position`. The content has no names of customers and no texts of banks, because chat services store messages.
 */
async function readSections(uow: UnitOfWork<Service>, options: SectionOptions): Promise<NoticeSection[]> {
  const sections: NoticeSection[] = [];
  for (const setting of options.settings) {
    const section =
      setting.topic === 'payments' || setting.topic === 'reviews'
        ? await readEventSection(uow, { ...options, setting })
        : await readAlertSection(uow, setting);
    if (section.count > 0) sections.push(section);
  }
  return sections;
}

/** The subjects of the events: completed charges, and transfers that still need review. */
const subjects = {
  payments: Prisma.sql`
    SELECT charge.id, customer_amount AS amount, customer_currency AS currency, method, payment_reference AS reference
    FROM event JOIN charge ON charge.id = event.object_id WHERE event.type = 'CHARGE_COMPLETE'`,
  reviews: Prisma.sql`
    SELECT transfer.id, amount, transfer.currency, method, '' AS reference
    FROM event JOIN transfer ON transfer.id = event.object_id AND transfer.status = 'exception'
      JOIN receiving_account ON receiving_account.id = transfer.receiving_account_id
    WHERE event.type = 'transfer_exception'`,
};

const pages = { payments: 'charges', reviews: 'review' };

type SubjectRow = { amount: bigint; currency: CurrencyCode; method: MethodCode; reference: string };

async function readEventSection(
  { tx, settings: { publicUrl } }: UnitOfWork<Service>,
  options: SectionOptions & { setting: NoticeSetting },
): Promise<NoticeSection> {
  const { merchantId, position, setting } = options;
  const topic = setting.topic as keyof typeof subjects;
  // A subject may have several events.
  const rows = Prisma.sql`SELECT DISTINCT * FROM (${subjects[topic]} AND event.merchant_id = ${merchantId}
    AND event.mode = 'live' AND event.sequence > ${setting.eventPosition} AND event.sequence <= ${position}) AS subject`;
  const totals = await tx.$queryRaw<{ count: bigint; minor: bigint; currency: CurrencyCode }[]>`
    SELECT count(*) AS count, sum(amount)::bigint AS minor, currency FROM (${rows}) AS subjects
    GROUP BY currency ORDER BY count(*) DESC, currency`;
  const newest = await tx.$queryRaw<SubjectRow[]>`${rows} ORDER BY id DESC LIMIT ${itemsMax}`;
  return {
    topic,
    count: totals.reduce((sum, { count }) => sum + Number(count), 0),
    items: newest.map(({ amount, currency, method, reference }) =>
      [formatMoney(locale, { minor: amount, currency }), languages.en.methods[method], reference]
        .filter((part) => part !== '')
        .join(' · '),
    ),
    totals: totals.map(({ minor, currency }) => formatMoney(locale, { minor, currency })),
    url: `${publicUrl}/dashboard/${pages[topic]}`,
  };
}

async function readAlertSection(
  { tx, settings: { publicUrl } }: UnitOfWork<Service>,
  { topic, alertIds }: NoticeSetting,
): Promise<NoticeSection> {
  const where = { id: { in: alertIds } };
  const alerts = await tx.alert.findMany({ where, orderBy: { id: 'desc' }, take: itemsMax });
  const [only] = alerts;
  const page = topic === 'endpoints' ? 'webhooks' : 'bank-feeds';
  return {
    topic,
    count: alerts.length < itemsMax ? alerts.length : await tx.alert.count({ where }),
    items: alerts.map(toAlertItem),
    totals: [],
    url: topic === 'accounts' && only && alerts.length === 1 ? only.url : `${publicUrl}/dashboard/${page}`,
  };
}

function toAlertItem(alert: Alert): string {
  const kind = alert.kind as AlertKind;
  const mode = alert.mode === 'sandbox' ? ' (sandbox)' : '';
  if (kind === 'references_low') return `${getReferencesLowTitle()}${mode}: ${alert.detail}`;
  if (kind === 'feed_failing' || kind === 'feed_late')
    return `${getBankFeedTitle(kind)}${mode}: ${alert.detail}`;
  return `${getEndpointAlertTitle(kind)}${mode}: ${withoutQuery(alert.url)}`;
}
