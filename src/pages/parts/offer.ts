import type { Merchant, Mode } from '../../../prisma/client/client.ts';
import type { Context } from '../../context.ts';
import { type MethodQuote, quoteMethods } from '../../domain/payments/charge/quote-methods.ts';
import type { CustomerDetails } from '../../domain/payments/customer/customer-input.ts';
import type { OrderLine } from '../../domain/platform/order-line.ts';
import { canSendEmail } from '../../domain/platform/service.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Money } from '../../kit/money.ts';
import { pageNow } from '../page-now.ts';
import type { FormError } from './error-summary.ts';

/** The payment that the customer is asked for, with a quote for each available method. */
export type PaymentOffer = {
  merchant: Merchant;
  mode: Mode;
  money: Money;
  orders: OrderLine[];
  prefill: CustomerDetails | null;
  /** Without a mail server, nothing is sent to the email address, and a name is enough. */
  isEmailRequired: boolean;
  quotes: MethodQuote[];
  canCancel: boolean;
  /** Whether the customer chose the amount, and can change it. */
  canChangeAmount: boolean;
};

/** `methods` restricts the offered methods; an empty list offers all methods of the merchant. */
export type OfferInput = Pick<PaymentOffer, 'merchant' | 'mode' | 'money'> &
  Partial<Pick<PaymentOffer, 'orders' | 'prefill' | 'canCancel' | 'canChangeAmount'>> & {
    methods: readonly string[];
  };

/** The offer has all methods that accept the amount. */
export async function buildOffer(context: Context, input: OfferInput): Promise<PaymentOffer> {
  const { methods, merchant, mode, money } = input;
  const now = pageNow(context, input);
  const quotes = await quoteMethods(context.service, { merchant, mode, money, methods, now });
  const { orders = [], prefill = null, canCancel = false, canChangeAmount = false } = input;
  const isEmailRequired = canSendEmail(context.service);
  return { merchant, mode, money, orders, prefill, isEmailRequired, quotes, canCancel, canChangeAmount };
}

/** Like {@link buildOffer}, but returns `undefined` on a domain error, for pages that can omit the offer. */
export async function tryBuildOffer(context: Context, input: OfferInput): Promise<PaymentOffer | undefined> {
  try {
    return await buildOffer(context, input);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

export type CustomerField = keyof CustomerDetails;

/** The content of a form for choosing a method: a previous choice, or a rejected submission with its errors. */
export type MethodFormState = {
  method: string;
  customer: CustomerDetails;
  errors: Partial<Record<'method' | CustomerField, string>>;
};

/** Returns the state of a form that asks only for a method. */
export function toMethodFormState(method: string, error?: string): MethodFormState {
  return { method, customer: {}, errors: error === undefined ? {} : { method: error } };
}

export function toFormErrors(formState: MethodFormState | undefined): FormError[] {
  const names = ['method', 'firstName', 'lastName', 'email', 'phone'] as const;
  return names.flatMap((name) => {
    const text = formState?.errors[name];
    return text === undefined ? [] : { name: name === 'method' ? 'methods' : name, text };
  });
}
