import type { CheckoutLink } from '../../../../prisma/client/client.ts';
import { isCurrencyCode } from '../../../kit/currency.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { formatMoney, type Money, parseMoney, unsupportedCurrencyError } from '../../../kit/money.ts';

/** The amount of a link: fixed, or chosen by the customer between optional limits. */
export type LinkAmount = Pick<CheckoutLink, 'amount' | 'amountMinimum' | 'amountMaximum' | 'currency'>;

export type LinkAmountInput = {
  amount?: number | string | null | undefined;
  currency: string;
  /** Lets the customer choose the amount. Replaces `amount`. */
  customAmount?:
    | { min?: number | string | null | undefined; max?: number | string | null | undefined }
    | null
    | undefined;
};

export function parseLinkAmount({ amount, currency, customAmount }: LinkAmountInput): LinkAmount {
  if (!isCurrencyCode(currency)) throw unsupportedCurrencyError(currency);
  if (customAmount == null) {
    if (amount == null) throw invalidInputError('/amount', 'is required, unless you set customAmount');
    const money = parseMoney(amount, currency, '/amount');
    return { amount: money.minor, amountMinimum: null, amountMaximum: null, currency: money.currency };
  }
  if (amount != null) throw invalidInputError('/amount', 'must not be set together with customAmount');
  const parseLimit = (name: 'min' | 'max') => {
    const value = customAmount[name];
    return value == null ? null : parseMoney(value, currency, `/customAmount/${name}`).minor;
  };
  const [amountMinimum, amountMaximum] = [parseLimit('min'), parseLimit('max')];
  if (amountMinimum !== null && amountMaximum !== null && amountMinimum > amountMaximum)
    throw invalidInputError('/customAmount/max', 'must not be less than the minimum');
  return { amount: null, amountMinimum, amountMaximum, currency };
}

/** Returns which limit of the link the chosen amount violates, or `undefined`. */
export function findViolatedLimit(
  { amountMinimum, amountMaximum }: LinkAmount,
  { minor }: Money,
): 'minimum' | 'maximum' | undefined {
  if (amountMinimum !== null && minor < amountMinimum) return 'minimum';
  return amountMaximum !== null && minor > amountMaximum ? 'maximum' : undefined;
}

/**
 * Returns the amount of a new charge of the link. If the customer chooses the amount, throws
 * `invalid_request` if it is missing or in another currency, and `amount_out_of_range` if it is outside the
 * limits.
 */
export function getLinkMoney(link: LinkAmount, chosen: Money | undefined): Money {
  const { amount, currency } = link;
  if (amount !== null) return { minor: amount, currency };
  if (chosen?.currency !== currency) throw invalidInputError('/amount', 'is required');
  const limit = findViolatedLimit(link, chosen);
  if (limit !== undefined)
    throw new DomainError(
      'amount_out_of_range',
      `${formatMoney(chosen)} is outside the limits of the checkout link`,
    );
  return chosen;
}
