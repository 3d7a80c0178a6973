import type { Merchant, Mode } from '../../../prisma/client/client.ts';
import type { Context } from '../../context.ts';
import { type MethodQuote, quoteMethods } from '../../domain/payments/checkout/quote-methods.ts';
import type { CustomerDetails } from '../../domain/payments/customer/customer-input.ts';
import type { Order } from '../../domain/platform/order.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Money } from '../../kit/money.ts';
import { pageNow } from '../page-now.ts';
import type { FormError } from './error-summary.ts';

/** What the customer is asked to pay, and the methods to choose from. */
export type PaymentOffer = {
  merchant: Merchant;
  mode: Mode;
  money: Money;
  orders: Order[];
  prefill: CustomerDetails | null;
  quotes: MethodQuote[];
  canCancel: boolean;
};

/** `methods`: those to choose from; none: all of the merchant's. */
export type OfferInput = Pick<PaymentOffer, 'merchant' | 'mode' | 'money'> &
  Partial<Pick<PaymentOffer, 'orders' | 'prefill' | 'canCancel'>> & { methods: readonly string[] };

/** The methods that can take an amount. Errors: those of quoteMethods, when none can. */
export async function buildOffer(context: Context, input: OfferInput): Promise<PaymentOffer> {
  const { methods, merchant, mode, money } = input;
  const now = pageNow(context, input);
  const quotes = await quoteMethods(context.service, { merchant, mode, money, methods, now });
  const { orders = [], prefill = null, canCancel = false } = input;
  return { merchant, mode, money, orders, prefill, quotes, canCancel };
}

/** The same, where a page has more to show than what can be paid. */
export async function tryBuildOffer(context: Context, input: OfferInput): Promise<PaymentOffer | undefined> {
  try {
    return await buildOffer(context, input);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

export type CustomerField = keyof CustomerDetails;

/** What was chosen before, or was sent and rejected: shown again with what is wrong. */
export type ChooseInput = {
  method: string;
  /** The fields as they were sent. */
  customer: CustomerDetails;
  errors: Partial<Record<'method' | CustomerField, string>>;
};

/** The method alone, on pages that do not ask who pays. */
export function toMethodInput(method: string, error?: string): ChooseInput {
  return { method, customer: {}, errors: error === undefined ? {} : { method: error } };
}

export function toFormErrors(input: ChooseInput | undefined): FormError[] {
  const names = ['method', 'firstName', 'lastName', 'email', 'phone'] as const;
  return names.flatMap((name) => {
    const text = input?.errors[name];
    return text === undefined ? [] : { name: name === 'method' ? 'methods' : name, text };
  });
}
