import type { InvoiceStatus, Prisma } from '../../../../prisma/client/client.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { createdBetween } from '../../platform/created-between.ts';

type InvoiceFilter = {
  status?: InvoiceStatus | undefined;
  /** Only open invoices that were due before this time. */
  overdueAt?: Date | undefined;
  startDate?: Date | undefined;
  endDate?: Date | undefined;
  currency?: string | undefined;
  subscriptionId?: string | undefined;
};

/** Returns the filter as a Prisma condition, always limited to the merchant and mode. */
export function buildInvoiceFilter(
  options: MerchantScope & { filter: InvoiceFilter },
): Prisma.InvoiceWhereInput {
  const { merchantId, mode, filter } = options;
  return {
    merchantId,
    mode,
    ...(filter.status !== undefined && { status: filter.status }),
    ...(filter.overdueAt !== undefined && { status: 'open', dueAt: { lt: filter.overdueAt } }),
    ...(filter.currency !== undefined && { currency: filter.currency }),
    AND: createdBetween('invoice', filter),
    ...(filter.subscriptionId !== undefined && { subscriptionId: filter.subscriptionId }),
  };
}
