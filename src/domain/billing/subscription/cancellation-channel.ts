import type { Charge, Subscription } from '../../../../prisma/client/client.ts';
import { canReceiveSms, type SmsCountries } from '../../../message/sms-number.ts';
import { canCustomerCancel } from '../../payments/charge/charge-state.ts';
import { isUnstarted } from './subscription-state.ts';

export type CancellationChannel = 'email' | 'sms';

/**
 * Returns the channel by which the customer confirms a cancellation, or undefined if the customer has no
 * address to which messages can be sent.
 */
export function getCancellationChannel(
  { email, phone }: Pick<Subscription, 'email' | 'phone'>,
  merchant: SmsCountries,
): CancellationChannel | undefined {
  if (email !== null) return 'email';
  return phone !== null && canReceiveSms(phone, merchant) ? 'sms' : undefined;
}

/**
 * Returns whether the customer may cancel without confirmation, because nothing has been paid yet. This also
 * prevents messages to an address with which a stranger enrolled.
 */
export function canCancelImmediately(subscription: Subscription, pendingCharges: readonly Charge[]): boolean {
  return isUnstarted(subscription) && pendingCharges.every(canCustomerCancel);
}
