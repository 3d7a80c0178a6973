import type { Charge, Merchant } from '../../../prisma/client/client.ts';
import { transact } from '../../kit/db.ts';
import type { MethodCode } from '../../method/catalogue.ts';
import { insertCharge } from '../charge/insert-charge.ts';
import { prepareCharge } from '../charge/prepare-charge.ts';
import type { CustomerDetails } from '../customer/customer-input.ts';
import { recordCustomer } from '../customer/record-customer.ts';
import type { Service } from '../service.ts';
import type { CheckoutAddress } from './parse-checkout-address.ts';

/** A new charge from the bare checkout address, with what the customer chose. Errors: those of creating a charge. */
export async function chargeCheckoutAddress(
  service: Service,
  options: {
    merchant: Merchant;
    address: CheckoutAddress;
    method: MethodCode;
    customer: CustomerDetails;
    now: Date;
  },
): Promise<Charge> {
  const { merchant, address, method, now } = options;
  const { mode, money: merchantMoney, notifyPayload, notifyUrl } = address;
  const terms = { merchantMoney, method, customer: options.customer, orders: [], notifyPayload, notifyUrl };
  const prepared = await prepareCharge(service, { merchant, mode, terms, now });
  return transact(service, async (tx) => {
    const details = options.customer;
    const customer = await recordCustomer(tx, { merchantId: merchant.id, mode, details, now });
    return insertCharge(tx, prepared, { customerId: customer.id, actor: 'customer', now });
  });
}
