import { type MailContent, writeMail } from '../mail.ts';
import type { TeamLanguage } from '../team-language.ts';
import { formatUtcMinute } from '../utc-minute.ts';

type BankFeedMailFacts = {
  merchant: string;
  mode: 'live' | 'sandbox';
  kind: 'feed_failing' | 'feed_late';
  detail: string;
  at: Date;
  /** The URL of the feed's page in the dashboard. */
  dashboardUrl: string;
};

type BankFeedMailStrings = {
  subjects: Record<BankFeedMailFacts['kind'], string>;
  texts: Record<BankFeedMailFacts['kind'], [string, string]>;
  facts: Record<'mode' | 'detail' | 'time', string>;
  button: string;
  note: (merchant: string) => string;
};

const translations: Record<TeamLanguage, BankFeedMailStrings> = {
  en: {
    subjects: { feed_failing: 'A bank feed is failing', feed_late: 'A bank feed is silent' },
    texts: {
      feed_failing: [
        'Deliveries of a bank feed were rejected or could not be recorded. The charges that their transfers pay stay open.',
        'Open the feed to see each delivery and its error. When you have fixed the cause, process the deliveries again.',
      ],
      feed_late: [
        'A bank feed has reported nothing for longer than usual. Customers may have paid, but their charges stay open.',
        'Ask your bank or provider whether it still sends deliveries. Until it does, you can import a bank statement.',
      ],
    },
    facts: { mode: 'Mode', detail: 'Detail', time: 'Time (UTC)' },
    button: 'Open bank feed',
    note: (merchant) =>
      `You’re receiving this email because of your notification settings at ${merchant}. You can change them on the page Your account.`,
  },
  zh: {
    subjects: { feed_failing: '银行数据源出现故障', feed_late: '银行数据源没有消息' },
    texts: {
      feed_failing: [
        '银行数据源的推送被拒绝或无法记录。这些转账所支付的收款单仍未完成。',
        '请打开该数据源，查看每次推送及其错误。修正后，您可以重新处理推送。',
      ],
      feed_late: [
        '银行数据源没有消息的时间超过平常。客户可能已付款，但收款单仍未完成。',
        '请向银行或服务商确认其仍在推送。在此期间，您可以导入银行对账单。',
      ],
    },
    facts: { mode: '模式', detail: '详情', time: '时间（UTC）' },
    button: '打开银行数据源',
    note: (merchant) => `您收到此邮件，是因为您在 ${merchant} 的通知设置。您可以在“Your account”页面更改。`,
  },
  th: {
    subjects: { feed_failing: 'ฟีดธนาคารขัดข้อง', feed_late: 'ฟีดธนาคารเงียบไป' },
    texts: {
      feed_failing: [
        'ข้อมูลจากฟีดธนาคารถูกปฏิเสธหรือบันทึกไม่ได้ รายการเรียกเก็บที่ชำระด้วยเงินโอนเหล่านี้จึงยังเปิดอยู่',
        'เปิดฟีดเพื่อดูข้อมูลแต่ละครั้งและข้อผิดพลาด เมื่อแก้ไขแล้วสามารถประมวลผลข้อมูลอีกครั้งได้',
      ],
      feed_late: [
        'ฟีดธนาคารไม่ได้รายงานนานกว่าปกติ ลูกค้าอาจชำระเงินแล้ว แต่รายการเรียกเก็บยังเปิดอยู่',
        'โปรดตรวจสอบกับธนาคารหรือผู้ให้บริการว่ายังส่งข้อมูลอยู่ ระหว่างนี้สามารถนำเข้ารายการเดินบัญชีได้',
      ],
    },
    facts: { mode: 'โหมด', detail: 'รายละเอียด', time: 'เวลา (UTC)' },
    button: 'เปิดฟีดธนาคาร',
    note: (merchant) => `คุณได้รับอีเมลนี้ตามการตั้งค่าการแจ้งเตือนของคุณที่ ${merchant} คุณเปลี่ยนได้ที่หน้า “Your account”`,
  },
};

export function getBankFeedTitle(language: TeamLanguage, kind: BankFeedMailFacts['kind']): string {
  return translations[language].subjects[kind];
}

/** An email to users about a bank feed that fails or is silent. */
export function bankFeedMail(language: TeamLanguage, facts: BankFeedMailFacts): MailContent {
  const { subjects, texts, facts: labels, button, note } = translations[language];
  return writeMail({
    language,
    sender: 'Causeway',
    subject: `${subjects[facts.kind]}: ${facts.merchant}`,
    blocks: [
      ...texts[facts.kind],
      {
        facts: [
          [labels.mode, facts.mode],
          [labels.detail, facts.detail],
          [labels.time, formatUtcMinute(facts.at)],
        ],
      },
      { button, url: facts.dashboardUrl },
    ],
    note: note(facts.merchant),
  });
}
