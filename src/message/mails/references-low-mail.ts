import { type MailContent, writeMail } from '../mail.ts';
import { modeNames } from '../mode-names.ts';
import type { TeamLanguage } from '../team-language.ts';
import { formatUtcMinute } from '../utc-minute.ts';

type ReferencesLowMailFacts = {
  merchant: string;
  mode: 'live' | 'sandbox';
  /** The numbers of used and available references. */
  detail: string;
  at: Date;
  /** The URL of the account's page in the dashboard. */
  dashboardUrl: string;
};

type ReferencesLowMailStrings = {
  subject: string;
  texts: [string, string];
  facts: Record<'mode' | 'references' | 'time', string>;
  button: string;
  note: (merchant: string) => string;
};

const translations: Record<TeamLanguage, ReferencesLowMailStrings> = {
  en: {
    subject: 'A receiving account has used half of its payment references',
    texts: [
      'Each payment reference stays reserved for 180 days. When none is left, customers can no longer pay to this account by this method.',
      'Add another receiving account for the method. If the number of new payments is unusual, check where they come from.',
    ],
    facts: { mode: 'Mode', references: 'Payment references', time: 'Time (UTC)' },
    button: 'Open receiving account',
    note: (merchant) =>
      `You’re receiving this email because of your notification settings at ${merchant}. You can change them on the page Your account.`,
  },
  zh: {
    subject: '收款账户的付款附言已用去一半',
    texts: [
      '每个付款附言会保留 180 天。用尽后，客户将无法再用此付款方式付款至该账户。',
      '请为该付款方式添加另一个收款账户。如果新付款数量异常，请检查其来源。',
    ],
    facts: { mode: '模式', references: '付款附言', time: '时间（UTC）' },
    button: '打开收款账户',
    note: (merchant) => `您收到此邮件，是因为您在 ${merchant} 的通知设置。您可以在“Your account”页面更改。`,
  },
  th: {
    subject: 'บัญชีรับเงินใช้รหัสอ้างอิงการชำระเงินไปแล้วครึ่งหนึ่ง',
    texts: [
      'รหัสอ้างอิงแต่ละรหัสจะถูกสงวนไว้ 180 วัน เมื่อไม่มีรหัสเหลือ ลูกค้าจะชำระเงินเข้าบัญชีนี้ด้วยวิธีนี้ไม่ได้อีก',
      'โปรดเพิ่มบัญชีรับเงินอีกบัญชีสำหรับวิธีนี้ หากจำนวนรายการใหม่ผิดปกติ โปรดตรวจสอบว่ามาจากที่ใด',
    ],
    facts: { mode: 'โหมด', references: 'รหัสอ้างอิง', time: 'เวลา (UTC)' },
    button: 'เปิดบัญชีรับเงิน',
    note: (merchant) => `คุณได้รับอีเมลนี้ตามการตั้งค่าการแจ้งเตือนของคุณที่ ${merchant} คุณเปลี่ยนได้ที่หน้า “Your account”`,
  },
};

export function getReferencesLowTitle(language: TeamLanguage): string {
  return translations[language].subject;
}

/** An email to users which reports that an account has used half of its payment references. */
export function referencesLowMail(language: TeamLanguage, facts: ReferencesLowMailFacts): MailContent {
  const { subject, texts, facts: labels, button, note } = translations[language];
  return writeMail({
    language,
    sender: 'Causeway',
    subject: `${subject}: ${facts.merchant}`,
    blocks: [
      ...texts,
      {
        facts: [
          [labels.mode, modeNames[language][facts.mode]],
          [labels.references, facts.detail],
          [labels.time, formatUtcMinute(facts.at)],
        ],
      },
      { button, url: facts.dashboardUrl },
    ],
    note: note(facts.merchant),
  });
}
