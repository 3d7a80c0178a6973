import type { Subscription } from '../../../prisma/client/client.ts';

export type CancellationChannel = 'email' | 'sms';

/** How a customer who wants to cancel can be asked once more; undefined after erasure. */
export function cancellationChannel({
  email,
  phone,
}: Pick<Subscription, 'email' | 'phone'>): CancellationChannel | undefined {
  if (email !== null) return 'email';
  return phone === null ? undefined : 'sms';
}
