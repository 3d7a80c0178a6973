import { type CheckoutLink, type Merchant, type Mode, Prisma } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { newId } from '../../../kit/id.ts';
import { checkInteger } from '../../../kit/integer.ts';
import {
  filterAvailableMethods,
  findAvailableMethods,
} from '../../accounts/receiving-account/find-available-methods.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { type MetadataInput, parseMetadata } from '../../platform/metadata.ts';
import { parseNotifyPayload } from '../../platform/notify-payload.ts';
import { type OrderLineInput, parseOrderLines } from '../../platform/order-line.ts';
import { parsePaymentMethods } from '../../platform/parse-methods.ts';
import type { Service } from '../../platform/service.ts';
import { parseRedirectUrl } from '../../platform/target-url.ts';
import { noMethodError, quoteMethods } from '../charge/quote-methods.ts';
import { type CustomerInput, parseCustomer } from '../customer/customer-input.ts';
import { type LinkAmount, type LinkAmountInput, parseLinkAmount } from './link-amount.ts';
import { parseLinkExpiry, parseLinkName } from './link-input.ts';

export type CreateCheckoutLinkInput = LinkAmountInput & {
  orders?: readonly OrderLineInput[] | null | undefined;
  /**
   * Maps country codes to methods; an empty list means all methods of that country. Other countries are not
   * offered.
   */
  paymentMethods?: Record<string, readonly string[]> | null | undefined;
  notifyPayload?: string | null | undefined;
  metadata?: MetadataInput;
  redirectUrl?: string | null | undefined;
  customer?: CustomerInput | null | undefined;
  /** Customers see the name only on the poster, and as the order of a sale at the counter. */
  name?: string | null | undefined;
  /** The link accepts no charges from this time on. */
  expiresAt?: Date | null | undefined;
  /** The maximum number of open and paid charges; unlimited if not set. */
  usageLimit?: number | null | undefined;
};

const usageLimitMax = 1_000_000;

/** Creates a link that can be paid many times. */
export async function createCheckoutLink(
  service: Service,
  options: Audited & { merchant: Merchant; mode: Mode; input: CreateCheckoutLinkInput; now: Date },
): Promise<CheckoutLink> {
  const { merchant, mode, input, now, audit } = options;
  const rules = { mode, redirectSchemes: merchant.redirectSchemes, ...service.settings };
  const linkAmount = parseLinkAmount(input);
  const methods = parsePaymentMethods(input.paymentMethods);
  await requireMethods(service, { merchant, mode, linkAmount, methods: methods ?? [], now });
  const data = {
    id: newId('checkoutLink', now),
    merchantId: merchant.id,
    mode,
    ...linkAmount,
    orders: parseOrderLines(input.orders, linkAmount.currency),
    paymentMethods: methods ?? Prisma.DbNull,
    notifyPayload: parseNotifyPayload(input.notifyPayload),
    metadata: parseMetadata(input.metadata) ?? Prisma.DbNull,
    redirectUrl: parseRedirectUrl(input.redirectUrl, '/redirectUrl', rules),
    customer: parseCustomer(input.customer) ?? Prisma.DbNull,
    name: parseLinkName(input.name),
    expiresAt: parseLinkExpiry(input.expiresAt, now),
    usageLimit: parseUsageLimit(input.usageLimit),
    createdAt: now,
  };
  return transact(service, async (uow) => {
    const link = await uow.tx.checkoutLink.create({ data });
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId: merchant.id,
        mode,
        action: 'checkout_link.created',
        objectId: link.id,
      });
    return link;
  });
}

/**
 * Throws the errors of `quoteMethods` if no method accepts the amount of the link or one of its limits.
 * Throws `method_unavailable` if a link without these has no available method.
 */
async function requireMethods(
  service: Service,
  options: { merchant: Merchant; mode: Mode; linkAmount: LinkAmount; methods: string[]; now: Date },
): Promise<void> {
  const { linkAmount, ...rest } = options;
  const { currency } = linkAmount;
  const limits = [linkAmount.amount, linkAmount.amountMinimum, linkAmount.amountMaximum];
  const amounts = limits.filter((amount) => amount !== null);
  for (const minor of amounts) await quoteMethods(service, { ...rest, money: { minor, currency } });
  if (amounts.length > 0) return;
  const available = await findAvailableMethods(service, { merchantId: rest.merchant.id, mode: rest.mode });
  if (filterAvailableMethods(available, rest.methods).length === 0) throw noMethodError();
}

function parseUsageLimit(limit: number | null | undefined): number | null {
  return limit == null ? null : checkInteger(limit, '/usageLimit', { min: 1, max: usageLimitMax });
}
