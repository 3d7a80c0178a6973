import { paymentReferenceCooldownDays } from '../../method/payment-reference.ts';
import { formatUtcMinute, type MailContent, modeNames, writeMail, writeSettingsNote } from '../mail.ts';

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
  labels: Record<'mode' | 'references' | 'time', string>;
  button: string;
};

const strings: ReferencesLowMailStrings = {
  subject: 'A receiving account has used half of its payment references',
  texts: [
    `Each payment reference stays reserved for ${paymentReferenceCooldownDays} days. When none is left, customers can no longer pay to this account by this method.`,
    'Add another receiving account for the method. If the number of new payments is unusual, check where they come from.',
  ],
  labels: { mode: 'Mode', references: 'Payment references', time: 'Time (UTC)' },
  button: 'Open receiving account',
};

export function getReferencesLowTitle(): string {
  return strings.subject;
}

/** An email to users which reports that an account has used half of its payment references. */
export function referencesLowMail(facts: ReferencesLowMailFacts): MailContent {
  const { subject, texts, labels, button } = strings;
  return writeMail({
    language: 'en',
    sender: 'Causeway',
    subject: `${subject}: ${facts.merchant}`,
    blocks: [
      ...texts,
      {
        facts: [
          [labels.mode, modeNames[facts.mode]],
          [labels.references, facts.detail],
          [labels.time, formatUtcMinute(facts.at)],
        ],
      },
      { button, url: facts.dashboardUrl },
    ],
    note: writeSettingsNote(facts.merchant),
  });
}
