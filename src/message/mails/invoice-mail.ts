import type { MessageLanguage } from '../language.ts';
import { type MailContent, type MailTemplate, writeMail } from '../mail.ts';

/**
 * `due` announces the invoice. `reminder` is sent on the due date, or `overdue` instead if the reminder is
 * late. `paused` is sent when the grace period ends.
 */
export type InvoiceMailKind = 'due' | 'reminder' | 'overdue' | 'paused';

type InvoiceMailFacts = {
  kind: InvoiceMailKind;
  merchant: string;
  plan: string;
  number: number;
  /** `amount` and `date` are formatted for the reader. */
  amount: string;
  date: string;
  invoiceUrl: string;
  pdfUrl: string;
  manageUrl: string;
  /** The one-click unsubscribe URL for reminders; null for the invoice itself, which is always sent. */
  oneClickUrl: string | null;
};

const templates: Record<MessageLanguage, (facts: InvoiceMailFacts) => MailTemplate> = {
  en: (facts) => {
    const { merchant, plan, number, amount, date } = facts;
    return {
      subject: {
        due: `Invoice ${number} from ${merchant}`,
        reminder: `Due today: invoice ${number} from ${merchant}`,
        overdue: `Overdue: invoice ${number} from ${merchant}`,
        paused: `Paused: your subscription with ${merchant}`,
      }[facts.kind],
      blocks: [
        {
          due: `Your next payment to ${merchant} for ${plan} is due on ${date}.`,
          reminder: `Your payment to ${merchant} for ${plan} is due today. If you have already paid, you can ignore this email.`,
          overdue: `Your payment to ${merchant} for ${plan} was due on ${date}. If you have already paid, you can ignore this email.`,
          paused: `We haven’t received your payment to ${merchant} for ${plan}, so your subscription is paused. Pay the invoice to resume.`,
        }[facts.kind],
        {
          facts: [
            ['Invoice', String(number)],
            ['Amount', amount],
            ['Due', date],
          ],
        },
        { button: 'Pay now', url: facts.invoiceUrl },
        { link: 'Invoice (PDF)', url: facts.pdfUrl },
        'Nothing is charged automatically.',
        { link: 'Manage subscription', url: facts.manageUrl },
      ],
      unsubscribe: toUnsubscribe('Turn off reminders (this does not cancel the subscription)', facts),
    };
  },
  zh: (facts) => {
    const { merchant, plan, number, amount, date } = facts;
    return {
      subject: {
        due: `${merchant} 的账单 ${number}`,
        reminder: `今天到期：${merchant} 的账单 ${number}`,
        overdue: `已逾期：${merchant} 的账单 ${number}`,
        paused: `已暂停：您在 ${merchant} 的订阅`,
      }[facts.kind],
      blocks: [
        {
          due: `您在 ${merchant} 订阅的“${plan}”，下一期款项将于${date}到期。`,
          reminder: `您在 ${merchant} 订阅的“${plan}”，本期款项今天到期。如已付款，请忽略本邮件。`,
          overdue: `您在 ${merchant} 订阅的“${plan}”，本期款项已于${date}到期。如已付款，请忽略本邮件。`,
          paused: `我们尚未收到您在 ${merchant} 订阅的“${plan}”的款项，订阅已暂停。付清账单后即可恢复。`,
        }[facts.kind],
        {
          facts: [
            ['账单', String(number)],
            ['金额', amount],
            ['到期日', date],
          ],
        },
        { button: '立即付款', url: facts.invoiceUrl },
        { link: '账单（PDF）', url: facts.pdfUrl },
        '不会自动扣款。',
        { link: '管理订阅', url: facts.manageUrl },
      ],
      unsubscribe: toUnsubscribe('关闭提醒（不会取消订阅）', facts),
    };
  },
  th: (facts) => {
    const { merchant, plan, number, amount, date } = facts;
    return {
      subject: {
        due: `ใบแจ้งหนี้ ${number} จาก ${merchant}`,
        reminder: `ครบกำหนดวันนี้: ใบแจ้งหนี้ ${number} จาก ${merchant}`,
        overdue: `เลยกำหนดชำระ: ใบแจ้งหนี้ ${number} จาก ${merchant}`,
        paused: `หยุดชั่วคราว: การสมัครสมาชิกของคุณที่ ${merchant}`,
      }[facts.kind],
      blocks: [
        {
          due: `การชำระเงินครั้งถัดไปให้ ${merchant} สำหรับ ${plan} ครบกำหนดวันที่ ${date}`,
          reminder: `การชำระเงินให้ ${merchant} สำหรับ ${plan} ครบกำหนดวันนี้ หากชำระแล้ว โปรดเพิกเฉยต่ออีเมลนี้`,
          overdue: `การชำระเงินให้ ${merchant} สำหรับ ${plan} ครบกำหนดเมื่อวันที่ ${date} หากชำระแล้ว โปรดเพิกเฉยต่ออีเมลนี้`,
          paused: `เรายังไม่ได้รับการชำระเงินให้ ${merchant} สำหรับ ${plan} การสมัครสมาชิกของคุณจึงหยุดชั่วคราว โปรดชำระใบแจ้งหนี้เพื่อใช้งานต่อ`,
        }[facts.kind],
        {
          facts: [
            ['ใบแจ้งหนี้', String(number)],
            ['จำนวนเงิน', amount],
            ['ครบกำหนด', date],
          ],
        },
        { button: 'ชำระเงินทันที', url: facts.invoiceUrl },
        { link: 'ใบแจ้งหนี้ (PDF)', url: facts.pdfUrl },
        'ไม่มีการหักเงินอัตโนมัติ',
        { link: 'จัดการการสมัครสมาชิก', url: facts.manageUrl },
      ],
      unsubscribe: toUnsubscribe('ปิดการแจ้งเตือน (ไม่ใช่การยกเลิกการสมัครสมาชิก)', facts),
    };
  },
};

/**
 * `url` opens a page with a button. That button, and the unsubscribe button of the email client, only turn off
 * reminders.
 */
function toUnsubscribe(label: string, { manageUrl, oneClickUrl }: InvoiceMailFacts) {
  return { label, url: `${manageUrl}#reminders`, ...(oneClickUrl !== null && { oneClickUrl }) };
}

/** An email that asks a customer for the next payment of a subscription. */
export function invoiceMail(language: MessageLanguage, facts: InvoiceMailFacts): MailContent {
  return writeMail({ language, sender: facts.merchant, ...templates[language](facts) });
}
