import type { Db } from '../kit/db.ts';
import type { Attempt } from './attempt.ts';
import type { AlertDraft } from './judge-endpoint.ts';
import { isQuiet, recordAttempts } from './record-attempts.ts';

/**
 * Records attempts together: what arrives while one statement is under way goes into the next, so that a busy process
 * writes many in a statement and an idle one writes at once. Those that say something of their endpoint take longer, and
 * go apart, so that endpoints that fail do not slow the others. Resolves when the attempt is written.
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

function batched(writeAll: (attempts: readonly Attempt[]) => Promise<void>) {
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
    await writeAll(batch);
  };

  return (attempt: Attempt): Promise<void> => {
    waiting.push(attempt);
    next ??= write();
    return next;
  };
}
