import { formatUtcMinute, type MailContent, modeNames, writeMail, writeSettingsNote } from '../mail.ts';

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
  labels: Record<'mode' | 'detail' | 'time', string>;
  button: string;
};

const strings: BankFeedMailStrings = {
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
  labels: { mode: 'Mode', detail: 'Detail', time: 'Time (UTC)' },
  button: 'Open bank feed',
};

export function getBankFeedTitle(kind: BankFeedMailFacts['kind']): string {
  return strings.subjects[kind];
}

/** An email to users about a bank feed that fails or is silent. */
export function bankFeedMail(facts: BankFeedMailFacts): MailContent {
  const { subjects, texts, labels, button } = strings;
  return writeMail({
    language: 'en',
    sender: 'Causeway',
    subject: `${subjects[facts.kind]}: ${facts.merchant}`,
    blocks: [
      ...texts[facts.kind],
      {
        facts: [
          [labels.mode, modeNames[facts.mode]],
          [labels.detail, facts.detail],
          [labels.time, formatUtcMinute(facts.at)],
        ],
      },
      { button, url: facts.dashboardUrl },
    ],
    note: writeSettingsNote(facts.merchant),
  });
}
