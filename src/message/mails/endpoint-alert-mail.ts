import type { EndpointAlertKind } from '../../notification/endpoint-health.ts';
import type { MessageLanguage } from '../language.ts';
import { type MailContent, type MailWords, writeMail } from '../mail.ts';
import { utcMinute } from '../utc-minute.ts';

type Facts = {
  kind: EndpointAlertKind;
  merchant: string;
  mode: 'live' | 'sandbox';
  isWebhook: boolean;
  url: string;
  /** Why, as the delivery log says it. */
  detail: string;
  at: Date;
  dashboardUrl: string;
};

type Words = {
  subjects: Record<EndpointAlertKind, string>;
  texts: Record<EndpointAlertKind, string>;
  /** What happens to callbacks, which are never switched off. */
  webhook: string;
  callback: string;
  facts: { endpoint: string; mode: string; reason: string; time: string };
  button: string;
  note: (merchant: string) => string;
};

const words: Record<MessageLanguage, Words> = {
  en: {
    subjects: {
      endpoint_failing: 'Notifications are not arriving',
      delivery_failed: 'A notification was given up',
      webhook_disabled: 'A webhook was switched off',
      endpoint_recovered: 'Notifications arrive again',
    },
    texts: {
      endpoint_failing: 'Four attempts in a row have failed. Delivery is tried again with growing waits.',
      delivery_failed: 'All attempts to deliver it have failed. It can be sent again from the delivery log.',
      webhook_disabled:
        'It gets no notifications any more. What it misses is recorded: switch it on again and replay it from the delivery log.',
      endpoint_recovered:
        'The address answers again. What failed for good can be replayed from the delivery log.',
    },
    webhook: 'Webhook',
    callback: 'Callback',
    facts: { endpoint: 'Address', mode: 'Mode', reason: 'Reason', time: 'Time (UTC)' },
    button: 'Open the dashboard',
    note: (merchant) => `You get this as an owner or developer of ${merchant}.`,
  },
  zh: {
    subjects: {
      endpoint_failing: '通知未能送达',
      delivery_failed: '一条通知已放弃投递',
      webhook_disabled: '一个 Webhook 已被停用',
      endpoint_recovered: '通知已恢复送达',
    },
    texts: {
      endpoint_failing: '连续四次投递失败。系统会以逐渐拉长的间隔继续重试。',
      delivery_failed: '所有投递尝试均已失败。您可以在投递记录中重新发送。',
      webhook_disabled: '该地址不再接收通知。错过的通知会被记录：重新启用后，可在投递记录中补发。',
      endpoint_recovered: '该地址已恢复响应。彻底失败的通知可以在投递记录中补发。',
    },
    webhook: 'Webhook',
    callback: '回调',
    facts: { endpoint: '地址', mode: '模式', reason: '原因', time: '时间（UTC）' },
    button: '打开管理后台',
    note: (merchant) => `您是 ${merchant} 的所有者或开发者，因此收到此邮件。`,
  },
  th: {
    subjects: {
      endpoint_failing: 'การแจ้งเตือนส่งไม่ถึง',
      delivery_failed: 'ยกเลิกการส่งการแจ้งเตือนหนึ่งรายการ',
      webhook_disabled: 'เว็บฮุกถูกปิดใช้งาน',
      endpoint_recovered: 'การแจ้งเตือนส่งถึงอีกครั้ง',
    },
    texts: {
      endpoint_failing: 'การส่งล้มเหลวติดต่อกันสี่ครั้ง ระบบจะลองใหม่โดยเว้นช่วงนานขึ้นเรื่อย ๆ',
      delivery_failed: 'การส่งล้มเหลวทุกครั้ง คุณส่งอีกครั้งได้จากบันทึกการส่ง',
      webhook_disabled: 'เว็บฮุกนี้จะไม่ได้รับการแจ้งเตือนอีก สิ่งที่พลาดไปถูกบันทึกไว้ เปิดใช้งานอีกครั้งแล้วส่งซ้ำได้จากบันทึกการส่ง',
      endpoint_recovered: 'ที่อยู่นี้ตอบสนองแล้ว รายการที่ส่งไม่สำเร็จสามารถส่งซ้ำได้จากบันทึกการส่ง',
    },
    webhook: 'เว็บฮุก',
    callback: 'คอลแบ็ก',
    facts: { endpoint: 'ที่อยู่', mode: 'โหมด', reason: 'สาเหตุ', time: 'เวลา (UTC)' },
    button: 'เปิดแดชบอร์ด',
    note: (merchant) => `คุณได้รับอีเมลนี้ในฐานะเจ้าของหรือนักพัฒนาของ ${merchant}`,
  },
};

/** To owners and developers: an endpoint fails, a delivery was given up, a webhook was switched off, it works again. */
export function endpointAlertMail(language: MessageLanguage, facts: Facts): MailContent {
  const said = words[language];
  const mail: MailWords = {
    subject: `${said.subjects[facts.kind]}: ${facts.merchant}`,
    blocks: [
      said.texts[facts.kind],
      {
        facts: [
          [
            said.facts.endpoint,
            `${facts.isWebhook ? said.webhook : said.callback} ${withoutQuery(facts.url)}`,
          ],
          [said.facts.mode, facts.mode],
          ...(facts.kind === 'endpoint_recovered'
            ? []
            : [[said.facts.reason, facts.detail] satisfies [string, string]]),
          [said.facts.time, utcMinute(facts.at)],
        ],
      },
      { button: said.button, url: facts.dashboardUrl },
    ],
    note: said.note(facts.merchant),
  };
  return writeMail({ language, sender: 'Causeway', ...mail });
}

/** What follows a question mark may be a secret of the merchant's. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*/s, '');
}
