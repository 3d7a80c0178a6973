import type { CheckoutSession } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { toDecimal } from '../../../kit/money.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { lockSession } from '../checkout/lock-session.ts';
import {
  getSessionStatusAt,
  pickCurrentCharge,
  sessionClosedError,
  sessionTransitions,
} from './session-state.ts';
import { transitionSession } from './transition-session.ts';

/**
 * Cancels a session that has no charge yet, or whose charge has expired and could be started again. Throws
 * `session_not_found`, `session_already_used`, `session_cancelled` or `session_expired`.
 */
export async function cancelSession(
  service: Service,
  options: Audited & { id: string; actor: string; now: MerchantTime },
): Promise<CheckoutSession> {
  const { audit } = options;
  return transact(service, async (uow) => {
    const session = await lockSession(uow.tx, options.id);
    const status = getSessionStatusAt(session, options.now);
    const isCancellable =
      status === 'charged' ? await hasExpiredCharge(uow.tx, session) : sessionTransitions[status].length > 0;
    if (!isCancellable) throw sessionClosedError(status);
    const { id, merchantId, mode, amount: minor, currency } = session;
    const detail = { amount: toDecimal({ minor, currency }), currency };
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'session.cancelled',
        objectId: id,
        detail,
      });
    return transitionSession(uow, session, 'cancelled', options);
  });
}

async function hasExpiredCharge(tx: Tx, { id }: CheckoutSession): Promise<boolean> {
  const charges = await tx.charge.findMany({
    where: { sessionId: id },
    select: { id: true, replacesId: true, status: true },
  });
  return pickCurrentCharge(charges)?.status === 'expired';
}
