import type { Charge, Merchant, Subscription } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime, SystemTime } from '../../../kit/clock.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { newToken } from '../../../kit/token.ts';
import { toLanguage } from '../../../language/languages.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import { cancellationMail } from '../../../message/mails/cancellation-mail.ts';
import { canReceiveSms, type SmsCountries } from '../../../message/sms-number.ts';
import { cancellationText } from '../../../message/texts/cancellation-text.ts';
import { canCustomerCancel } from '../../payments/charge/charge-state.ts';
import { canSendEmail, type Service } from '../../platform/service.ts';
import {
  confirmationLifetimeMs,
  createCancelConfirmation,
  createShortConfirmation,
} from './cancel-confirmation.ts';
import { cancelLockedSubscription } from './cancel-subscription.ts';
import { getCancellationUrl, getManageUrl } from './customer-pages.ts';
import { lockSubscriptionAndCharges } from './lock-subscription.ts';
import { isOngoing, isUnstarted } from './subscription-state.ts';
import { subscriptionEndedError } from './transition-subscription.ts';

/**
 * Immediately cancels a subscription that has not started, unless it is partly paid. Otherwise sends the customer a
 * link that confirms the cancellation, by email or, if no email can be sent, by SMS. Returns `cancelled` or the
 * channel, or undefined if no message can be sent. `now` is the merchant's time; `systemNow` is the system time, which
 * applies to messages. Throws `subscription_not_found`, `subscription_ended` or `rate_limited`.
 */
export async function requestCancellation(
  service: Service,
  options: ScopedId & { merchant: Merchant; actor: string; now: MerchantTime; systemNow: SystemTime },
): Promise<CancellationChannel | 'cancelled' | undefined> {
  const { id, merchant, systemNow } = options;
  return transact(service, async (uow) => {
    const target = await lockSubscriptionAndCharges(uow.tx, options);
    const { subscription, plan, pendingCharges } = target;
    if (!isOngoing(subscription)) throw subscriptionEndedError(subscription);
    if (canCancelImmediately(subscription, pendingCharges)) {
      await cancelLockedSubscription(uow, target, options);
      return 'cancelled';
    }
    const channel = getCancellationChannel(service, subscription, merchant);
    if (channel === undefined) return undefined;
    const url = getConfirmUrl(service, subscription, { channel, systemNow });
    const language = toLanguage(subscription.language);
    const { merchantId, mode, email, phone } = subscription;
    const details = { merchant, plan: plan.name, url };
    await enqueueMessage(uow, {
      merchantId,
      mode,
      language,
      now: systemNow,
      audience: 'customer',
      trigger: 'anonymous',
      atLimit: 'reject',
      kind: 'cancel-subscription',
      dedupeKey: `cancel-subscription ${id} ${newToken()}`,
      expiresAt: new Date(systemNow.getTime() + confirmationLifetimeMs),
      ...(channel === 'email'
        ? { channel, to: email as string, content: cancellationMail(language, details) }
        : {
            channel,
            to: phone as string,
            smsCountries: merchant,
            content: { text: cancellationText(language, details) },
          }),
    });
    return channel;
  });
}

function getConfirmUrl(
  service: Service,
  subscription: Subscription,
  { channel, systemNow }: { channel: CancellationChannel; systemNow: SystemTime },
): string {
  const { secrets } = service;
  if (channel === 'sms')
    return getCancellationUrl(service, createShortConfirmation(secrets, subscription, systemNow));
  const url = new URL(getManageUrl(service, subscription));
  url.searchParams.set('confirm', createCancelConfirmation(secrets, subscription, systemNow));
  return url.href;
}

export type CancellationChannel = 'email' | 'sms';

/**
 * Returns the channel by which the customer confirms a cancellation, or undefined if no message can be sent to
 * the customer, for example without a mail server.
 */
export function getCancellationChannel(
  service: Pick<Service, 'settings'>,
  { email, phone }: Pick<Subscription, 'email' | 'phone'>,
  merchant: SmsCountries,
): CancellationChannel | undefined {
  if (email !== null && canSendEmail(service)) return 'email';
  const hasGateway = service.settings.smsUrl !== undefined;
  return hasGateway && phone !== null && canReceiveSms(phone, merchant) ? 'sms' : undefined;
}

/**
 * Returns whether the customer may cancel without confirmation, because nothing has been paid yet. No message
 * is then sent to an address with which a stranger may have enrolled.
 */
export function canCancelImmediately(subscription: Subscription, pendingCharges: readonly Charge[]): boolean {
  return isUnstarted(subscription) && pendingCharges.every(canCustomerCancel);
}
