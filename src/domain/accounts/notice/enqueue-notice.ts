import type { MerchantUser, Mode } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { newId } from '../../../kit/id.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import type { MessageTrigger } from '../../../message/limit-messages.ts';
import type { MailContent } from '../../../message/mail.ts';
import type { Service } from '../../platform/service.ts';
import { decryptChatUrl } from './chat-address.ts';
import type { NoticeChannel } from './notice-topics.ts';

/** Returns the start of the dedupe keys of all notices to the user. */
export function getNoticeKeyPrefix({ id }: Pick<MerchantUser, 'id'>): string {
  return `notice ${id} `;
}

/**
 * Writes a notice to a user in the caller's transaction, in English, because users have no language setting. A chat
 * notice is dropped if the chat was removed. Returns the ID of the message, or null if there is none. Throws
 * `rate_limited` for a test beyond the limit.
 */
export async function enqueueNotice(
  uow: UnitOfWork<Service>,
  options: {
    user: MerchantUser;
    channel: NoticeChannel;
    trigger: MessageTrigger;
    /** The mode in which the message is listed. */
    mode?: Mode;
    mail: MailContent;
    chatText: string;
    now: Date;
  },
): Promise<string | null> {
  const { user, channel, trigger, mode = 'live', mail, chatText, now } = options;
  const input = {
    merchantId: user.merchantId,
    mode,
    audience: 'staff',
    kind: 'notice',
    language: 'en',
    // The key prevents no duplicates. The caller does, by moving the user's position in the same transaction.
    dedupeKey: `${getNoticeKeyPrefix(user)}${newId('message', now)}`,
    atLimit: 'reject',
    trigger,
    now,
  } as const;
  if (channel === 'email') return enqueueMessage(uow, { ...input, channel, to: user.email, content: mail });
  const chatUrl = await decryptChatUrl(uow, user);
  if (chatUrl === null) return null;
  const to = new URL(chatUrl).host;
  return enqueueMessage(uow, { ...input, channel, to, content: { text: chatText, chatUrl } });
}
