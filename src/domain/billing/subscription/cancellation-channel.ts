import type { Charge, Subscription } from '../../../../prisma/client/client.ts';
import { canReceiveSms, type SmsCountries } from '../../../message/sms-number.ts';
import { canCustomerCancel } from '../../payments/charge/charge-state.ts';
import { isUnstarted } from './subscription-state.ts';

export type CancellationChannel = 'email' | 'sms';

/**
 * Returns the channel for confirming a cancellation, or undefined if the customer has no address for
 * messages.
 */
export function getCancellationChannel(
  { email, phone }: Pick<Subscription, 'email' | 'phone'>,
  merchant: SmsCountries,
): CancellationChannel | undefined {
  if (email !== null) return 'email';
  return phone !== null && canReceiveSms(phone, merchant) ? 'sms' : undefined;
}

/**
 * Returns whether the page may cancel without confirmation: nothing has been paid, so nothing can be lost. A
 * stranger's enrolment must not send messages to the address it names.
 */
export function canCancelImmediately(subscription: Subscription, pending: readonly Charge[]): boolean {
  return isUnstarted(subscription) && pending.every(canCustomerCancel);
}
