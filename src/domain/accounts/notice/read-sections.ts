import type { Alert, NoticeSetting } from '../../../../prisma/client/client.ts';
import { Prisma } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { CurrencyCode } from '../../../kit/currency.ts';
import { formatMoney, getLocale } from '../../../language/format.ts';
import { languages } from '../../../language/languages.ts';
import { getBankFeedTitle } from '../../../message/mails/bank-feed-mail.ts';
import { getEndpointAlertTitle, withoutQuery } from '../../../message/mails/endpoint-alert-mail.ts';
import type { NoticeSection } from '../../../message/mails/notice-mail.ts';
import { getReferencesLowTitle } from '../../../message/mails/references-low-mail.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { Service } from '../../platform/service.ts';
import type { AlertKind } from '../alert/alert-kind.ts';

/** The maximum number of payments, transfers or alerts that a notice lists; the others are only counted. */
const itemsMax = 10;

const locale = getLocale('en');

type SectionOptions = { merchantId: string; settings: readonly NoticeSetting[]; position: bigint };

/**
 * Returns the content of the topics: for each setting, its alerts, or the live events from its own position up to
 * `position`. Contains no names of customers and no texts of banks, because a chat service stores it.
 */
export async function readSections(
  uow: UnitOfWork<Service>,
  options: SectionOptions,
): Promise<NoticeSection[]> {
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
