import type { Mode, Prisma, Refund } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Money } from '../../../kit/money.ts';
import { requireMerchantHere } from '../../platform/merchant/require-enabled-merchant.ts';
import type { Service } from '../../platform/service.ts';
import { getReleasedAmount, releasedPartsSelect, releaseReasons } from '../allocation/released-parts.ts';
import { readClientToken } from '../customer-page/page-tokens.ts';

/** The relations that the customer page of a charge needs. */
const checkoutChargeInclude = {
  merchant: true,
  receivingAccount: true,
  subscription: {
    select: {
      id: true,
      mode: true,
      linkVersion: true,
      status: true,
      activeUntil: true,
      plan: { select: { name: true } },
    },
  },
  invoice: { select: { id: true, mode: true, linkVersion: true, status: true } },
  session: { select: { methods: true, status: true, expiresAt: true, cancelUrl: true } },
  checkoutLink: {
    select: {
      id: true,
      mode: true,
      paymentMethods: true,
      uses: true,
      usageLimit: true,
      closedAt: true,
      expiresAt: true,
    },
  },
  allocations: releasedPartsSelect,
} as const satisfies Prisma.ChargeInclude;

/** Unallocated money of a transfer that names a charge, by its payment reference or unique amount. */
type UnallocatedTransfer = { money: Money; chargeId: string };

export type CheckoutCharge = Prisma.ChargeGetPayload<{ include: typeof checkoutChargeInclude }> & {
  /** Money that arrived too late, or for a charge that this one replaced, and that the merchant has to allocate. */
  unallocatedTransfers: UnallocatedTransfer[];
  /** Money for this charge that the merchant has returned, by currency. */
  returns: Money[];
  /** The refunds of a completed charge that are not cancelled. */
  refunds: CheckoutRefund[];
  replacedById: string | null;
};

type CheckoutRefund = Pick<Refund, 'status' | 'customerAmount'>;

/**
 * Returns the charge that a client token grants access to. Throws `charge_not_found`, also for an invalid
 * token, and `merchant_moved`.
 */
export async function getCheckoutCharge(
  service: Service,
  options: { clientToken: string },
): Promise<CheckoutCharge> {
  const claims = readClientToken(service.secrets, options.clientToken);
  const charge = claims && (await readCheckoutCharge(service, claims));
  if (!charge) throw new DomainError('charge_not_found', 'The link is not valid for any charge');
  requireMerchantHere(charge.merchant);
  return charge;
}

/** Returns the charge with everything that its page shows, or null if it does not exist. */
export async function readCheckoutCharge(
  db: Db,
  { id, mode, merchantId }: { id: string; mode: Mode; merchantId?: string },
): Promise<CheckoutCharge | null> {
  const charge = await db.prisma.charge.findUnique({
    where: { id, mode, ...(merchantId !== undefined && { merchantId }) },
    include: checkoutChargeInclude,
  });
  if (!charge) return null;
  // Only an ended charge is replaced or has unallocated money, and extending it increments its version.
  const hasNeverEnded = charge.status === 'pending' && charge.replacesId === null && charge.version === 1;
  const [unallocatedTransfers, returns, replacement] = hasNeverEnded
    ? [[], [], null]
    : [
        await findUnallocatedTransfers(db, id),
        await findReturns(db, id),
        await db.prisma.charge.findUnique({ where: { replacesId: id }, select: { id: true } }),
      ];
  const refunds = charge.status === 'completed' ? await findRefunds(db, id) : [];
  return { ...charge, unallocatedTransfers, returns, refunds, replacedById: replacement?.id ?? null };
}

function findRefunds({ prisma }: Db, chargeId: string): Promise<CheckoutRefund[]> {
  return prisma.refund.findMany({
    where: { chargeId, status: { not: 'cancelled' } },
    select: { status: true, customerAmount: true },
  });
}

/** Returns the unallocated money that names the charge, or a charge that it replaced directly or indirectly. */
async function findUnallocatedTransfers(db: Db, chargeId: string): Promise<UnallocatedTransfer[]> {
  const rows = await db.prisma.$queryRaw<{ minor: string; currency: string; chargeId: string }[]>`
    WITH RECURSIVE chain (id, replaces_id) AS (
      SELECT id, replaces_id FROM charge WHERE id = ${chargeId}
      UNION ALL
      SELECT charge.id, charge.replaces_id FROM charge JOIN chain ON charge.id = chain.replaces_id)
    SELECT (transfer.amount - transfer.allocated)::text AS minor, transfer.currency, chain.id AS "chargeId"
    FROM chain JOIN transfer ON transfer.named_charge_id = chain.id
    WHERE transfer.status = 'exception' AND transfer.allocated < transfer.amount ORDER BY transfer.id`;
  return rows.map(({ minor, currency, chargeId: id }) => ({
    money: { minor: BigInt(minor), currency },
    chargeId: id,
  }));
}

/**
 * Returns, by currency, how much the merchant returned of the transfers that name the charge or were applied to it
 * before it ended.
 */
async function findReturns(db: Db, chargeId: string): Promise<Money[]> {
  const rows = await db.prisma.$queryRaw<{ minor: string; currency: string }[]>`
    WITH paid AS (
      SELECT id FROM transfer WHERE named_charge_id = ${chargeId}
      UNION SELECT transfer_id FROM allocation WHERE charge_id = ${chargeId} AND reason = ANY(${releaseReasons}))
    SELECT sum(allocation.amount)::text AS minor, transfer.currency
    FROM paid JOIN allocation ON allocation.transfer_id = paid.id JOIN transfer ON transfer.id = paid.id
    WHERE allocation.reason = 'returned' AND transfer.undone_at IS NULL
    GROUP BY transfer.currency HAVING sum(allocation.amount) > 0`;
  return rows.map(({ minor, currency }) => ({ minor: BigInt(minor), currency }));
}

/** Returns, in minor units, the money that is applied to the charge, and what it released when it ended unpaid. */
export function getPartialAmountReceived(charge: CheckoutCharge): bigint {
  return charge.amountReceived + getReleasedAmount(charge);
}
