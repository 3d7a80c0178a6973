import type { NoticeTopic } from '../../../prisma/client/client.ts';
import { escapeChatText } from '../chat-sender.ts';
import { type MailContent, writeMail } from '../mail.ts';
import type { TeamLanguage } from '../team-language.ts';

/** The events of one topic. */
export type NoticeSection = {
  topic: NoticeTopic;
  count: number;
  /** The newest payments, transfers or alerts, each on one line. */
  items: string[];
  /** The total by currency, such as `HK$128.50`; empty for alerts. */
  totals: string[];
  /** The page that lists them. */
  url: string;
};

export type NoticeFacts = {
  merchant: string;
  /** Whether the notice is a daily summary. */
  isDaily: boolean;
  sections: NoticeSection[];
};

type NoticeStrings = {
  daily: string;
  titles: Record<NoticeTopic, (count: number) => string>;
  more: (count: number) => string;
  buttons: Record<NoticeTopic, string>;
  test: { subject: string; text: (merchant: string) => string; button: string };
  note: (merchant: string) => string;
};

const translations: Record<TeamLanguage, NoticeStrings> = {
  en: {
    daily: 'Daily summary',
    titles: {
      payments: (count) => (count === 1 ? '1 payment received' : `${count} payments received`),
      reviews: (count) => (count === 1 ? '1 transfer needs review' : `${count} transfers need review`),
      endpoints: (count) => (count === 1 ? '1 endpoint alert' : `${count} endpoint alerts`),
      accounts: (count) =>
        count === 1 ? '1 bank feed or account alert' : `${count} bank feed or account alerts`,
    },
    more: (count) => `and ${count} more`,
    buttons: {
      payments: 'Open payments',
      reviews: 'Review transfers',
      endpoints: 'Open webhooks',
      accounts: 'Open bank feeds',
    },
    test: {
      subject: 'Test message',
      text: (merchant) => `Notifications about ${merchant} will arrive here.`,
      button: 'Open your account',
    },
    note: (merchant) =>
      `You’re receiving this email because of your notification settings at ${merchant}. You can change them on the page Your account.`,
  },
  zh: {
    daily: '每日汇总',
    titles: {
      payments: (count) => `收到 ${count} 笔付款`,
      reviews: (count) => `${count} 笔转账待核对`,
      endpoints: (count) => `${count} 条端点警报`,
      accounts: (count) => `${count} 条银行数据源或账户警报`,
    },
    more: (count) => `另有 ${count} 条`,
    buttons: {
      payments: '查看付款',
      reviews: '核对转账',
      endpoints: '打开 Webhook',
      accounts: '打开银行数据源',
    },
    test: {
      subject: '测试消息',
      text: (merchant) => `有关 ${merchant} 的通知将发送到这里。`,
      button: '打开您的账户',
    },
    note: (merchant) => `您收到此邮件，是因为您在 ${merchant} 的通知设置。您可以在“Your account”页面更改。`,
  },
  th: {
    daily: 'สรุปรายวัน',
    titles: {
      payments: (count) => `ได้รับชำระเงิน ${count} รายการ`,
      reviews: (count) => `เงินโอน ${count} รายการต้องตรวจสอบ`,
      endpoints: (count) => `การแจ้งเตือนปลายทาง ${count} รายการ`,
      accounts: (count) => `การแจ้งเตือนฟีดธนาคารหรือบัญชี ${count} รายการ`,
    },
    more: (count) => `และอีก ${count} รายการ`,
    buttons: {
      payments: 'เปิดรายการชำระเงิน',
      reviews: 'ตรวจสอบเงินโอน',
      endpoints: 'เปิดเว็บฮุก',
      accounts: 'เปิดฟีดธนาคาร',
    },
    test: {
      subject: 'ข้อความทดสอบ',
      text: (merchant) => `การแจ้งเตือนเกี่ยวกับ ${merchant} จะส่งมาที่นี่`,
      button: 'เปิดบัญชีของคุณ',
    },
    note: (merchant) => `คุณได้รับอีเมลนี้ตามการตั้งค่าการแจ้งเตือนของคุณที่ ${merchant} คุณเปลี่ยนได้ที่หน้า “Your account”`,
  },
};

/** An email to a user about payments, transfers that need review, or alerts. */
export function noticeMail(language: TeamLanguage, facts: NoticeFacts): MailContent {
  const { buttons, note } = translations[language];
  const { merchant, sections } = facts;
  return writeMail({
    language,
    sender: 'Causeway',
    subject: `${getSubject(language, facts)}: ${merchant}`,
    blocks: sections.flatMap((section) => [
      [getTitle(language, section), ...getLines(language, section)].join('\n'),
      { button: buttons[section.topic], url: section.url },
    ]),
    note: note(merchant),
  });
}

/** The same as `noticeMail` for a chat. */
export function noticeChatText(language: TeamLanguage, facts: NoticeFacts): string {
  const { daily } = translations[language];
  const heading = facts.isDaily ? `${facts.merchant} · ${daily}` : facts.merchant;
  const parts = facts.sections.map((section) =>
    [getTitle(language, section), ...getLines(language, section), section.url].map(escapeChatText).join('\n'),
  );
  return [`*${escapeChatText(heading)}*`, ...parts].join('\n');
}

/** The email with which a user checks that notices arrive. */
export function testNoticeMail(
  language: TeamLanguage,
  { merchant, url }: { merchant: string; url: string },
): MailContent {
  const { test, note } = translations[language];
  return writeMail({
    language,
    sender: 'Causeway',
    subject: `${test.subject}: ${merchant}`,
    blocks: [test.text(merchant), { button: test.button, url }],
    note: note(merchant),
  });
}

export function testNoticeChatText(language: TeamLanguage, merchant: string): string {
  const { test } = translations[language];
  return `*${escapeChatText(test.subject)}*\n${escapeChatText(test.text(merchant))}`;
}

function getSubject(language: TeamLanguage, { isDaily, sections }: NoticeFacts): string {
  if (isDaily) return translations[language].daily;
  const [first] = sections;
  if (sections.length === 1 && first!.items.length === 1) return getTitle(language, first!);
  return sections.map(({ topic, count }) => translations[language].titles[topic](count)).join(', ');
}

/** Returns a title such as `2 payments received: HK$128.50, S$20.00`. */
function getTitle(language: TeamLanguage, { topic, count, totals }: NoticeSection): string {
  const title = translations[language].titles[topic](count);
  return totals.length === 0 ? title : `${title}: ${totals.join(', ')}`;
}

function getLines(language: TeamLanguage, { items, count }: NoticeSection): string[] {
  const lines = items.map((item) => `• ${item}`);
  return count > items.length ? [...lines, translations[language].more(count - items.length)] : lines;
}
