import type { Merchant } from '../../../prisma/client/client.ts';
import { transact } from '../../kit/db.ts';
import { minuteMs } from '../../kit/duration.ts';
import { enqueueMessage } from '../../message/enqueue-message.ts';
import { languageOf } from '../../message/language.ts';
import { cancellationMail } from '../../message/mails/cancellation-mail.ts';
import { cancellationText } from '../../message/texts/cancellation-text.ts';
import type { Service } from '../service.ts';
import { cancelConfirmation, confirmationLifetimeMs } from './cancel-confirmation.ts';
import { type CancellationChannel, cancellationChannel } from './cancellation-channel.ts';
import { manageUrl } from './customer-pages.ts';
import { lockSubscription } from './lock-subscription.ts';
import { isOngoing } from './subscription-state.ts';
import { subscriptionEnded } from './transition-subscription.ts';

/** Asked again within this time, no second mail is sent; an SMS costs the merchant more. */
const restMs = { email: 2 * minuteMs, sms: 10 * minuteMs };

/**
 * Sends the customer a link by which the subscription's page cancels it: by mail, or by SMS to who gave a phone alone.
 * Answers by which; undefined where there is no address. `now` is the machine's time. Error: `subscription_ended`.
 */
export async function requestCancellation(
  service: Service,
  { id, merchant, now }: { id: string; merchant: Merchant; now: Date },
): Promise<CancellationChannel | undefined> {
  return transact(service, async (tx) => {
    const { subscription, plan } = await lockSubscription(tx, id);
    if (!isOngoing(subscription)) throw subscriptionEnded(subscription);
    const channel = cancellationChannel(subscription);
    if (channel === undefined) return undefined;
    const url = new URL(manageUrl(service, subscription));
    url.searchParams.set('confirm', cancelConfirmation(service.secrets, subscription, now));
    const language = languageOf(subscription.language);
    const { merchantId, mode, email, phone } = subscription;
    const facts = { merchant: merchant.name, plan: plan.name, url: url.href };
    await enqueueMessage(service, tx, {
      ...{ merchantId, mode, language, now },
      audience: 'customer',
      kind: 'cancel-subscription',
      dedupeKey: `cancel-subscription ${id} ${Math.floor(now.getTime() / restMs[channel])}`,
      expiresAt: new Date(now.getTime() + confirmationLifetimeMs),
      ...(channel === 'email'
        ? { channel, to: email as string, content: cancellationMail(language, facts) }
        : { channel, to: phone as string, content: { text: cancellationText(language, facts) } }),
    });
    return channel;
  });
}
