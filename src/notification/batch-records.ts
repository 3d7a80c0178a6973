import type { Db } from '../kit/db.ts';
import type { Attempt } from './attempt.ts';
import { batched } from './batched.ts';
import type { AlertDraft } from './judge-endpoint.ts';
import { isQuiet, recordAttempts } from './record-attempts.ts';

/**
 * Records attempts together. Those that say something of their endpoint take longer, and go apart, so that endpoints that
 * fail do not slow the others. Resolves when the attempt is written.
 */
export function batchRecords(
  db: Db,
  onAlert: (alert: AlertDraft) => void,
): (attempt: Attempt) => Promise<void> {
  const write = async (attempts: readonly Attempt[]): Promise<void> => {
    for (const alert of await recordAttempts(db, attempts)) onAlert(alert);
  };
  const quiet = batched(write);
  const telling = batched(write);
  return (attempt) => (isQuiet(attempt) ? quiet : telling)(attempt);
}
