import { isDelivered, parseRetryAfter } from '../notification/notification-state.ts';
import { createPoster } from '../notification/post.ts';
import type { MessageSender } from './sender.ts';

/** Equals the batch size of `sendMessages`, so that no message of a batch waits for another one. */
const concurrency = 5;

/** Status codes that say that the address does not exist or accepts no messages. */
const permanentStatuses = [400, 401, 403, 404, 410];

/**
 * Creates a sender that posts `{ text }` to the incoming webhook of a chat. Slack, Mattermost, Rocket.Chat, Google Chat
 * and others accept this payload. The URL is a user's choice, so private addresses are rejected and redirects are not
 * followed, as for webhooks. Errors never contain the URL, because it is a secret.
 */
export function createChatSender(options: {
  allowPrivateTargets: boolean;
  timeoutMs?: number;
}): MessageSender {
  const poster = createPoster(options);
  return {
    async send({ chatUrl, text }) {
      const { status, error, retryAfter } = await poster.post({
        url: chatUrl ?? '',
        body: JSON.stringify({ text }),
        headers: { 'content-type': 'application/json', 'user-agent': 'Causeway' },
      });
      if (isDelivered({ status, error })) return { isSent: true };
      return {
        isSent: false,
        error: error ?? `the chat responded with ${status}`,
        isPermanent: status !== null && permanentStatuses.includes(status),
        retryAfterMs: parseRetryAfter(retryAfter ?? undefined, new Date()),
      };
    },
    capacity: () => concurrency,
    close: () => poster.close(),
  };
}

/** Escapes text for chats that read `<…>` as links and mentions. */
export function escapeChatText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
