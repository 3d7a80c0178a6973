import { isDelivered, parseRetryAfter } from '../notification/notification-state.ts';
import { createPoster } from '../notification/post.ts';
import type { MessageSender } from './sender.ts';

/** Ten times the batch size of `sendMessages`, so that chats that never respond leave capacity for others. */
const concurrency = 50;

/** Status codes that say that the address does not exist or accepts no messages. */
const permanentStatuses = [400, 401, 403, 404, 410];

/**
 * Creates a sender that posts `{ text }` to the incoming webhook of a chat. Slack, Mattermost, Rocket.Chat, Google Chat
 * and others accept this payload. The URL is a user's choice, so private addresses are rejected and redirects are not
 * followed, as for webhooks. Errors never contain the URL, because it is a secret. Every chat has a server of its own,
 * so other messages do not wait for a chat that is unreachable or slow.
 */
export function createChatSender(options: {
  allowPrivateTargets: boolean;
  timeoutMs?: number;
}): MessageSender {
  const poster = createPoster(options);
  let inFlight = 0;
  return {
    async send({ chatUrl, text }, onTransmitted) {
      // A connection that a firewall drops would otherwise hold up the batch.
      onTransmitted?.();
      inFlight++;
      const { status, error, retryAfter } = await poster
        .post({
          url: chatUrl ?? '',
          body: JSON.stringify({ text }),
          headers: { 'content-type': 'application/json', 'user-agent': 'Causeway' },
        })
        .finally(() => inFlight--);
      if (isDelivered({ status, error })) return { isSent: true };
      return {
        isSent: false,
        error: error ?? `the chat responded with ${status}`,
        isPermanent: status !== null && permanentStatuses.includes(status),
        retryAfterMs: parseRetryAfter(retryAfter ?? undefined, new Date()),
      };
    },
    capacity: () => concurrency - inFlight,
    close: () => poster.close(),
  };
}

/** Escapes text for chats that read `<…>` as links and mentions. */
export function escapeChatText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
