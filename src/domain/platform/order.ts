import type { CurrencyCode } from '../../kit/currency.ts';
import { invalidInputError } from '../../kit/errors.ts';
import { parseMoney, toDecimal } from '../../kit/money.ts';
import { checkText } from '../../kit/text.ts';

/** An order line as stored. `amount` is an exact decimal in major units of the charge's currency. */
export type Order = { id?: string; name?: string; quantity?: number; amount?: string };

/** An order line as received over REST (numbers) or GraphQL (decimal strings). */
export type OrderInput = {
  id?: string | null | undefined;
  name?: string | null | undefined;
  quantity?: number | null | undefined;
  amount?: number | string | null | undefined;
  currency?: string | null | undefined;
};

const ordersMax = 100;
const orderTextLengthMax = 500;

/** Validates order lines and converts them to their stored form. Error: 400 with the path of the invalid value. */
export function parseOrders(
  input: readonly OrderInput[] | null | undefined,
  currency: CurrencyCode,
  path = '/orders',
): Order[] {
  if (!input) return [];
  if (input.length > ordersMax) throw invalidInputError(path, `must have at most ${ordersMax} orders`);
  return input.map((order, i) => parseOrder(order, currency, `${path}/${i}`));
}

function parseOrder(input: OrderInput, currency: CurrencyCode, path: string): Order {
  if (input.currency != null && input.currency !== currency) {
    throw invalidInputError(`${path}/currency`, `must be the charge’s currency, ${currency}`);
  }
  if (input.quantity != null && (!Number.isSafeInteger(input.quantity) || input.quantity < 1)) {
    throw invalidInputError(`${path}/quantity`, 'must be a positive integer');
  }
  const order: Order = {
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

/** Returns the order line as JSON, with a numeric amount. The sequence of its members is fixed. */
export function toOrderJson({ id, name, quantity, amount }: Order): object {
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(quantity !== undefined && { quantity }),
    ...(amount !== undefined && { amount: Number(amount) }),
  };
}
