import type { MerchantTime } from '../../../kit/clock.ts';
import type { Audited } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { cancelCharge } from '../charge/cancel-charge.ts';
import { cancelSession } from '../session/cancel-session.ts';
import { type CounterSale, getCounterSale, type Seller } from './counter-sale.ts';

/**
 * Cancels an unpaid sale of the seller. Throws `session_not_found`, the errors of `cancelSession`, or
 * `charge_not_pending` if money has arrived or the charge has ended.
 */
export async function cancelCounterSale(
  service: Service,
  options: Seller & Audited & { id: string; actor: string; now: MerchantTime },
): Promise<CounterSale> {
  const { merchantId, mode, sellerId, id, actor, now, audit } = options;
  const seller = { merchantId, mode, sellerId, id };
  const { charge } = await getCounterSale(service, seller);
  const change = { actor, now, ...(audit && { audit }) };
  // Only a user who can return money may cancel a sale that has received a part payment.
  if (charge) await cancelCharge(service, { merchantId, mode, id: charge.id, by: 'customer', ...change });
  else await cancelSession(service, { id, ...change });
  return getCounterSale(service, seller);
}
