import type { Charge, CheckoutLink, Merchant } from '../../../prisma/client/client.ts';
import { transact } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import type { MethodCode } from '../../method/catalogue.ts';
import { insertCharge } from '../charge/insert-charge.ts';
import { prepareCharge } from '../charge/prepare-charge.ts';
import type { CustomerDetails } from '../customer/customer-input.ts';
import { recordCustomer } from '../customer/record-customer.ts';
import type { Order } from '../order.ts';
import type { Service } from '../service.ts';

/**
 * A new charge on a link, with what the customer chose. Errors: `link_closed` (closed, or all its uses taken),
 * `method_unavailable`, and those of creating a charge.
 */
export async function chargeCheckoutLink(
  service: Service,
  options: {
    merchant: Merchant;
    link: CheckoutLink;
    method: MethodCode;
    customer: CustomerDetails;
    now: Date;
  },
): Promise<Charge> {
  const { merchant, link, method, now } = options;
  const allowed = link.paymentMethods as MethodCode[] | null;
  if (allowed && !allowed.includes(method)) {
    throw new DomainError('method_unavailable', `The link does not offer ${method}`);
  }
  const terms = {
    merchantMoney: { minor: link.amount, currency: link.currency },
    method,
    customer: { ...(link.customer as CustomerDetails | null), ...options.customer },
    orders: link.orders as Order[],
    notifyPayload: link.notifyPayload,
    redirectUrl: link.redirectUrl,
    checkoutLinkId: link.id,
  };
  const prepared = await prepareCharge(service, { merchant, mode: link.mode, terms, now });
  return transact(service, async (tx) => {
    const used = await tx.checkoutLink.updateMany({
      where: {
        id: link.id,
        closedAt: null,
        OR: [{ usesLimit: null }, { uses: { lt: tx.checkoutLink.fields.usesLimit } }],
      },
      data: { uses: { increment: 1 } },
    });
    if (used.count === 0) throw new DomainError('link_closed');
    const details = terms.customer;
    const customer = await recordCustomer(tx, { merchantId: merchant.id, mode: link.mode, details, now });
    return insertCharge(tx, prepared, { customerId: customer.id, actor: 'customer', now });
  });
}
