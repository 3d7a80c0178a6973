import { parseMoney } from '../../../kit/money.ts';
import { type OrderInput, parseOrders } from '../../platform/order.ts';
import type { Service } from '../../platform/service.ts';
import { computeChargeHash, type HashOwner } from './charge-hash.ts';

export type CreateChargeHashInput = {
  merchantAmount: number | string;
  merchantCurrency: string;
  orders?: readonly OrderInput[] | null | undefined;
  /** For the bare checkout address, whose hash covers them too. */
  notifyPayload?: string | null | undefined;
  notifyUrl?: string | null | undefined;
};

/** The hash to send with a charge of this amount and these orders in this mode. Errors: `invalid_request`, `currency_unsupported`. */
export async function createChargeHash(
  service: Service,
  { input, ...owner }: HashOwner & { input: CreateChargeHashInput },
): Promise<string> {
  const { merchantAmount, merchantCurrency, orders, notifyPayload, notifyUrl } = input;
  const money = parseMoney(merchantAmount, merchantCurrency, '/merchantAmount');
  return computeChargeHash(service.secrets, owner, {
    money,
    orders: parseOrders(orders, merchantCurrency),
    // An empty one is none, as in the query of the address.
    notifyPayload: notifyPayload || null,
    notifyUrl: notifyUrl || null,
  });
}
