import type { NoticeTopic } from '../../../prisma/client/client.ts';
import { escapeChatText } from '../chat-sender.ts';
import { type MailContent, writeMail, writeSettingsNote } from '../mail.ts';

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

type NoticeFacts = {
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
};

const strings: NoticeStrings = {
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
};

/** An email to a user about payments, transfers that need review, or alerts. */
export function noticeMail(facts: NoticeFacts): MailContent {
  const { buttons } = strings;
  const { merchant, sections } = facts;
  return writeMail({
    language: 'en',
    sender: 'Causeway',
    subject: `${getSubject(facts)}: ${merchant}`,
    blocks: sections.flatMap((section) => [
      [getTitle(section), ...getLines(section)].join('\n'),
      { button: buttons[section.topic], url: section.url },
    ]),
    note: writeSettingsNote(merchant),
  });
}

/** The same as `noticeMail` for a chat. */
export function noticeChatText(facts: NoticeFacts): string {
  const { daily } = strings;
  const heading = facts.isDaily ? `${facts.merchant} · ${daily}` : facts.merchant;
  const parts = facts.sections.map((section) =>
    [getTitle(section), ...getLines(section), section.url].map(escapeChatText).join('\n'),
  );
  return [`*${escapeChatText(heading)}*`, ...parts].join('\n');
}

/** The email with which a user checks that notices arrive. */
export function testNoticeMail({ merchant, url }: { merchant: string; url: string }): MailContent {
  const { test } = strings;
  return writeMail({
    language: 'en',
    sender: 'Causeway',
    subject: `${test.subject}: ${merchant}`,
    blocks: [test.text(merchant), { button: test.button, url }],
    note: writeSettingsNote(merchant),
  });
}

export function testNoticeChatText(merchant: string): string {
  const { test } = strings;
  return `*${escapeChatText(test.subject)}*\n${escapeChatText(test.text(merchant))}`;
}

function getSubject({ isDaily, sections }: NoticeFacts): string {
  if (isDaily) return strings.daily;
  const [first] = sections;
  if (sections.length === 1 && first!.items.length === 1) return getTitle(first!);
  return sections.map(({ topic, count }) => strings.titles[topic](count)).join(', ');
}

/** Returns a title such as `2 payments received: HK$128.50, S$20.00`. */
function getTitle({ topic, count, totals }: NoticeSection): string {
  const title = strings.titles[topic](count);
  return totals.length === 0 ? title : `${title}: ${totals.join(', ')}`;
}

function getLines({ items, count }: NoticeSection): string[] {
  const lines = items.map((item) => `• ${item}`);
  return count > items.length ? [...lines, strings.more(count - items.length)] : lines;
}
