import type { Mode } from '../../../prisma/client/client.ts';
import { type Db, transact } from '../../kit/db.ts';
import { checkText } from '../../kit/text.ts';
import { lockRefund } from './lock-refund.ts';
import { mailRefundLink } from './mail-refund-link.ts';
import { type RefundOfCharge, transitionRefund } from './transition-refund.ts';

const reasonMax = 300;

/**
 * The payout came back: the customer is asked again, on a page with a new link, and shown the reason. Errors:
 * `refund_not_found`, `refund_not_processing`, `invalid_request`.
 */
export async function reopenRefund(
  db: Db,
  options: { merchantId: string; mode: Mode; id: string; reason: string; actor: string; now: Date },
): Promise<RefundOfCharge> {
  const reopenReason = checkText(options.reason, '/reason', reasonMax);
  return transact(db, async (tx) => {
    const { refund, charge } = await lockRefund(tx, options);
    const data = { reopenReason, detailsSealed: null, pageGeneration: refund.pageGeneration + 1 };
    const reopened = await transitionRefund(tx, { refund, charge }, 'initiated', { ...options, data });
    await mailRefundLink(tx, { refund: reopened, charge }, options);
    return { refund: reopened, charge };
  });
}
