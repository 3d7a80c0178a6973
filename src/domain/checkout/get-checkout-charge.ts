import type { Prisma } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Service } from '../service.ts';
import { readClientToken } from './page-tokens.ts';

/** What the customer's page of a charge needs besides the row. */
export const checkoutChargeInclude = {
  merchant: true,
  receivingAccount: true,
  subscription: { select: { id: true, mode: true, pageGeneration: true, status: true, activeUntil: true } },
  invoice: { select: { id: true, mode: true, pageGeneration: true, status: true } },
  allocations: { where: { amount: { gt: 0 } }, select: { amount: true } },
} as const satisfies Prisma.ChargeInclude;

export type CheckoutCharge = Prisma.ChargeGetPayload<{ include: typeof checkoutChargeInclude }>;

/** The charge that a client token opens. Error: `charge_not_found`, also for a token that is not ours. */
export async function getCheckoutCharge(
  service: Service,
  options: { clientToken: string },
): Promise<CheckoutCharge> {
  const id = readClientToken(service.secrets, options.clientToken);
  const charge = id === undefined ? null : await findById(service, id);
  if (!charge) throw new DomainError('charge_not_found', 'The address opens no charge');
  return charge;
}

function findById(db: Db, id: string): Promise<CheckoutCharge | null> {
  return db.prisma.charge.findUnique({ where: { id }, include: checkoutChargeInclude });
}

/** What had arrived for a charge that ended unpaid. The charge itself has let go of it. */
export function arrivedInPart(charge: CheckoutCharge): bigint {
  if (charge.status === 'pending') return charge.amountReceived;
  return charge.allocations.reduce((sum, { amount }) => sum + amount, 0n);
}
