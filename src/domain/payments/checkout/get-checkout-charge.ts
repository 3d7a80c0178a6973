import type { Prisma } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import { requireMerchantHere } from '../../accounts/merchant/require-enabled-merchant.ts';
import type { Service } from '../../platform/service.ts';
import type { AllocationReason } from '../allocation/insert-allocations.ts';
import { getUnallocatedAmount } from '../allocation/lock-transfer.ts';
import { readClientToken } from './page-tokens.ts';

const detachReasons: AllocationReason[] = ['charge_expired', 'charge_cancelled'];

/** The relations that the customer page of a charge needs. */
export const checkoutChargeInclude = {
  merchant: true,
  receivingAccount: true,
  subscription: { select: { id: true, mode: true, linkVersion: true, status: true, activeUntil: true } },
  invoice: { select: { id: true, mode: true, linkVersion: true, status: true } },
  allocations: {
    where: { reason: { in: detachReasons } },
    select: {
      amount: true,
      transfer: { select: { amount: true, allocated: true, status: true, direction: true } },
    },
  },
} as const satisfies Prisma.ChargeInclude;

export type CheckoutCharge = Prisma.ChargeGetPayload<{ include: typeof checkoutChargeInclude }>;

/**
 * Returns the charge that a client token grants access to. Throws `charge_not_found`, also for an invalid
 * token, and `merchant_moved`.
 */
export async function getCheckoutCharge(
  service: Service,
  options: { clientToken: string },
): Promise<CheckoutCharge> {
  const claims = readClientToken(service.secrets, options.clientToken);
  const charge =
    claims && (await service.prisma.charge.findUnique({ where: claims, include: checkoutChargeInclude }));
  if (!charge) throw new DomainError('charge_not_found', 'The link is not valid for any charge');
  requireMerchantHere(charge.merchant);
  return charge;
}

/**
 * Returns the money received for a charge that ended unpaid, about which the merchant has not decided yet.
 * Excludes amounts that were reversed, returned or allocated to another charge since.
 */
export function getPartialAmountReceived(charge: CheckoutCharge): bigint {
  return charge.allocations.reduce((sum, { amount, transfer }) => {
    const unallocated = getUnallocatedAmount(transfer);
    return sum + (unallocated < -amount ? unallocated : -amount);
  }, charge.amountReceived);
}
