import type { MessageLanguage } from '../language.ts';
import { type MailContent, type MailTemplate, writeMail } from '../mail.ts';

type CancellationMailFacts = { merchant: string; plan: string; url: string };

const templates: Record<MessageLanguage, (facts: CancellationMailFacts) => MailTemplate> = {
  en: ({ merchant, plan, url }) => ({
    subject: `Cancel your subscription with ${merchant}?`,
    blocks: [
      `You asked to cancel ${plan} from ${merchant}. Open this link within an hour to continue.`,
      { button: 'Continue to cancel', url },
    ],
    note: 'If this was not you, you can ignore this email. Your subscription will continue.',
  }),
  zh: ({ merchant, plan, url }) => ({
    subject: `要取消您在 ${merchant} 的订阅吗？`,
    blocks: [
      `您申请取消 ${merchant} 的“${plan}”。如需继续，请在一小时内打开此链接。`,
      { button: '继续取消', url },
    ],
    note: '如非本人操作，请忽略本邮件，您的订阅将继续。',
  }),
  th: ({ merchant, plan, url }) => ({
    subject: `ต้องการยกเลิกการสมัครสมาชิกที่ ${merchant} หรือไม่`,
    blocks: [
      `คุณขอยกเลิก ${plan} ที่ ${merchant} โปรดเปิดลิงก์นี้ภายในหนึ่งชั่วโมงเพื่อดำเนินการต่อ`,
      { button: 'ดำเนินการยกเลิกต่อ', url },
    ],
    note: 'หากคุณไม่ได้เป็นผู้ขอ โปรดเพิกเฉยต่ออีเมลนี้ การสมัครสมาชิกของคุณจะดำเนินต่อไป',
  }),
};

/** An email with the link that confirms a cancellation. */
export function cancellationMail(language: MessageLanguage, facts: CancellationMailFacts): MailContent {
  return writeMail({ language, sender: facts.merchant, ...templates[language](facts) });
}
