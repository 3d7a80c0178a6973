import type { EndpointAlertKind } from '../../notification/endpoint-health.ts';
import { type MailContent, type MailTemplate, writeMail } from '../mail.ts';
import { modeNames } from '../mode-names.ts';
import type { TeamLanguage } from '../team-language.ts';
import { formatUtcMinute } from '../utc-minute.ts';

type EndpointAlertMailFacts = {
  kind: EndpointAlertKind;
  merchant: string;
  mode: 'live' | 'sandbox';
  isWebhook: boolean;
  url: string;
  /** The reason that the delivery log shows. */
  detail: string;
  at: Date;
  dashboardUrl: string;
};

type EndpointAlertMailStrings = {
  subjects: Record<EndpointAlertKind, string>;
  texts: Record<EndpointAlertKind, string>;
  webhook: string;
  callback: string;
  facts: { endpoint: string; mode: string; reason: string; time: string };
  button: string;
  note: (merchant: string) => string;
};

const translations: Record<TeamLanguage, EndpointAlertMailStrings> = {
  en: {
    subjects: {
      endpoint_failing: 'Notifications are not arriving',
      delivery_failed: 'A notification could not be delivered',
      webhook_disabled: 'A webhook was disabled',
      endpoint_recovered: 'Notifications are arriving again',
    },
    texts: {
      endpoint_failing:
        'Four delivery attempts in a row have failed. Delivery is retried at increasing intervals.',
      delivery_failed:
        'All delivery attempts have failed. You can resend the notification from its page in the dashboard.',
      webhook_disabled:
        'It no longer receives notifications. They are recorded: to send them later, enable the webhook and retry them on the dashboard page Notifications.',
      endpoint_recovered:
        'The URL is responding again. You can retry failed notifications on the dashboard page Notifications.',
    },
    webhook: 'Webhook',
    callback: 'Callback',
    facts: { endpoint: 'URL', mode: 'Mode', reason: 'Reason', time: 'Time (UTC)' },
    button: 'Open the dashboard',
    note: (merchant) =>
      `You’re receiving this email because of your notification settings at ${merchant}. You can change them on the page Your account.`,
  },
  zh: {
    subjects: {
      endpoint_failing: '通知未能送达',
      delivery_failed: '一条通知投递失败',
      webhook_disabled: '一个 Webhook 已被停用',
      endpoint_recovered: '通知已恢复送达',
    },
    texts: {
      endpoint_failing: '连续四次投递失败。系统会以逐渐拉长的间隔继续重试。',
      delivery_failed: '所有投递尝试均已失败。您可以在管理后台的通知页面重新发送。',
      webhook_disabled:
        '该 Webhook 不再接收通知。未发送的通知会被记录：重新启用后，可在管理后台的“Notifications”页面重新发送。',
      endpoint_recovered: '该 URL 已恢复响应。投递失败的通知可在管理后台的“Notifications”页面重新发送。',
    },
    webhook: 'Webhook',
    callback: '回调',
    facts: { endpoint: 'URL', mode: '模式', reason: '原因', time: '时间（UTC）' },
    button: '打开管理后台',
    note: (merchant) => `您收到此邮件，是因为您在 ${merchant} 的通知设置。您可以在“Your account”页面更改。`,
  },
  th: {
    subjects: {
      endpoint_failing: 'การแจ้งเตือนส่งไม่ถึง',
      delivery_failed: 'ส่งการแจ้งเตือนหนึ่งรายการไม่สำเร็จ',
      webhook_disabled: 'เว็บฮุกถูกปิดใช้งาน',
      endpoint_recovered: 'ส่งการแจ้งเตือนได้ตามปกติแล้ว',
    },
    texts: {
      endpoint_failing: 'การส่งล้มเหลวติดต่อกันสี่ครั้ง ระบบจะลองใหม่โดยเว้นช่วงนานขึ้นเรื่อย ๆ',
      delivery_failed: 'การส่งทุกครั้งล้มเหลว คุณส่งการแจ้งเตือนนี้ซ้ำได้จากหน้าของการแจ้งเตือนในแดชบอร์ด',
      webhook_disabled:
        'เว็บฮุกนี้จะไม่ได้รับการแจ้งเตือนอีก การแจ้งเตือนที่ไม่ได้ส่งจะถูกบันทึกไว้ เมื่อเปิดใช้งานเว็บฮุกอีกครั้ง คุณส่งซ้ำได้จากหน้า “Notifications” ในแดชบอร์ด',
      endpoint_recovered: 'URL นี้กลับมาตอบสนองแล้ว คุณส่งการแจ้งเตือนที่ล้มเหลวซ้ำได้จากหน้า “Notifications” ในแดชบอร์ด',
    },
    webhook: 'เว็บฮุก',
    callback: 'คอลแบ็ก',
    facts: { endpoint: 'URL', mode: 'โหมด', reason: 'สาเหตุ', time: 'เวลา (UTC)' },
    button: 'เปิดแดชบอร์ด',
    note: (merchant) => `คุณได้รับอีเมลนี้ตามการตั้งค่าการแจ้งเตือนของคุณที่ ${merchant} คุณเปลี่ยนได้ที่หน้า “Your account”`,
  },
};

export function getEndpointAlertTitle(language: TeamLanguage, kind: EndpointAlertKind): string {
  return translations[language].subjects[kind];
}

/**
 * An email to users which reports that an endpoint is failing, a delivery has failed permanently, a
 * webhook was disabled, or an endpoint has recovered.
 */
export function endpointAlertMail(language: TeamLanguage, facts: EndpointAlertMailFacts): MailContent {
  const strings = translations[language];
  const mail: MailTemplate = {
    subject: `${strings.subjects[facts.kind]}: ${facts.merchant}`,
    blocks: [
      strings.texts[facts.kind],
      {
        facts: [
          [
            strings.facts.endpoint,
            `${facts.isWebhook ? strings.webhook : strings.callback} ${withoutQuery(facts.url)}`,
          ],
          [strings.facts.mode, modeNames[language][facts.mode]],
          ...(facts.kind === 'endpoint_recovered'
            ? []
            : [[strings.facts.reason, facts.detail] satisfies [string, string]]),
          [strings.facts.time, formatUtcMinute(facts.at)],
        ],
      },
      { button: strings.button, url: facts.dashboardUrl },
    ],
    note: strings.note(facts.merchant),
  };
  return writeMail({ language, sender: 'Causeway', ...mail });
}

/** Removes the query string, which may contain a secret of the merchant. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*/s, '');
}
