import type { Invoice } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { checkTrimmed } from '../../../kit/text.ts';
import { cancelChargeBatch } from '../../payments/charge/end-charge-batch.ts';
import type { Service } from '../../platform/service.ts';
import { type BillingChange, recordBillingChange } from '../subscription/billing-change.ts';
import { applyPayment } from '../subscription/billing-schedule.ts';
import { getBillingState, toBillingTerms } from '../subscription/billing-terms.ts';
import {
  applyDueChanges,
  savePayment,
  toInvoiceInterval,
} from '../subscription/settle-subscription-charge.ts';
import { lockOpenInvoice } from './lock-open-invoice.ts';

const noteLengthMax = 200;

/**
 * Marks an open invoice as paid outside Causeway, such as in cash: cancels the pending charges, and extends the
 * subscription like a payment. `note` is stored in the audit trail. Throws `invoice_not_found`, `invoice_not_open`, or
 * `invalid_request` for an invalid note or an invoice that is partly paid.
 */
export async function markInvoicePaid(
  service: Service,
  options: BillingChange & { note?: string | null | undefined },
): Promise<Invoice> {
  const { id, now, actor } = options;
  const note = checkTrimmed(options.note, '/note', noteLengthMax);
  return transact(service, async (uow) => {
    const { pendingCharges, ...locked } = await lockOpenInvoice(uow, options);
    if (pendingCharges.some(({ amountReceived }) => amountReceived > 0n)) {
      const problem = 'must not be partly paid by a transfer; wait for the rest, or return the money first';
      throw invalidInputError('/id', problem);
    }
    await cancelChargeBatch(uow, pendingCharges, { now, actor });
    const payment = { at: now, isIntroductory: false, interval: toInvoiceInterval(locked.openInvoice) };
    const target = await applyDueChanges(uow, locked, now);
    const { subscription, plan } = target;
    const state = applyPayment(getBillingState(subscription), toBillingTerms(plan), payment);
    if (!state) throw new Error(`the subscription ${subscription.id} with an open invoice has ended`);
    const paid = await savePayment(uow, target, { now, actor, state });
    const detail = note === '' ? {} : { note };
    await recordBillingChange(uow, paid, { ...options, action: 'invoice.marked_paid', detail });
    return uow.tx.invoice.findUniqueOrThrow({ where: { id } });
  });
}
