import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { newId } from '../../../kit/id.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import { type AccountNotice, accountNoticeMail } from '../../../message/mails/account-notice-mail.ts';
import type { Service } from '../../platform/service.ts';

/**
 * Mails a user what happened to the way they sign in, in its transaction: whoever it was not learns of it. Said in
 * English, as nobody's language is known.
 */
export async function notifyUser(
  uow: UnitOfWork<Service>,
  options: { user: MerchantUser; notice: AccountNotice; address: string | undefined; now: Date },
): Promise<void> {
  const { user, notice, address, now } = options;
  const content = accountNoticeMail('en', {
    notice,
    at: now,
    address: address ?? null,
    url: `${uow.settings.publicUrl}/dashboard/account`,
  });
  await enqueueMessage(uow, {
    merchantId: user.merchantId,
    mode: null,
    audience: 'team',
    trigger: 'system',
    kind: 'account-notice',
    channel: 'email',
    to: user.email,
    language: 'en',
    content,
    // Told of each time, twice in a millisecond too.
    dedupeKey: `account-notice ${user.id} ${newId('message', now)}`,
    now,
  });
}
