import type { Secrets } from '../kit/secrets.ts';
import { createChatSender } from './chat-sender.ts';
import type { MessageSender } from './sender.ts';
import { createSmsSender } from './sms-sender.ts';
import { createSmtpSender } from './smtp-sender.ts';

/**
 * The mail server, the SMS gateway and the chats, with the open connections of this process. The first two
 * are undefined if they are not configured.
 */
export type Messenger = {
  email: MessageSender | undefined;
  sms: MessageSender | undefined;
  chat: MessageSender;
  /**
   * Messages that a server may have received completely but has not acknowledged yet. Each promise settles once the
   * response has been recorded.
   */
  pendingResponses: Set<Promise<void>>;
  /** Closes the connections, and aborts sends in progress. */
  close(): void;
};

export type MessengerSettings = {
  smtpUrl?: string | undefined;
  mailFrom?: string | undefined;
  smsUrl?: string | undefined;
  /** Default: false. */
  allowPrivateTargets?: boolean;
};

/**
 * `timeoutMs` limits one attempt: of an email up to the end of its data (default: 25 seconds), of an SMS or a
 * chat message in total (default: 15 seconds). `responseTimeoutMs` limits the wait for the mail server's
 * final response (default: 10 minutes).
 */
export function createMessenger(
  { smtpUrl, mailFrom, smsUrl, allowPrivateTargets = false }: MessengerSettings,
  options: { secrets: Secrets; timeoutMs?: number; responseTimeoutMs?: number },
): Messenger {
  const email =
    smtpUrl !== undefined && mailFrom !== undefined
      ? createSmtpSender({ smtpUrl, mailFrom, ...options })
      : undefined;
  const sms = smsUrl === undefined ? undefined : createSmsSender({ smsUrl, ...options });
  const chat = createChatSender({ allowPrivateTargets, ...options });
  return {
    email,
    sms,
    chat,
    pendingResponses: new Set(),
    close() {
      email?.close();
      sms?.close();
      chat.close();
    },
  };
}
