import type { Charge, Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { Service } from '../../platform/service.ts';
import { insertCharge } from '../charge/insert-charges.ts';
import { prepareCharge } from '../charge/prepare-charge.ts';
import type { CustomerDetails } from '../customer/customer-input.ts';
import { upsertPageCustomer } from '../customer/upsert-customer.ts';
import { type PageVisitor, withCheckoutSlot } from '../customer-page/checkout-slot.ts';
import type { CheckoutUrlTerms } from './parse-checkout-url.ts';

/**
 * Creates a charge from the query of a checkout URL. Throws `rate_limited` (see `withCheckoutSlot`) and the
 * errors of `prepareCharge` and `insertCharge`.
 */
export async function chargeCheckoutUrl(
  service: Service,
  options: {
    merchant: Merchant;
    urlTerms: CheckoutUrlTerms;
    method: MethodCode;
    customer: CustomerDetails;
    /** The language of the customer's page. */
    language?: string;
    visitor: PageVisitor;
    now: Date;
  },
): Promise<Charge> {
  const { merchant, urlTerms, method, customer: details, language, now } = options;
  const { mode, keyId, money: merchantMoney, notifyPayload, notifyUrl } = urlTerms;
  const terms = {
    merchantMoney,
    method,
    customer: details,
    orders: [],
    notifyPayload,
    notifyUrl,
    ...(language !== undefined && { language }),
  };
  const preparedCharge = await prepareCharge(service, { merchant, mode, terms, now });
  return transact(service, async (uow) => {
    const scope = { merchantId: merchant.id, mode };
    const customerId = await upsertPageCustomer(uow.tx, { ...scope, details, now });
    const visitor = { ...options.visitor, keyId };
    return withCheckoutSlot(uow, { ...scope, visitor, now }, () =>
      insertCharge(uow, { preparedCharge, customerId }, { actor: 'customer', now }),
    );
  });
}
