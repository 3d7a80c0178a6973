import { type Tx, transact, within } from '../../kit/db.ts';
import { dayMs } from '../../kit/duration.ts';
import { DomainError } from '../../kit/errors.ts';
import { inTime, late } from '../../kit/in-time.ts';
import { hasSqlState, sqlStates } from '../../kit/sql-state.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import type { Service } from '../service.ts';
import { type Answer, type Asked, findAnswer, findKnown, keepAnswer, keptRow } from './kept-answer.ts';

export type Repeatable<T, Body> = Asked & {
  /**
   * The key is not looked up beforehand: the work finds its answer itself (in one statement by `once`, else as its
   * transaction takes its turn). Only when the work refuses is it looked up, in case the first request was answered.
   */
  asksLate?: boolean;
  /** Does the work, in one transaction of the service it is given. */
  work: (service: Service) => Promise<T>;
  /** The work is not one transaction by itself: it is done within one. */
  isSeveral?: boolean;
  /**
   * The answer to the work's result; kept in the transaction of the work. It reads through the service it is given, on
   * the transaction's own connection: a second one could not be had when all are in such transactions.
   */
  toAnswer: (result: T, service: Service) => Answer<Body> | Promise<Answer<Body>>;
};

/** How long an answer is kept for its key: that of a refund longer. */
export const keptMs = dayMs;
export const refundKeptMs = 30 * dayMs;

/** How long a repeat waits for the first request that is still running. */
const waitMs = 5_000;

/**
 * Does the work once for an idempotency key: the answer is written in the transaction of the change, and a repeat gets
 * it again (`isReplay`). Repeats that come while the first is running wait for it. A refusal is not kept: the key may be
 * tried again. Errors: `idempotency_key_reused`, `idempotency_in_progress`, and those of the work.
 */
export async function answerOnce<T, Body>(
  service: Service,
  request: Repeatable<T, Body>,
): Promise<Answer<Body> & { isReplay: boolean }> {
  const scope = scopeOf(request);
  const until = performance.now() + waitMs;
  let known = request.asksLate ? undefined : await findKnown<Body>(service, request);
  for (let first = underWay.get(scope); first && !known; first = underWay.get(scope)) {
    if (!(await endsBy(first, until))) throw new DomainError('idempotency_in_progress');
    known = await findKnown<Body>(service, request);
  }
  if (known) return { ...known, isReplay: true };
  const working = workOnce(service, request);
  underWay.set(scope, working);
  try {
    return await working;
  } finally {
    underWay.delete(scope);
  }
}

/** By its scope, what this process is at: its repeats wait for it here, and take no connection from others meanwhile. */
const underWay = new Map<string, Promise<unknown>>();

async function endsBy(work: Promise<unknown>, until: number): Promise<boolean> {
  const end = () => {};
  const left = Math.max(0, until - performance.now());
  return (await inTime(left, work.then(end, end))) !== late;
}

/** Of two that come at once to two processes, the second waits in its transaction. */
async function workOnce<T, Body>(
  service: Service,
  request: Repeatable<T, Body>,
): Promise<Answer<Body> & { isReplay: boolean }> {
  const { asksLate = false, isSeveral = false } = request;
  let answer: Answer<Body> | undefined;
  const answerIn = async (reading: Service, result: unknown) => {
    answer = await request.toAnswer(result as T, reading);
    return keptRow(service, request, answer);
  };
  try {
    const own: Service = {
      ...service,
      beforeWork: (tx) => waitForAnswer(service, tx, request),
      beforeCommit: async (tx, result) => keepAnswer(tx, await answerIn(within(service, tx), result)),
      once: { scope: scopeOf(request), keptRow: (result) => answerIn(service, result) },
    };
    await (isSeveral ? transact(own, (tx) => request.work(within(service, tx))) : request.work(own));
  } catch (error) {
    if (error instanceof AlreadyAnswered) return { ...(error.answer as Answer<Body>), isReplay: true };
    const answered =
      asksLate && error instanceof DomainError ? await findKnown<Body>(service, request) : undefined;
    if (answered) return { ...answered, isReplay: true };
    throw error;
  }
  if (!answer) throw new Error('work for an idempotency key must run in one transaction');
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

function scopeOf({ merchantId, mode, key }: Asked): string {
  return `${merchantId} ${mode} ${key}`;
}

/** One at a time for a key: who waits finds the answer of the first. */
async function waitForAnswer(service: Service, tx: Tx, request: Asked): Promise<void> {
  try {
    await tx.$executeRawUnsafe(`SET LOCAL lock_timeout = ${waitMs}`);
    await takeTurn(tx, scopeOf(request));
    await tx.$executeRawUnsafe('SET LOCAL lock_timeout = DEFAULT');
  } catch (error) {
    if (hasSqlState(error, sqlStates.lockNotAvailable)) throw new DomainError('idempotency_in_progress');
    throw error;
  }
  const known = await findAnswer(service, tx, request);
  if (known) throw new AlreadyAnswered(known);
}
