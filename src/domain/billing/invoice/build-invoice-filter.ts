import type { InvoiceStatus, Prisma } from '../../../../prisma/client/client.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';

export type InvoiceFilter = {
  status?: InvoiceStatus | undefined;
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
    ...(filter.subscriptionId !== undefined && { subscriptionId: filter.subscriptionId }),
  };
}
