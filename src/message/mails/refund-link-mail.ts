import type { MessageLanguage } from '../language.ts';
import { type MailContent, type MailTemplate, writeMail } from '../mail.ts';

type RefundLinkMailFacts = {
  merchant: string;
  /** Formatted for the reader. */
  amount: string;
  url: string;
  /** The reference of the payout, which customers may quote in questions. */
  reference: string;
  /** The merchant's reason why bank details are requested again; null the first time. */
  reason: string | null;
};

const templates: Record<MessageLanguage, (facts: RefundLinkMailFacts) => MailTemplate> = {
  en: ({ merchant, amount, url, reference, reason }) => ({
    subject: reason === null ? `Your refund from ${merchant}` : `Your refund from ${merchant} was returned`,
    blocks: [
      reason === null
        ? `${merchant} is refunding ${amount} to you. Please enter the bank details to send it to.`
        : `${merchant} sent your refund, but it was returned. Please check your bank details and enter them again.`,
      {
        facts: [
          ['Amount', amount],
          ['Reference', reference],
          ...(reason === null ? [] : [['Reason', reason] satisfies [string, string]]),
        ],
      },
      { button: 'Enter bank details', url },
    ],
    note: `This link is private. You’re receiving this email because you paid ${merchant}.`,
  }),
  zh: ({ merchant, amount, url, reference, reason }) => ({
    subject: reason === null ? `${merchant} 给您的退款` : `${merchant} 给您的退款被退回`,
    blocks: [
      reason === null
        ? `${merchant} 将向您退款 ${amount}，请填写收款账户。`
        : `${merchant} 已向您汇出退款，但款项被退回。请核对您的账户信息并重新填写。`,
      {
        facts: [
          ['金额', amount],
          ['附言', reference],
          ...(reason === null ? [] : [['原因', reason] satisfies [string, string]]),
        ],
      },
      { button: '填写收款账户', url },
    ],
    note: `此链接仅供您本人使用。您收到本邮件是因为您曾向 ${merchant} 付款。`,
  }),
  th: ({ merchant, amount, url, reference, reason }) => ({
    subject: reason === null ? `เงินคืนจาก ${merchant}` : `เงินคืนจาก ${merchant} ถูกตีกลับ`,
    blocks: [
      reason === null
        ? `${merchant} จะคืนเงิน ${amount} ให้คุณ โปรดกรอกบัญชีที่ต้องการรับเงิน`
        : `${merchant} โอนเงินคืนให้คุณแล้ว แต่เงินถูกตีกลับ โปรดตรวจสอบข้อมูลบัญชีและกรอกอีกครั้ง`,
      {
        facts: [
          ['จำนวนเงิน', amount],
          ['รหัสอ้างอิง', reference],
          ...(reason === null ? [] : [['เหตุผล', reason] satisfies [string, string]]),
        ],
      },
      { button: 'กรอกบัญชีรับเงิน', url },
    ],
    note: `ลิงก์นี้สำหรับคุณเท่านั้น คุณได้รับอีเมลนี้เพราะเคยชำระเงินให้ ${merchant}`,
  }),
};

/** An email that asks the customer for the bank details of a refund. */
export function refundLinkMail(language: MessageLanguage, facts: RefundLinkMailFacts): MailContent {
  return writeMail({ language, sender: facts.merchant, ...templates[language](facts) });
}
