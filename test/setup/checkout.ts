import type { Charge, CheckoutLink, CheckoutSession, Mode } from '../../prisma/client/client.ts';
import {
  type CreateCheckoutLinkInput,
  createCheckoutLink,
} from '../../src/domain/checkout-link/create-checkout-link.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/service.ts';
import { type CreateSessionInput, createSession } from '../../src/domain/session/create-session.ts';
import type { Destination } from '../../src/method/destination.ts';

type Made<Input> = { mode?: Mode; input?: Partial<Input>; now?: Date };

/** A session of USD 86.40 for tea, unless said otherwise. */
export function makeSession(
  service: Service,
  merchant: NewMerchant,
  options: Made<CreateSessionInput> = {},
): Promise<CheckoutSession> {
  return createSession(service, {
    merchant: merchant.merchant,
    mode: options.mode ?? 'live',
    actor: 'key:test',
    input: {
      amount: 86.4,
      currency: 'USD',
      orders: [{ name: 'Dragon Well', quantity: 2 }],
      ...options.input,
    },
    now: options.now ?? new Date(),
  });
}

/** A link of HKD 128.50, unless said otherwise. */
export function makeCheckoutLink(
  service: Service,
  merchant: NewMerchant,
  options: Made<CreateCheckoutLinkInput> = {},
): Promise<CheckoutLink> {
  return createCheckoutLink(service, {
    merchant: merchant.merchant,
    mode: options.mode ?? 'live',
    input: { amount: 128.5, currency: 'HKD', ...options.input },
    now: options.now ?? new Date(),
  });
}

export function destinationOf(charge: Charge): Destination {
  return charge.destination as Destination;
}
