import { announceChange } from '../../../event/announce-change.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { clientNetwork } from '../../../kit/client-network.ts';
import { foldEmail, parseEmail } from '../../../kit/contact.ts';
import type { Db } from '../../../kit/db.ts';
import { recordAttempt } from './record-attempt.ts';

/** The object of the notice that has a worker look for requests. */
export const resetRequestTopic = 'reset_requests';

/**
 * Notes that somebody asks for a new password. A worker answers it (`answerResetRequests`): here nobody is looked up,
 * so an address of a user and any other get the same answer in the same time.
 * Errors: `invalid_request`, `rate_limited` by the address asked from.
 */
export async function requestPasswordReset(
  db: Db,
  options: { email: string; address: string; now: Date },
): Promise<string> {
  const { now } = options;
  const email = foldEmail(parseEmail(options.email, '/email'));
  const address = clientNetwork(options.address);
  await recordAttempt(db, { kind: 'reset', account: email, address, now });
  await transact(db, async (uow) => {
    await uow.tx.passwordResetRequest.create({ data: { email, address, createdAt: now } });
    announceChange(uow, { objectId: resetRequestTopic });
  });
  return email;
}
