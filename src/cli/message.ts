import { parseEmail, parseInternationalPhone } from '../kit/contact.ts';
import { testMail } from '../message/mails/test-mail.ts';
import { createMessenger } from '../message/messenger.ts';
import { smsSigningKeys } from '../message/sms-sender.ts';
import { type ServiceCommand, UsageError } from './command.ts';

/** Sends without the queue, so that the result contains the server's response. */
export const testMessageCommand: ServiceCommand = {
  async run(service, { positionals: [to = ''] }) {
    const messenger = createMessenger(service.settings, service);
    const isPhone = to.startsWith('+');
    const sender = isPhone ? messenger.sms : messenger.email;
    if (!sender) throw new UsageError(isPhone ? 'SMS_URL is not set' : 'SMTP_URL and MAIL_FROM are not set');
    const id = `msg_test${Date.now()}`;
    const { subject, ...content } = isPhone
      ? { subject: null, text: 'This is a test message from Causeway.' }
      : testMail(service.settings);
    try {
      const recipient = isPhone ? parseInternationalPhone(to, 'The number') : parseEmail(to, 'The address');
      const result = await sender.send({ id, recipient, subject, language: 'en', ...content });
      const error = result.isSent ? null : result.error;
      return {
        json: { to: recipient, isSent: result.isSent, ...(error !== null && { error }) },
        text: error === null ? `Accepted by the server for ${recipient}` : `Not sent: ${error}`,
        failed: !result.isSent,
      };
    } finally {
      messenger.close();
    }
  },
};

/** Prints the key that the SMS gateway needs to verify signatures, so that APP_SECRET is not shared. */
export const smsKeyCommand: ServiceCommand = {
  async run({ secrets }) {
    const [key = '', ...previousKeys] = smsSigningKeys(secrets);
    return { json: { key, previousKeys }, text: key };
  },
};
