import type { Charge, CheckoutLink, Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Money } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { MetadataEntry } from '../../platform/metadata.ts';
import type { OrderLine } from '../../platform/order-line.ts';
import type { Service } from '../../platform/service.ts';
import { insertCharge } from '../charge/insert-charges.ts';
import { prepareCharge } from '../charge/prepare-charge.ts';
import type { CustomerDetails } from '../customer/customer-input.ts';
import { upsertPageCustomer } from '../customer/upsert-customer.ts';
import { type PageVisitor, withCheckoutSlot } from '../customer-page/checkout-slot.ts';
import { getLinkMoney } from './link-amount.ts';

/**
 * Creates a charge of a link. Throws `link_closed` if the link is closed or has expired, or if open and paid
 * charges have reached its limit of uses, `method_unavailable` if the link does not offer the method, and the errors
 * of `getLinkMoney`, `prepareCharge`, `withCheckoutSlot` and `insertCharge`.
 */
export async function chargeCheckoutLink(
  service: Service,
  options: {
    merchant: Merchant;
    link: CheckoutLink;
    /** The amount that the customer chose; only for a link without a fixed amount. */
    chosenMoney?: Money | undefined;
    method: MethodCode;
    /** The details that the customer submitted on the page; those of the link only prefill the form. */
    customer: CustomerDetails;
    /** The language of the customer's page. */
    language?: string;
    visitor: PageVisitor;
    now: Date;
  },
): Promise<Charge> {
  const { merchant, link, chosenMoney, method, customer: details, language, visitor, now } = options;
  const allowedMethods = link.paymentMethods as MethodCode[] | null;
  if (allowedMethods && !allowedMethods.includes(method)) {
    throw new DomainError('method_unavailable', `The link does not offer ${method}`);
  }
  const terms = {
    merchantMoney: getLinkMoney(link, chosenMoney),
    method,
    customer: details,
    ...(language !== undefined && { language }),
    orders: link.orders as OrderLine[],
    notifyPayload: link.notifyPayload,
    metadata: link.metadata as MetadataEntry[] | null,
    redirectUrl: link.redirectUrl,
    checkoutLinkId: link.id,
  };
  const preparedCharge = await prepareCharge(service, { merchant, mode: link.mode, terms, now });
  return transact(service, async (uow) => {
    const { tx } = uow;
    const updated = await tx.checkoutLink.updateMany({
      where: {
        id: link.id,
        closedAt: null,
        AND: [
          { OR: [{ usageLimit: null }, { uses: { lt: tx.checkoutLink.fields.usageLimit } }] },
          { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
        ],
      },
      data: { uses: { increment: 1 } },
    });
    if (updated.count === 0)
      throw new DomainError(
        'link_closed',
        'The checkout link was closed, has expired or has reached its limit of charges; ask the merchant for a new link',
      );
    const scope = { merchantId: merchant.id, mode: link.mode };
    const customerId = await upsertPageCustomer(tx, { ...scope, details, now });
    return withCheckoutSlot(uow, { ...scope, visitor, now }, () =>
      insertCharge(uow, { preparedCharge, customerId }, { actor: 'customer', now }),
    );
  });
}
