import type { Secrets } from '../kit/secrets.ts';
import type { MessageSender } from './sender.ts';
import { createSmsSender } from './sms-sender.ts';
import { createSmtpSender } from './smtp-sender.ts';

/**
 * The mail server and the SMS gateway of this process, with their open connections; undefined if not
 * configured.
 */
export type Messenger = {
  email: MessageSender | undefined;
  sms: MessageSender | undefined;
  /**
   * Messages that a server has received completely but not acknowledged yet. Each settles once its response
   * is recorded.
   */
  pendingAnswers: Set<Promise<void>>;
  /** Also aborts sends in progress. */
  close(): void;
};

export type MessengerSettings = {
  /** Validated by src/kit/config.ts, like the others. */
  smtpUrl?: string | undefined;
  mailFrom?: string | undefined;
  smsUrl?: string | undefined;
};

/**
 * `timeoutMs` limits one attempt: for mail up to the end of its data (default 25 s), for SMS in total (15 s).
 * `answerMs` limits the wait for the mail server's final response (default 10 minutes).
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
