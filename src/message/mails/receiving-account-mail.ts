import { formatUtcMinute, type MailContent, writeMail } from '../mail.ts';

export type ReceivingAccountChange = 'created' | 'updated' | 'retired' | 'reactivated';

type ReceivingAccountSetting =
  | 'bank'
  | 'holder'
  | 'minAmount'
  | 'maxAmount'
  | 'paymentWindowMinutes'
  | 'weight'
  | 'timeZone'
  | 'maxAmountOffset'
  | 'maxBankFee'
  | 'maxBankFeeRate'
  | 'reusesBankReferences'
  | 'sameBankAccounts';

/** A changed setting with its values as displayed; null means the default value. */
export type SettingChange = { name: ReceivingAccountSetting; from: string | null; to: string | null };

type ReceivingAccountMailFacts = {
  change: ReceivingAccountChange;
  merchant: string;
  method: string;
  account: string;
  holder: string;
  bank: string;
  /** The email address of a user, or the ID of an API key. */
  by: string;
  changes: readonly SettingChange[];
  at: Date;
  dashboardUrl: string;
};

type ReceivingAccountMailStrings = {
  subjects: Record<ReceivingAccountChange, string>;
  texts: Record<ReceivingAccountChange, string>;
  labels: Record<'method' | 'account' | 'holder' | 'bank' | 'by' | 'time', string>;
  settings: Record<ReceivingAccountSetting, string>;
  none: string;
  warning: string;
  button: string;
  note: (merchant: string) => string;
};

const strings: ReceivingAccountMailStrings = {
  subjects: {
    created: 'A receiving account was added',
    updated: 'A receiving account was changed',
    retired: 'A receiving account was deactivated',
    reactivated: 'A receiving account was reactivated',
  },
  texts: {
    created: 'From now on, customers can be asked to pay to this account.',
    updated: 'The changes apply to new payments to this account.',
    retired:
      'Customers are no longer asked to pay to this account. Payments that are already open can still be completed.',
    reactivated: 'Customers can be asked to pay to this account again.',
  },
  labels: {
    method: 'Payment method',
    account: 'Account',
    holder: 'Holder',
    bank: 'Bank',
    by: 'Changed by',
    time: 'Time (UTC)',
  },
  settings: {
    bank: 'Bank',
    holder: 'Holder',
    minAmount: 'Minimum amount',
    maxAmount: 'Maximum amount',
    paymentWindowMinutes: 'Payment window (minutes)',
    weight: 'Share of new charges',
    timeZone: 'Time zone',
    maxAmountOffset: 'Maximum added for unique amounts',
    maxBankFee: 'Maximum bank fee',
    maxBankFeeRate: 'Maximum bank fee rate',
    reusesBankReferences: 'Bank reuses its references',
    sameBankAccounts: 'Same bank account as',
  },
  none: 'none',
  warning:
    'If your team did not do this, deactivate the account now, then revoke the API key or reset the password that was used.',
  button: 'Open account',
  note: (merchant) => `You’re receiving this email because you are an owner of ${merchant}.`,
};

/**
 * An email to owners that reports a change to a live receiving account, and says what to do if the change is
 * unexpected.
 */
export function receivingAccountMail(facts: ReceivingAccountMailFacts): MailContent {
  const { change, method, account, holder, bank, by, at } = facts;
  const changes = facts.changes.map(({ name, from, to }): [string, string] => [
    strings.settings[name],
    `${from ?? strings.none} → ${to ?? strings.none}`,
  ]);
  return writeMail({
    language: 'en',
    sender: 'Causeway',
    subject: `${strings.subjects[change]}: ${facts.merchant}`,
    blocks: [
      strings.texts[change],
      {
        facts: [
          [strings.labels.method, method],
          [strings.labels.account, account],
          [strings.labels.holder, holder],
          [strings.labels.bank, bank],
          [strings.labels.by, by],
          [strings.labels.time, formatUtcMinute(at)],
        ],
      },
      ...(changes.length > 0 ? [{ facts: changes }] : []),
      strings.warning,
      { button: strings.button, url: facts.dashboardUrl },
    ],
    note: strings.note(facts.merchant),
  });
}
