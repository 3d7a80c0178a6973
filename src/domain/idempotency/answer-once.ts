import { transact, type UnitOfWork } from '../../event/unit-of-work.ts';
import { dayMs } from '../../kit/duration.ts';
import { DomainError } from '../../kit/errors.ts';
import { inTime, late } from '../../kit/in-time.ts';
import { hasSqlState, sqlStates } from '../../kit/sql-state.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import type { Service } from '../service.ts';
import { type Answer, type Asked, findAnswer, findKnown, keepAnswer, keptRow } from './kept-answer.ts';

export type Repeatable<T, Body> = Asked & {
  /** The key is looked up only in the transaction, under its lock: for requests whose keys are nearly always new. */
  asksLate?: boolean;
  /** Everything that it changes must be in the unit of work it is given. */
  work: (uow: UnitOfWork<Service>) => Promise<T>;
  /** Reads through the unit of work: with all connections in such transactions, a second one would never be free. */
  toAnswer: (result: T, uow: UnitOfWork<Service>) => Answer<Body> | Promise<Answer<Body>>;
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

/** Lock, work, answer and commit. Of two requests to two processes, the second waits in its transaction. */
async function workOnce<T, Body>(
  service: Service,
  request: Repeatable<T, Body>,
): Promise<Answer<Body> & { isReplay: boolean }> {
  try {
    const answer = await transact(service, async (uow) => {
      await waitForAnswer(uow, request);
      const given = await request.toAnswer(await request.work(uow), uow);
      await keepAnswer(uow.tx, keptRow(uow, request, given));
      return given;
    });
    return { ...answer, isReplay: false };
  } catch (error) {
    if (error instanceof AlreadyAnswered) return { ...(error.answer as Answer<Body>), isReplay: true };
    throw error;
  }
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
async function waitForAnswer(uow: UnitOfWork<Service>, request: Asked): Promise<void> {
  const { tx } = uow;
  try {
    await tx.$executeRawUnsafe(`SET LOCAL lock_timeout = ${waitMs}`);
    await takeTurn(tx, scopeOf(request));
    await tx.$executeRawUnsafe('SET LOCAL lock_timeout = DEFAULT');
  } catch (error) {
    if (hasSqlState(error, sqlStates.lockNotAvailable)) throw new DomainError('idempotency_in_progress');
    throw error;
  }
  const known = await findAnswer(uow, request);
  if (known) throw new AlreadyAnswered(known);
}
