import type { CurrencyCode } from '../../kit/currency.ts';
import { invalidInputError } from '../../kit/errors.ts';
import { decimalToMinor, type Money, parseMoney, toDecimal } from '../../kit/money.ts';
import { checkText } from '../../kit/text.ts';

/** An order line as stored. `amount` is the exact price of one piece, in major units of the charge's currency. */
export type OrderLine = { id?: string; name?: string; quantity?: number; amount?: string };

/** An order line as received over REST (numbers) or GraphQL (decimal strings). */
export type OrderLineInput = {
  id?: string | null | undefined;
  name?: string | null | undefined;
  quantity?: number | null | undefined;
  amount?: number | string | null | undefined;
  currency?: string | null | undefined;
};

const orderLinesMax = 100;
const orderTextLengthMax = 500;

/** Validates order lines and converts them to their stored form. Error: 400 with the path of the invalid value. */
export function parseOrderLines(
  input: readonly OrderLineInput[] | null | undefined,
  currency: CurrencyCode,
  path = '/orders',
): OrderLine[] {
  if (!input) return [];
  if (input.length > orderLinesMax)
    throw invalidInputError(path, `must have at most ${orderLinesMax} orders`);
  return input.map((order, i) => parseOrderLine(order, currency, `${path}/${i}`));
}

function parseOrderLine(input: OrderLineInput, currency: CurrencyCode, path: string): OrderLine {
  if (input.currency != null && input.currency !== currency) {
    throw invalidInputError(`${path}/currency`, `must be the charge’s currency, ${currency}`);
  }
  if (input.quantity != null && (!Number.isSafeInteger(input.quantity) || input.quantity < 1)) {
    throw invalidInputError(`${path}/quantity`, 'must be a positive integer');
  }
  const order: OrderLine = {
    ...(input.id != null && { id: checkText(input.id, `${path}/id`, orderTextLengthMax) }),
    ...(input.name != null && { name: checkText(input.name, `${path}/name`, orderTextLengthMax) }),
    ...(input.quantity != null && { quantity: input.quantity }),
    ...(input.amount != null && {
      amount: toDecimal(parseMoney(input.amount, currency, `${path}/amount`, { allowZero: true })),
    }),
  };
  if (Object.keys(order).length === 0)
    throw invalidInputError(path, 'must have an id, a name, a quantity or an amount');
  return order;
}

/** Returns whether all order lines have prices, and their total differs from the amount. */
export function hasOrderMismatch(orders: readonly OrderLine[], { minor, currency }: Money): boolean {
  if (orders.length === 0 || orders.some(({ amount }) => amount === undefined)) return false;
  const total = orders.reduce(
    (sum, { amount, quantity = 1 }) => sum + (decimalToMinor(amount!, currency) ?? 0n) * BigInt(quantity),
    0n,
  );
  return total !== minor;
}

/** Returns the order line as JSON, with a numeric amount. */
export function toOrderLineJson({ id, name, quantity, amount }: OrderLine): object {
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(quantity !== undefined && { quantity }),
    ...(amount !== undefined && { amount: Number(amount) }),
  };
}
