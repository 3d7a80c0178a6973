import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { type PayoutInput, parsePayoutDetails } from '../../../method/payout-details.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { toAmountDetail } from '../../platform/audit/to-amount-detail.ts';
import { lockRefund } from './lock-refund.ts';
import { type RefundWithCharge, transitionRefund } from './transition-refund.ts';

/**
 * Validates the customer's payout details, a bank account or an alias, for the country of the charge's
 * method, and stores them encrypted. The customer's page then shows the state of the refund instead of the form.
 * Throws `refund_not_found`, `refund_not_initiated`, `statement_undo_in_progress`, or `invalid_request` with
 * all invalid fields.
 */
export async function submitRefundDetails(
  service: Db & { secrets: Secrets },
  options: ScopedId &
    Audited & {
      details: PayoutInput;
      actor: string;
      now: MerchantTime;
    },
): Promise<RefundWithCharge> {
  const { merchantId, mode, id, audit } = options;
  return transact(service, async (uow) => {
    const { refund, charge } = await lockRefund(uow.tx, options);
    const { country } = paymentMethods[charge.method as MethodCode];
    const details = parsePayoutDetails(country, options.details);
    const data = {
      detailsEncrypted: service.secrets.encrypt(
        JSON.stringify(details),
        'refund.details_encrypted',
        refund.id,
      ),
      payoutScheme: details.scheme ?? null,
      reopenReason: null,
    };
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'refund.details_submitted',
        objectId: id,
        detail: toAmountDetail(refund),
      });
    const change = { ...options, data };
    return { refund: await transitionRefund(uow, { refund, charge }, 'processing', change), charge };
  });
}
