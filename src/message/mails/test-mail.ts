import { type MailContent, writeMail } from '../mail.ts';

type TestMailFacts = { publicUrl: string };

export function testMail({ publicUrl }: TestMailFacts): MailContent {
  return writeMail({
    language: 'en',
    sender: 'Causeway',
    subject: 'Test email from Causeway',
    blocks: [
      'This email was sent to test the mail server. It has arrived, so emails to customers and users can be delivered.',
      { facts: [['Service', publicUrl]] },
      { button: 'Open the dashboard', url: `${publicUrl}/dashboard` },
    ],
    note: 'An operator of this service sent this email. No action is needed.',
  });
}
