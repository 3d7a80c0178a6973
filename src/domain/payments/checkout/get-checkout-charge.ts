import type { Prisma } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Service } from '../../platform/service.ts';
import type { AllocationReason } from '../allocation/insert-allocations.ts';
import { getUnallocatedAmount } from '../allocation/lock-transfer.ts';
import { readClientToken } from './page-tokens.ts';

const detachReasons: AllocationReason[] = ['charge_expired', 'charge_cancelled'];

/** What the customer's page of a charge needs besides the row. */
export const checkoutChargeInclude = {
  merchant: true,
  receivingAccount: true,
  subscription: { select: { id: true, mode: true, pageGeneration: true, status: true, activeUntil: true } },
  invoice: { select: { id: true, mode: true, pageGeneration: true, status: true } },
  allocations: {
    where: { reason: { in: detachReasons } },
    select: {
      amount: true,
      transfer: { select: { amount: true, allocated: true, status: true, direction: true } },
    },
  },
} as const satisfies Prisma.ChargeInclude;

export type CheckoutCharge = Prisma.ChargeGetPayload<{ include: typeof checkoutChargeInclude }>;

/** The charge that a client token opens. Error: `charge_not_found`, also for a token that is not ours. */
export async function getCheckoutCharge(
  service: Service,
  options: { clientToken: string },
): Promise<CheckoutCharge> {
  const claims = readClientToken(service.secrets, options.clientToken);
  const charge =
    claims && (await service.prisma.charge.findUnique({ where: claims, include: checkoutChargeInclude }));
  if (!charge) throw new DomainError('charge_not_found', 'The link does not open a charge');
  return charge;
}

/**
 * What has arrived for a charge that ended unpaid and is still to be decided about. The charge has let go of it; what the
 * bank took back since, was sent back or counts for another charge is left out.
 */
export function getPartialAmountReceived(charge: CheckoutCharge): bigint {
  return charge.allocations.reduce((sum, { amount, transfer }) => {
    const unallocated = getUnallocatedAmount(transfer);
    return sum + (unallocated < -amount ? unallocated : -amount);
  }, charge.amountReceived);
}
