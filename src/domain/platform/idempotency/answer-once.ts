import { transact } from '../../../event/unit-of-work.ts';
import { dayMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { inTime, late } from '../../../kit/in-time.ts';
import { type Sql, sqlOn } from '../../../kit/sql.ts';
import { hasSqlState, sqlStates } from '../../../kit/sql-state.ts';
import { lockNumber } from '../../../kit/take-turn.ts';
import type { Service } from '../service.ts';
import { type Answer, findAnswer, type IdempotentRequest, keepAnswer } from './kept-answer.ts';

/** What an idempotency key does in the transaction of its change. */
export type Once<T> = {
  /** The statements that the transaction begins with: a repeat in another process waits here. */
  first: readonly string[];
  /** Runs the change unless the key has an answer, and keeps the answer to it. */
  run: (tx: Sql, change: () => Promise<T>) => Promise<T>;
};

export type Repeatable<T, Body> = IdempotentRequest & {
  /** Runs the change in one transaction, with the two parts of `once`. */
  transact: (once: Once<T>) => Promise<unknown>;
  /** The answer to the change, as it will be repeated: rendered after the change, in its transaction. */
  toAnswer: (result: T) => Answer<Body>;
};

/** How long an answer is kept for its key: that of a refund longer. */
export const keptMs = dayMs;
export const refundKeptMs = 30 * dayMs;

/** How long a repeat waits for the first request that is still running. */
const waitMs = 5_000;

/**
 * Does the change once for an idempotency key: the answer is written in the transaction of the change, and a repeat gets
 * it again (`isReplay`). Repeats that come while the first is running wait for it. An error is not kept: the key may be
 * tried again. Errors: `idempotency_key_reused`, `idempotency_in_progress`, and those of the change.
 */
export async function answerOnce<T, Body>(
  service: Service,
  request: Repeatable<T, Body>,
): Promise<Answer<Body> & { isReplay: boolean }> {
  const scope = scopeOf(request);
  const until = performance.now() + waitMs;
  for (let first = underWay.get(scope); first; first = underWay.get(scope)) {
    if (!(await endsBy(first, until))) throw new DomainError('idempotency_in_progress');
    const known = await findAnswer<Body>(service, sqlOn(service.pool), request);
    if (known) return { ...known, isReplay: true };
  }
  const working = workOnce(service, request);
  underWay.set(scope, working);
  try {
    return await working;
  } finally {
    underWay.delete(scope);
  }
}

/** A transaction for `answerOnce`: everything that `work` does through the service it is given is part of it. */
export function transactOnce<T>(
  service: Service,
  once: Once<T>,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  return transact(service, async (uow) => {
    for (const statement of once.first) await uow.tx.$executeRawUnsafe(statement);
    return once.run(uow.tx, () => work(uow));
  });
}

/** The requests that this process is working on, by scope: repeats wait here without holding a connection. */
const underWay = new Map<string, Promise<unknown>>();

async function endsBy(work: Promise<unknown>, until: number): Promise<boolean> {
  const end = () => {};
  const left = Math.max(0, until - performance.now());
  return (await inTime(left, work.then(end, end))) !== late;
}

async function workOnce<T, Body>(
  service: Service,
  request: Repeatable<T, Body>,
): Promise<Answer<Body> & { isReplay: boolean }> {
  let answer: Answer<Body> | undefined;
  let hasBegun = false;
  const run = async (tx: Sql, change: () => Promise<T>): Promise<T> => {
    hasBegun = true;
    const known = await findAnswer(service, tx, request);
    if (known) throw new AlreadyAnswered(known);
    const result = await change();
    answer = request.toAnswer(result);
    await keepAnswer(service, tx, { ...request, answer });
    return result;
  };
  try {
    await request.transact({ first: lockOf(request), run });
  } catch (error) {
    if (error instanceof AlreadyAnswered) return { ...(error.answer as Answer<Body>), isReplay: true };
    if (hasSqlState(error, sqlStates.lockNotAvailable)) throw new DomainError('idempotency_in_progress');
    // The first request may have succeeded where this one is invalid by now.
    const isEarly = !hasBegun && error instanceof DomainError;
    const known = isEarly && (await findAnswer<Body>(service, sqlOn(service.pool), request));
    if (known) return { ...known, isReplay: true };
    throw error;
  }
  if (!answer) throw new Error('an idempotency key must be changed in its own transaction');
  return { ...answer, isReplay: false };
}

/** Thrown inside the transaction of a repeat, which is thereby rolled back. */
class AlreadyAnswered extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('already answered');
    this.answer = answer;
  }
}

function scopeOf({ merchantId, mode, key }: IdempotentRequest): string {
  return `${merchantId} ${mode} ${key}`;
}

/** One transaction at a time for a key: the next finds the answer of the first. */
function lockOf(request: IdempotentRequest): string[] {
  return [
    `SET LOCAL lock_timeout = ${waitMs}`,
    `SELECT pg_advisory_xact_lock(${lockNumber(scopeOf(request))})`,
    'SET LOCAL lock_timeout = DEFAULT',
  ];
}
