import type { Db } from '../kit/db.ts';
import type { Attempt } from './attempt.ts';
import type { AlertDraft } from './judge-endpoint.ts';
import { recordAttempts } from './record-attempts.ts';

/**
 * Records attempts together: what arrives while one statement is under way goes into the next, so that a busy process
 * writes many in a statement and an idle one writes at once. Resolves when the attempt is written.
 */
export function batchRecords(
  db: Db,
  onAlert: (alert: AlertDraft) => void,
): (attempt: Attempt) => Promise<void> {
  let waiting: Attempt[] = [];
  let next: Promise<void> | undefined;
  let underWay: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    // Whoever waits for the statement before this one is told of its fault; this one is another.
    await underWay?.catch(() => {});
    const batch = waiting;
    waiting = [];
    underWay = next;
    next = undefined;
    for (const alert of await recordAttempts(db, batch)) onAlert(alert);
  };

  return (attempt) => {
    waiting.push(attempt);
    next ??= write();
    return next;
  };
}
