import type { CheckoutSession } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { lockSession } from '../checkout/lock-session.ts';
import { getSessionStatusAt, sessionClosedError } from './session-state.ts';
import { transitionSession } from './transition-session.ts';

/**
 * Cancels a session that has no charge yet. Throws `session_not_found`, `session_already_used`,
 * `session_cancelled` or `session_expired`.
 */
export async function cancelSession(
  service: Service,
  options: Audited & { id: string; actor: string; now: MerchantTime },
): Promise<CheckoutSession> {
  const { audit } = options;
  return transact(service, async (uow) => {
    const session = await lockSession(uow.tx, options.id);
    const status = getSessionStatusAt(session, options.now);
    if (status !== 'created' && status !== 'initiated') throw sessionClosedError(status);
    const { id, merchantId, mode } = session;
    if (audit)
      await recordAudit(uow, { ...audit, merchantId, mode, action: 'session.cancelled', objectId: id });
    return transitionSession(uow, session, 'cancelled', options);
  });
}
