import { type MailContent, writeMail } from '../mail.ts';

type EmailChangeMailFacts = {
  url: string;
  minutes: number;
  /** The address with which the user signs in until the change is confirmed. */
  before: string;
  /** The IP address of the request. */
  ipAddress: string;
};

/** An email with the link that confirms a new email address. */
export function emailChangeMail({ url, minutes, before, ipAddress }: EmailChangeMailFacts): MailContent {
  return writeMail({
    language: 'en',
    sender: 'Causeway',
    subject: 'Confirm your new email address',
    blocks: [
      `You asked to sign in to the dashboard with this email address instead of ${before}. Open the link while you are signed in. It works once and expires in ${minutes} minutes.`,
      { button: 'Confirm email address', url },
      { facts: [['Requested from', ipAddress]] },
    ],
    note: 'If this wasn’t you, you can ignore this email. Nothing will change.',
  });
}
