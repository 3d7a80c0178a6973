import { type MailContent, writeMail } from '../mail.ts';

type PasswordResetMailFacts = {
  url: string;
  minutes: number;
  /** The IP address of the request. */
  ipAddress: string;
};

/** An email with the link to set a new password. */
export function passwordResetMail({ url, minutes, ipAddress }: PasswordResetMailFacts): MailContent {
  return writeMail({
    language: 'en',
    sender: 'Causeway',
    subject: 'Reset your password',
    blocks: [
      `We received a request to reset your dashboard password. The link works once and expires in ${minutes} minutes.`,
      { button: 'Reset your password', url },
      { facts: [['Requested from', ipAddress]] },
    ],
    note: 'If this wasn’t you, you can ignore this email. Your password will not change.',
  });
}
