import { formatUtcMinute, type MailContent, writeMail } from '../mail.ts';

/** Changes to a user's sign-in settings that are reported by email. */
export const accountNotices = [
  'password_changed',
  'email_change_requested',
  'email_changed',
  'two_factor_enabled',
  'two_factor_disabled',
  'recovery_code_used',
  'recovery_codes_regenerated',
] as const;
export type AccountNotice = (typeof accountNotices)[number];

type AccountNoticeMailFacts = {
  notice: AccountNotice;
  at: Date;
  /** The IP address of the request; null for a command. */
  ipAddress: string | null;
  url: string;
};

type AccountNoticeMailStrings = {
  subjects: Record<AccountNotice, string>;
  texts: Record<AccountNotice, string>;
  time: string;
  from: string;
  commandLine: string;
  warning: string;
  /** The old address can no longer reset the password. */
  emailWarning: string;
  button: string;
};

const strings: AccountNoticeMailStrings = {
  subjects: {
    password_changed: 'Your password was changed',
    email_change_requested: 'A change of your email address was requested',
    email_changed: 'Your email address was changed',
    two_factor_enabled: 'Two-factor authentication was turned on',
    two_factor_disabled: 'Two-factor authentication was turned off',
    recovery_code_used: 'A recovery code was used',
    recovery_codes_regenerated: 'Your recovery codes were replaced',
  },
  texts: {
    password_changed: 'Your password was changed, and you were signed out of all other devices.',
    email_change_requested:
      'A new email address was entered for your sign-in. It replaces this one when it is confirmed with the link that was emailed to it. Until then, you sign in with this address.',
    email_changed:
      'The email address with which you sign in was changed, and you were signed out of all other devices. This email goes to the old and the new address.',
    two_factor_enabled:
      'From now on, you need your password and a code from your authenticator app to sign in.',
    two_factor_disabled: 'From now on, you only need your password to sign in.',
    recovery_code_used:
      'One of your recovery codes was used instead of a code from your authenticator app. It cannot be used again.',
    recovery_codes_regenerated: 'New recovery codes were created. The previous ones no longer work.',
  },
  time: 'Time (UTC)',
  from: 'From',
  commandLine: 'The operator of this service',
  warning:
    'If this wasn’t you, reset your password now (“Forgot your password?” on the sign-in page) and contact the owner of your account.',
  emailWarning: 'If this wasn’t you, contact the owner of your account or the operator of this service now.',
  button: 'Review your sign-in settings',
};

/** An email that reports a change to a user's sign-in settings and says what to do if it is unexpected. */
export function accountNoticeMail(facts: AccountNoticeMailFacts): MailContent {
  const { notice, at, ipAddress, url } = facts;
  return writeMail({
    language: 'en',
    sender: 'Causeway',
    subject: strings.subjects[notice],
    blocks: [
      strings.texts[notice],
      {
        facts: [
          [strings.time, formatUtcMinute(at)],
          [strings.from, ipAddress ?? strings.commandLine],
        ],
      },
      notice === 'email_changed' ? strings.emailWarning : strings.warning,
      { button: strings.button, url },
    ],
  });
}
