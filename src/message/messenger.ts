import type { Secrets } from '../kit/secrets.ts';
import type { MessageSender } from './sender.ts';
import { createSmsSender } from './sms-sender.ts';
import { createSmtpSender } from './smtp-sender.ts';

/** The servers of this process, with the connections it holds open; undefined where none is set. */
export type Messenger = {
  email: MessageSender | undefined;
  sms: MessageSender | undefined;
  /** Of the messages that a server has whole: each settles when its answer has come and been written down. */
  pendingAnswers: Set<Promise<void>>;
  /** Ends what is under way, too. */
  close(): void;
};

export type MessengerSettings = {
  /** Checked by src/kit/config.ts, as the others. */
  smtpUrl?: string | undefined;
  mailFrom?: string | undefined;
  smsUrl?: string | undefined;
};

/**
 * `timeoutMs`: what one attempt may take (25 s for mail, to its end, 15 s for SMS). `answerMs`: what the mail server's
 * answer may take after that (10 minutes).
 */
export function createMessenger(
  { smtpUrl, mailFrom, smsUrl }: MessengerSettings,
  options: { secrets: Secrets; timeoutMs?: number; answerMs?: number },
): Messenger {
  const email =
    smtpUrl !== undefined && mailFrom !== undefined
      ? createSmtpSender({ smtpUrl, mailFrom, ...options })
      : undefined;
  const sms = smsUrl === undefined ? undefined : createSmsSender({ smsUrl, ...options });
  return {
    email,
    sms,
    pendingAnswers: new Set(),
    close() {
      email?.close();
      sms?.close();
    },
  };
}
