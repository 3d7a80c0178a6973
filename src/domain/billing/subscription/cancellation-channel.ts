import type { Charge, Subscription } from '../../../../prisma/client/client.ts';
import { canReceiveSms, type SmsCountries } from '../../../message/sms-number.ts';
import { canCustomerCancel } from '../../payments/charge/charge-state.ts';
import { isUnstarted } from './subscription-state.ts';

export type CancellationChannel = 'email' | 'sms';

/** How a customer who wants to cancel is asked to confirm; undefined without an address that messages may go to. */
export function getCancellationChannel(
  { email, phone }: Pick<Subscription, 'email' | 'phone'>,
  merchant: SmsCountries,
): CancellationChannel | undefined {
  if (email !== null) return 'email';
  return phone !== null && canReceiveSms(phone, merchant) ? 'sms' : undefined;
}

/**
 * Whether the page alone cancels: nothing has been paid, so that nothing is lost, and a stranger's enrolment must not
 * send messages to the address it names.
 */
export function canCancelImmediately(subscription: Subscription, pending: readonly Charge[]): boolean {
  return isUnstarted(subscription) && pending.every(canCustomerCancel);
}
