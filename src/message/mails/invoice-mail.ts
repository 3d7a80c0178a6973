import type { MessageLanguage } from '../language.ts';
import { type MailContent, type MailWords, writeMail } from '../mail.ts';

/** Of the invoice; on its due date, or after it where the reminder comes late; when the days of grace are over. */
export type InvoiceMailKind = 'due' | 'reminder' | 'overdue' | 'paused';

type Facts = {
  kind: InvoiceMailKind;
  merchant: string;
  plan: string;
  number: number;
  /** As the reader writes them. */
  amount: string;
  date: string;
  invoiceUrl: string;
  pdfUrl: string;
  manageUrl: string;
  /** Where a program switches reminders off by itself; null for the invoice, which comes in any case. */
  oneClickUrl: string | null;
};

const words: Record<MessageLanguage, (facts: Facts) => MailWords> = {
  en: (facts) => {
    const { merchant, plan, number, amount, date } = facts;
    return {
      subject: {
        due: `Invoice ${number} from ${merchant}`,
        reminder: `Due today: invoice ${number} from ${merchant}`,
        overdue: `Overdue: invoice ${number} from ${merchant}`,
        paused: `Paused: your subscription at ${merchant}`,
      }[facts.kind],
      blocks: [
        {
          due: `Your next payment to ${merchant} for ${plan} is due on ${date}.`,
          reminder: `Your payment to ${merchant} for ${plan} is due today. If you have paid already, there is nothing to do.`,
          overdue: `Your payment to ${merchant} for ${plan} was due on ${date}. If you have paid already, there is nothing to do.`,
          paused: `We have not received your payment to ${merchant} for ${plan}, so the subscription is paused. It goes on when you pay.`,
        }[facts.kind],
        {
          facts: [
            ['Invoice', String(number)],
            ['Amount', amount],
            ['Due', date],
          ],
        },
        { button: 'Pay now', url: facts.invoiceUrl },
        { link: 'Invoice as a PDF', url: facts.pdfUrl },
        'Nothing is charged by itself.',
        { link: 'See your subscription, change how you pay, or cancel', url: facts.manageUrl },
      ],
      unsubscribe: remindersOff('No more reminders (this does not cancel the subscription)', facts),
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
          due: `您向 ${merchant} 支付的“${plan}”下一期款项将于 ${date} 到期。`,
          reminder: `您向 ${merchant} 支付的“${plan}”款项今天到期。如已付款，则无需任何操作。`,
          overdue: `您向 ${merchant} 支付的“${plan}”款项已于 ${date} 到期。如已付款，则无需任何操作。`,
          paused: `我们尚未收到您向 ${merchant} 支付的“${plan}”款项，订阅因此暂停。付款后即可继续。`,
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
        { link: '查看订阅、更改付款方式或取消订阅', url: facts.manageUrl },
      ],
      unsubscribe: remindersOff('不再接收提醒（不会取消订阅）', facts),
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
          reminder: `การชำระเงินให้ ${merchant} สำหรับ ${plan} ครบกำหนดวันนี้ หากชำระแล้ว ไม่ต้องดำเนินการใด ๆ`,
          overdue: `การชำระเงินให้ ${merchant} สำหรับ ${plan} ครบกำหนดเมื่อวันที่ ${date} หากชำระแล้ว ไม่ต้องดำเนินการใด ๆ`,
          paused: `เรายังไม่ได้รับการชำระเงินให้ ${merchant} สำหรับ ${plan} การสมัครสมาชิกจึงหยุดชั่วคราว และจะดำเนินต่อเมื่อคุณชำระเงิน`,
        }[facts.kind],
        {
          facts: [
            ['ใบแจ้งหนี้', String(number)],
            ['จำนวนเงิน', amount],
            ['ครบกำหนด', date],
          ],
        },
        { button: 'ชำระเงิน', url: facts.invoiceUrl },
        { link: 'ใบแจ้งหนี้ PDF', url: facts.pdfUrl },
        'ไม่มีการหักเงินอัตโนมัติ',
        { link: 'ดูการสมัครสมาชิก เปลี่ยนวิธีชำระเงิน หรือยกเลิก', url: facts.manageUrl },
      ],
      unsubscribe: remindersOff('หยุดรับการแจ้งเตือน (ไม่ใช่การยกเลิกการสมัครสมาชิก)', facts),
    };
  },
};

/** The page shows the button; a press there or in the program for mail switches reminders off, and nothing else. */
function remindersOff(label: string, { manageUrl, oneClickUrl }: Facts) {
  return { label, url: `${manageUrl}#reminders`, ...(oneClickUrl !== null && { oneClickUrl }) };
}

/** Asks a customer for the next payment of a subscription. */
export function invoiceMail(language: MessageLanguage, facts: Facts): MailContent {
  return writeMail({ language, sender: facts.merchant, ...words[language](facts) });
}
