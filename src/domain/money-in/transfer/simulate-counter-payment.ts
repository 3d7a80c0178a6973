import type { Merchant } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type CounterSale, getCounterSale, type Seller } from '../../payments/counter/counter-sale.ts';
import type { Audited } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { simulateTransfer } from './simulate-transfer.ts';

/**
 * Simulates that the customer pays a sandbox sale of the seller in full, so that staff can practise. Throws
 * `sandbox_only`, `session_not_found`, or `charge_not_pending` if no method is chosen or the payment has ended.
 */
export async function simulateCounterPayment(
  service: Service,
  options: Audited & { merchant: Merchant; seller: Seller; id: string; actor: string; now: MerchantTime },
): Promise<CounterSale> {
  const { merchant, seller, id, actor, now, audit } = options;
  const { mode } = seller;
  if (mode !== 'sandbox')
    throw new DomainError('sandbox_only', 'Payments can be simulated only in the sandbox');
  const { charge } = await getCounterSale(service, { ...seller, id });
  if (charge?.status !== 'pending')
    throw new DomainError('charge_not_pending', `The sale ${id} is not waiting for a payment`);
  const input = { chargeId: charge.id, kind: 'exact' as const };
  await simulateTransfer(service, { merchant, mode, input, actor, now, audit });
  return getCounterSale(service, { ...seller, id });
}
