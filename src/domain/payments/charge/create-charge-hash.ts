import { parseMoney } from '../../../kit/money.ts';
import { type OrderLineInput, parseOrderLines } from '../../platform/order-line.ts';
import type { Service } from '../../platform/service.ts';
import { computeChargeHash, type HashScope } from './charge-hash.ts';

export type CreateChargeHashInput = {
  merchantAmount: number | string;
  merchantCurrency: string;
  orders?: readonly OrderLineInput[] | null | undefined;
  /** Only for checkout URLs with a publishable key, whose hash includes them. */
  notifyPayload?: string | null | undefined;
  notifyUrl?: string | null | undefined;
};

/**
 * Computes the hash that secure mode requires for these terms. Throws `invalid_request` or
 * `currency_unsupported`.
 */
export async function createChargeHash(
  service: Service,
  { input, ...scope }: HashScope & { input: CreateChargeHashInput },
): Promise<string> {
  const { merchantAmount, merchantCurrency, orders, notifyPayload, notifyUrl } = input;
  const money = parseMoney(merchantAmount, merchantCurrency, '/merchantAmount');
  return computeChargeHash(service.secrets, scope, {
    money,
    orders: parseOrderLines(orders, merchantCurrency),
    // An empty value means none, as in the query string of the checkout URL.
    notifyPayload: notifyPayload || null,
    notifyUrl: notifyUrl || null,
  });
}
