import type { Merchant } from '../../../prisma/client/client.ts';
import { parseMoney } from '../../kit/money.ts';
import { type OrderInput, parseOrders } from '../order.ts';
import type { Service } from '../service.ts';
import { chargeHash } from './charge-hash.ts';

export type CreateChargeHashInput = {
  merchantAmount: number | string;
  merchantCurrency: string;
  orders?: readonly OrderInput[] | null | undefined;
  /** For the bare checkout address, whose hash covers them too. */
  notifyPayload?: string | null | undefined;
  notifyUrl?: string | null | undefined;
};

/** The hash to send with a charge of this amount and these orders. Errors: `invalid_request`, `currency_unsupported`. */
export function createChargeHash(
  service: Service,
  options: { merchant: Merchant; input: CreateChargeHashInput },
): string {
  const { merchantAmount, merchantCurrency, orders, notifyPayload, notifyUrl } = options.input;
  const money = parseMoney(merchantAmount, merchantCurrency, '/merchantAmount');
  return chargeHash(service.secrets, options.merchant, {
    money,
    orders: parseOrders(orders, merchantCurrency),
    // An empty one is none, as in the query of the address.
    notifyPayload: notifyPayload || null,
    notifyUrl: notifyUrl || null,
  });
}
