import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { newId } from '../../../kit/id.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import { type AccountNotice, accountNoticeMail } from '../../../message/mails/account-notice-mail.ts';
import type { Service } from '../../platform/service.ts';

/**
 * Emails a user about a change to their sign-in, in the caller's transaction, so that the user notices a
 * change by an attacker. The email is in English, because users have no language setting.
 */
export async function notifyUser(
  uow: UnitOfWork<Service>,
  options: { user: MerchantUser; notice: AccountNotice; ipAddress: string | undefined; now: Date },
): Promise<void> {
  const { user, notice, ipAddress, now } = options;
  const content = accountNoticeMail({
    notice,
    at: now,
    ipAddress: ipAddress ?? null,
    url: `${uow.settings.publicUrl}/dashboard/account`,
  });
  await enqueueMessage(uow, {
    merchantId: user.merchantId,
    mode: null,
    audience: 'staff',
    trigger: 'system',
    kind: 'account-notice',
    channel: 'email',
    to: user.email,
    language: 'en',
    content,
    // A unique key, because each change must be emailed, even if two occur in the same millisecond.
    dedupeKey: `account-notice ${user.id} ${newId('message', now)}`,
    now,
  });
}
