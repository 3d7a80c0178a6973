import type { Merchant, MerchantUser, Message, Mode } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { testNoticeChatText, testNoticeMail } from '../../../message/mails/notice-mail.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { lockSessionUser } from '../user/lock-user.ts';
import type { SessionContext } from '../user/reauthenticate.ts';
import { enqueueNotice } from './enqueue-notice.ts';
import { type NoticeChannel, requireNoticeRole } from './notice-topics.ts';

/**
 * Sends a test message to a signed-in user, by email or to the user's chat. A worker sends it, so the caller reads the
 * result from the message. Errors: `unauthenticated`, `permission_denied` for a cashier, `invalid_request` without a
 * chat, `rate_limited`.
 */
export async function sendTestNotice(
  service: Service,
  options: SessionContext & { merchant: Merchant; mode: Mode; channel: NoticeChannel },
): Promise<{ user: MerchantUser; message: Message }> {
  const { merchant, mode, channel, ipAddress, now } = options;
  return transact(service, async (uow) => {
    const user = await lockSessionUser(uow.tx, options);
    requireNoticeRole(user);
    if (channel === 'chat' && user.chatUrlEncrypted === null)
      throw invalidInputError('/channel', 'must be a channel with an address: save a chat address first');
    const url = `${service.settings.publicUrl}/dashboard/account`;
    const messageId = await enqueueNotice(uow, {
      user,
      channel,
      trigger: 'merchant',
      mode,
      mail: testNoticeMail({ merchant: merchant.name, url }),
      chatText: testNoticeChatText(merchant.name),
      now,
    });
    const detail = { email: user.email, channel };
    const entry = { merchantId: merchant.id, actor: `user:${user.id}`, ipAddress, objectId: user.id, now };
    await recordAudit(uow, { ...entry, action: 'user.notice_tested', detail });
    const message = await uow.tx.message.findUniqueOrThrow({ where: { id: messageId! } });
    return { user, message };
  });
}
