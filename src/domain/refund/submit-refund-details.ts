import { type Db, transact } from '../../kit/db.ts';
import type { Owned } from '../../kit/owner.ts';
import type { Secrets } from '../../kit/secrets.ts';
import { type MethodCode, paymentMethods } from '../../method/catalogue.ts';
import { type PayoutInput, parsePayoutDetails } from '../../method/payout-details.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';
import { requireSecondFactor } from '../user/require-second-factor.ts';
import { lockRefund } from './lock-refund.ts';
import { type RefundOfCharge, transitionRefund } from './transition-refund.ts';

/**
 * Where the customer wants the money, by the rules of the country of the charge's method; kept encrypted. Ends the links
 * to the customer's page. Live, a user of the merchant with a second factor has given it again. Errors:
 * `refund_not_found`, `refund_not_initiated`, `second_factor_required`, `invalid_request` with every fault.
 */
export async function submitRefundDetails(
  service: Db & { secrets: Secrets },
  options: Owned & {
    details: PayoutInput;
    actor: string;
    /** Who does it for the merchant; left out: the customer. */
    caller?: MerchantCaller;
    now: Date;
  },
): Promise<RefundOfCharge> {
  const { caller, now } = options;
  if (caller?.mode === 'live') requireSecondFactor(caller, now);
  return transact(service, async (tx) => {
    const { refund, charge } = await lockRefund(tx, options);
    const { country } = paymentMethods[charge.method as MethodCode];
    const details = parsePayoutDetails(country, options.details);
    const data = {
      detailsSealed: service.secrets.seal(JSON.stringify(details)),
      pageGeneration: refund.pageGeneration + 1,
      reopenReason: null,
    };
    const change = { ...options, data };
    return { refund: await transitionRefund(tx, { refund, charge }, 'processing', change), charge };
  });
}
