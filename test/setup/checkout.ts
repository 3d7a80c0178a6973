import type { Charge, CheckoutLink, CheckoutSession, Mode } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import {
  type CreateCheckoutLinkInput,
  createCheckoutLink,
} from '../../src/domain/payments/checkout-link/create-checkout-link.ts';
import { type CreateSessionInput, createSession } from '../../src/domain/payments/session/create-session.ts';
import type { Service } from '../../src/domain/platform/service.ts';
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

/** What a page's form sends to pay. */
export const payForm = { do: 'pay', method: 'fps', email: 'mei@example.com' };

/** Where the customer pays a session. */
export function sessionPath({ id, mode }: Pick<CheckoutSession, 'id' | 'mode'>): string {
  return `/checkout?sessionId=${id}${suffixOf(mode)}`;
}

/** Where the customer pays a link. */
export function linkPath({ id, mode }: Pick<CheckoutLink, 'id' | 'mode'>): string {
  return `/checkout?link=${id}${suffixOf(mode)}`;
}

/** The bare address with a publishable key. */
export function addressPath(apiKey: string, amount = 128.5): string {
  return `/checkout?apiKey=${apiKey}&amount=${amount}&currency=HKD`;
}

/** Where the customer of a charge that has no session pays it. */
export function chargePath({ secrets }: Service, charge: Pick<Charge, 'id' | 'mode'>): string {
  return `/checkout?charge=${createClientToken(secrets, charge)}${suffixOf(charge.mode)}`;
}

function suffixOf(mode: Mode): string {
  return mode === 'sandbox' ? '&isSandbox=true' : '';
}

export function destinationOf(charge: Charge): Destination {
  return charge.destination as Destination;
}
