import type { Charge, CheckoutLink, CheckoutSession, Mode } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import {
  type CreateCheckoutLinkInput,
  createCheckoutLink,
} from '../../src/domain/payments/checkout-link/create-checkout-link.ts';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { type CreateSessionInput, createSession } from '../../src/domain/payments/session/create-session.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { Destination } from '../../src/method/destination.ts';

type SeedOptions<Input> = { mode?: Mode; input?: Partial<Input>; now?: Date };

/** Creates a session of USD 86.40 by default. */
export function seedSession(
  service: Service,
  merchant: NewMerchant,
  options: SeedOptions<CreateSessionInput> = {},
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

/** Creates a checkout link of HKD 128.50 by default. */
export function seedCheckoutLink(
  service: Service,
  merchant: NewMerchant,
  options: SeedOptions<CreateCheckoutLinkInput> = {},
): Promise<CheckoutLink> {
  return createCheckoutLink(service, {
    merchant: merchant.merchant,
    mode: options.mode ?? 'live',
    input: { amount: 128.5, currency: 'HKD', ...options.input },
    now: options.now ?? new Date(),
  });
}

/** The fields of the payment form. */
export const payForm = { do: 'pay', method: 'fps', email: 'mei@example.com' };

export function sessionPath({ id, mode }: Pick<CheckoutSession, 'id' | 'mode'>): string {
  return `/checkout?sessionId=${id}${toModeSuffix(mode)}`;
}

export function linkPath({ id, mode }: Pick<CheckoutLink, 'id' | 'mode'>): string {
  return `/checkout?link=${id}${toModeSuffix(mode)}`;
}

/** The page creates the charge with a publishable key. */
export function addressPath(apiKey: string, amount = 128.5): string {
  return `/checkout?apiKey=${apiKey}&amount=${amount}&currency=HKD`;
}

/** The charge has no session. */
export function chargePath({ secrets }: Service, charge: Pick<Charge, 'id' | 'mode'>): string {
  return `/checkout?charge=${createClientToken(secrets, charge)}${toModeSuffix(charge.mode)}`;
}

function toModeSuffix(mode: Mode): string {
  return mode === 'sandbox' ? '&isSandbox=true' : '';
}

export function getDestination(charge: Charge): Destination {
  return charge.destination as Destination;
}
