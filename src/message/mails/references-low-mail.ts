import type { MessageLanguage } from '../language.ts';
import { type MailContent, writeMail } from '../mail.ts';
import { utcMinute } from '../utc-minute.ts';

type Facts = {
  merchant: string;
  mode: 'live' | 'sandbox';
  /** How many are used, of how many. */
  detail: string;
  at: Date;
  /** Of the account. */
  dashboardUrl: string;
};

type Words = {
  subject: string;
  texts: [string, string];
  facts: Record<'mode' | 'references' | 'time', string>;
  button: string;
  note: (merchant: string) => string;
};

const words: Record<MessageLanguage, Words> = {
  en: {
    subject: 'A receiving account has used half of its payment references',
    texts: [
      'Each payment reference stays reserved for 180 days. When none is free, customers can no longer choose the method on this account.',
      'Add a second receiving account for the method. If the number of new payments is unusual, check where they come from.',
    ],
    facts: { mode: 'Mode', references: 'References', time: 'Time (UTC)' },
    button: 'Open the receiving account',
    note: (merchant) => `You get this as an owner or developer of ${merchant}.`,
  },
  zh: {
    subject: '一个收款账户已使用一半的付款参考码',
    texts: [
      '每个付款参考码会保留 180 天。参考码用尽后，客户将无法再使用该账户的付款方式。',
      '请为该付款方式添加另一个收款账户。如果新付款数量异常，请检查其来源。',
    ],
    facts: { mode: '模式', references: '参考码', time: '时间（UTC）' },
    button: '打开收款账户',
    note: (merchant) => `您是 ${merchant} 的所有者或开发者，因此收到此邮件。`,
  },
  th: {
    subject: 'บัญชีรับเงินใช้รหัสอ้างอิงการชำระเงินไปแล้วครึ่งหนึ่ง',
    texts: [
      'รหัสอ้างอิงแต่ละรหัสจะถูกสงวนไว้ 180 วัน เมื่อไม่มีรหัสว่าง ลูกค้าจะเลือกวิธีชำระเงินของบัญชีนี้ไม่ได้อีก',
      'โปรดเพิ่มบัญชีรับเงินอีกบัญชีสำหรับวิธีนี้ หากจำนวนรายการใหม่ผิดปกติ โปรดตรวจสอบว่ามาจากที่ใด',
    ],
    facts: { mode: 'โหมด', references: 'รหัสอ้างอิง', time: 'เวลา (UTC)' },
    button: 'เปิดบัญชีรับเงิน',
    note: (merchant) => `คุณได้รับอีเมลนี้ในฐานะเจ้าของหรือนักพัฒนาของ ${merchant}`,
  },
};

/** To owners and developers: an account has used half of its payment references. */
export function referencesLowMail(language: MessageLanguage, facts: Facts): MailContent {
  const { subject, texts, facts: names, button, note } = words[language];
  return writeMail({
    language,
    sender: 'Causeway',
    subject: `${subject}: ${facts.merchant}`,
    blocks: [
      ...texts,
      {
        facts: [
          [names.mode, facts.mode],
          [names.references, facts.detail],
          [names.time, utcMinute(facts.at)],
        ],
      },
      { button, url: facts.dashboardUrl },
    ],
    note: note(facts.merchant),
  });
}
