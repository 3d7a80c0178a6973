import { announceChange } from '../../../event/announce-change.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { getClientNetwork } from '../../../kit/client-network.ts';
import { foldEmail, parseEmail } from '../../../kit/contact.ts';
import type { Db } from '../../../kit/db.ts';
import { recordAttempt } from './record-attempt.ts';

/** The object ID of the change notice that wakes a worker to process requests. */
export const resetRequestTopic = 'reset_requests';

/**
 * Stores a password reset request, which a worker processes (`processResetRequests`). Does not look up the
 * user, so that known and unknown email addresses get the same response in the same time. Returns the folded
 * email address.
 * Errors: `invalid_request`, `rate_limited` by client network.
 */
export async function requestPasswordReset(
  db: Db,
  options: { email: string; ipAddress: string; now: Date },
): Promise<string> {
  const { now } = options;
  const email = foldEmail(parseEmail(options.email, '/email'));
  const network = getClientNetwork(options.ipAddress);
  await recordAttempt(db, { kind: 'password_reset', account: email, ipAddress: network, now });
  await transact(db, async (uow) => {
    await uow.tx.passwordResetRequest.create({ data: { email, ipAddress: network, createdAt: now } });
    announceChange(uow, { objectId: resetRequestTopic });
  });
  return email;
}
