import type { Merchant } from '../../../prisma/client/client.ts';
import { transact } from '../../kit/db.ts';
import { enqueueMessage } from '../../message/enqueue-message.ts';
import { cancellationMail } from '../../message/mails/cancellation-mail.ts';
import type { Service } from '../service.ts';
import { cancelConfirmation } from './cancel-confirmation.ts';
import { manageUrl } from './customer-pages.ts';
import { lockSubscription } from './lock-subscription.ts';
import { languageOf } from './mail-invoice.ts';
import { isOngoing } from './subscription-state.ts';
import { subscriptionEnded } from './transition-subscription.ts';

/** Asked again within this time, no second mail is sent. */
const restMs = 2 * 60_000;

/**
 * Mails the customer a link by which the subscription's page cancels it. Answers whether there is an address to mail to.
 * `now` is the machine's time. Error: `subscription_ended`.
 */
export async function requestCancellation(
  service: Service,
  { id, merchant, now }: { id: string; merchant: Merchant; now: Date },
): Promise<boolean> {
  return transact(service, async (tx) => {
    const { subscription, plan } = await lockSubscription(tx, id);
    if (!isOngoing(subscription)) throw subscriptionEnded(subscription);
    const { email, merchantId, mode } = subscription;
    if (email === null) return false;
    const url = new URL(manageUrl(service, subscription));
    url.searchParams.set('confirm', cancelConfirmation(service.secrets, subscription, now));
    const language = languageOf(subscription.language);
    await enqueueMessage(service, tx, {
      ...{ merchantId, mode, language, to: email, now },
      audience: 'customer',
      channel: 'email',
      kind: 'cancel-subscription',
      content: cancellationMail(language, { merchant: merchant.name, plan: plan.name, url: url.href }),
      dedupeKey: `cancel-subscription ${id} ${Math.floor(now.getTime() / restMs)}`,
    });
    return true;
  });
}
