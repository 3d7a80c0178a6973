import type { MessageLanguage } from '../language.ts';
import { type MailContent, type MailWords, writeMail } from '../mail.ts';

type Facts = { merchant: string; plan: string; url: string };

const words: Record<MessageLanguage, (facts: Facts) => MailWords> = {
  en: ({ merchant, plan, url }) => ({
    subject: `Cancel your subscription at ${merchant}?`,
    blocks: [
      `You asked to cancel ${plan} at ${merchant}. Open this link within an hour to go on.`,
      { button: 'Go on to cancel', url },
    ],
    note: 'If that was not you, do nothing: the subscription goes on.',
  }),
  zh: ({ merchant, plan, url }) => ({
    subject: `要取消您在 ${merchant} 的订阅吗？`,
    blocks: [
      `您要求取消 ${merchant} 的「${plan}」。请在一小时内打开此链接以继续。`,
      { button: '继续取消', url },
    ],
    note: '如果不是您本人操作，请忽略：订阅将继续。',
  }),
  th: ({ merchant, plan, url }) => ({
    subject: `ยกเลิกการสมัครของคุณที่ ${merchant} หรือไม่`,
    blocks: [
      `คุณขอยกเลิก ${plan} ที่ ${merchant} เปิดลิงก์นี้ภายในหนึ่งชั่วโมงเพื่อดำเนินการต่อ`,
      { button: 'ดำเนินการยกเลิกต่อ', url },
    ],
    note: 'หากไม่ใช่คุณ ไม่ต้องทำอะไร การสมัครจะดำเนินต่อไป',
  }),
};

/** By its link the customer cancels a subscription. */
export function cancellationMail(language: MessageLanguage, facts: Facts): MailContent {
  return writeMail({ language, sender: facts.merchant, ...words[language](facts) });
}
