import type { Prisma, RefundStatus } from '../../../../prisma/client/client.ts';
import { foldEmail, toPhoneDigits } from '../../../kit/contact.ts';
import { type Db, readBatch } from '../../../kit/db.ts';
import type { MerchantScope, ScopedId } from '../../../kit/merchant-scope.ts';
import { type AmountRange, inRange } from '../../platform/amount-range.ts';
import { createdBetween } from '../../platform/created-between.ts';
import { buildMetadataFilter, type MetadataFilter } from '../../platform/metadata.ts';
import { refundNotFoundError } from './lock-refund.ts';
import type { RefundWithCharge } from './transition-refund.ts';

/**
 * A refund must match all conditions. Dates and amounts are inclusive at both ends. `customerPhone` is ignored if
 * `customerEmail` is set. `method`, `receivingAccountId` and `notifyPayload` are those of the charge.
 */
type RefundFilter = MetadataFilter & {
  chargeId?: string | undefined;
  status?: RefundStatus | undefined;
  startDate?: Date | undefined;
  endDate?: Date | undefined;
  method?: string | undefined;
  receivingAccountId?: string | undefined;
  customerCurrency?: string | undefined;
  customerAmount?: AmountRange | undefined;
  customerEmail?: string | undefined;
  customerPhone?: string | undefined;
};

/** Returns one page of the merchant's refunds, newest first, with the exact total. */
export async function findRefunds(
  db: Db,
  options: MerchantScope & { filter: RefundFilter; page: number; limit: number },
): Promise<{ refunds: RefundWithCharge[]; total: number }> {
  const { page, limit } = options;
  const where = buildRefundFilter(options);
  const [total, rows] = await readBatch(db, [
    db.prisma.refund.count({ where }),
    db.prisma.refund.findMany({
      where,
      include: { charge: true },
      orderBy: { id: 'desc' },
      skip: (page - 1) * limit,
      take: limit,
    }),
  ]);
  return { refunds: rows.map(({ charge, ...refund }) => ({ refund, charge })), total };
}

/** Returns the filter as a Prisma condition, always limited to the merchant and mode. */
export function buildRefundFilter(
  options: MerchantScope & { filter: RefundFilter },
): Prisma.RefundWhereInput {
  const { merchantId, mode, filter } = options;
  const { method, customerAmount: amount } = filter;
  return {
    merchantId,
    mode,
    ...(filter.chargeId !== undefined && { chargeId: filter.chargeId }),
    ...(filter.status !== undefined && { status: filter.status }),
    ...(filter.receivingAccountId !== undefined && { receivingAccountId: filter.receivingAccountId }),
    // A merchant has few accounts of a method, and an index finds the refunds of each.
    ...(method !== undefined && { receivingAccount: { merchantId, mode, method } }),
    ...(filter.customerCurrency !== undefined && { customerCurrency: filter.customerCurrency }),
    AND: [
      createdBetween('refund', filter),
      amount ? { customerCurrency: amount.currency, customerAmount: inRange(amount) } : {},
    ],
    ...buildMetadataFilter(filter.metadata),
    ...buildChargeCondition(options),
  };
}

function buildChargeCondition({
  merchantId,
  mode,
  filter: { customerEmail, customerPhone, notifyPayload },
}: MerchantScope & { filter: RefundFilter }): Prisma.RefundWhereInput {
  // Repeats the merchant and mode, so that the query can use the index of customers.
  const charge: Prisma.ChargeWhereInput = {
    ...(notifyPayload !== undefined && { notifyPayload }),
    ...(customerEmail !== undefined && {
      customer: { merchantId, mode, email: foldEmail(customerEmail) },
      // A charge without an email does not match the email that its customer provided later.
      email: { not: null },
    }),
    ...(customerEmail === undefined &&
      customerPhone !== undefined && { phone: `+${toPhoneDigits(customerPhone)}` }),
  };
  return Object.keys(charge).length === 0 ? {} : { charge: { merchantId, mode, ...charge } };
}

export async function getRefund(db: Db, options: ScopedId): Promise<RefundWithCharge> {
  const { merchantId, mode, id } = options;
  const row = await db.prisma.refund.findFirst({
    where: { id, merchantId, mode },
    include: { charge: true },
  });
  if (!row) throw refundNotFoundError(id);
  const { charge, ...refund } = row;
  return { refund, charge };
}
