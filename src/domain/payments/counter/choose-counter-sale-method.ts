import type { Merchant } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { Audited } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { paySession } from '../session/pay-session.ts';
import { type CounterSale, getCounterSale, type Seller } from './counter-sale.ts';

/**
 * Creates the charge of a sale of the seller by the method that the customer named, without an email. Throws
 * `session_not_found` and the errors of `paySession`.
 */
export async function chooseCounterSaleMethod(
  service: Service,
  options: Audited & {
    merchant: Merchant;
    seller: Seller;
    id: string;
    method: MethodCode;
    actor: string;
    ipAddress: string;
    now: MerchantTime;
  },
): Promise<CounterSale> {
  const { seller, ...payment } = options;
  const sale = { ...seller, id: payment.id };
  await getCounterSale(service, sale);
  await paySession(service, { ...payment, mode: seller.mode });
  return getCounterSale(service, sale);
}
