import { transact } from '../../../event/unit-of-work.ts';
import { dayMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { getLockKey } from '../../../kit/lock-by-name.ts';
import { createSql, type Sql } from '../../../kit/sql.ts';
import { hasSqlState, sqlStates } from '../../../kit/sql-state.ts';
import { timedOut, withTimeout } from '../../../kit/with-timeout.ts';
import type { Service } from '../service.ts';
import {
  findStoredResponse,
  type IdempotentRequest,
  type IdempotentResponse,
  storeResponse,
} from './stored-response.ts';

/** What an idempotency key does in the transaction of its change. */
export type IdempotencyHooks<T> = {
  /** The statements that the transaction begins with: a repeat in another process waits here. */
  lockStatements: readonly string[];
  /** Runs the change unless the key has an answer, and keeps the answer to it. */
  run: (tx: Sql, change: () => Promise<T>) => Promise<T>;
};

export type IdempotentOperation<T, Body> = IdempotentRequest & {
  /** Runs the change in one transaction, with the two parts of `once`. */
  transact: (hooks: IdempotencyHooks<T>) => Promise<unknown>;
  /** The answer to the change, as it will be repeated: rendered after the change, in its transaction. */
  toResponse: (result: T) => IdempotentResponse<Body>;
};

/** How long an answer is kept for its key: that of a refund longer. */
export const responseRetentionMs = dayMs;
export const refundResponseRetentionMs = 30 * dayMs;

/** How long a repeat waits for the first request that is still running. */
const waitMs = 5_000;

/**
 * Does the change once for an idempotency key: the answer is written in the transaction of the change, and a repeat gets
 * it again (`isReplay`). Repeats that come while the first is running wait for it. An error is not kept: the key may be
 * tried again. Errors: `idempotency_key_reused`, `idempotency_in_progress`, and those of the change.
 */
export async function withIdempotencyKey<T, Body>(
  service: Service,
  request: IdempotentOperation<T, Body>,
): Promise<IdempotentResponse<Body> & { isReplay: boolean }> {
  const scopeKey = toScopeKey(request);
  const until = performance.now() + waitMs;
  for (let pending = pendingRequests.get(scopeKey); pending; pending = pendingRequests.get(scopeKey)) {
    if (!(await settlesBy(pending, until))) throw new DomainError('idempotency_in_progress');
    const storedResponse = await findStoredResponse<Body>(service, createSql(service.pool), request);
    if (storedResponse) return { ...storedResponse, isReplay: true };
  }
  const promise = runOnce(service, request);
  pendingRequests.set(scopeKey, promise);
  try {
    return await promise;
  } finally {
    pendingRequests.delete(scopeKey);
  }
}

/** A transaction for `answerOnce`: everything that `work` does through the service it is given is part of it. */
export function transactIdempotent<T>(
  service: Service,
  hooks: IdempotencyHooks<T>,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  return transact(service, async (uow) => {
    for (const statement of hooks.lockStatements) await uow.tx.$executeRawUnsafe(statement);
    return hooks.run(uow.tx, () => work(uow));
  });
}

/** The requests that this process is working on, by scope: repeats wait here without holding a connection. */
const pendingRequests = new Map<string, Promise<unknown>>();

async function settlesBy(work: Promise<unknown>, until: number): Promise<boolean> {
  const end = () => {};
  const remaining = Math.max(0, until - performance.now());
  return (await withTimeout(remaining, work.then(end, end))) !== timedOut;
}

async function runOnce<T, Body>(
  service: Service,
  request: IdempotentOperation<T, Body>,
): Promise<IdempotentResponse<Body> & { isReplay: boolean }> {
  let response: IdempotentResponse<Body> | undefined;
  let hasBegun = false;
  const run = async (tx: Sql, change: () => Promise<T>): Promise<T> => {
    hasBegun = true;
    const storedResponse = await findStoredResponse(service, tx, request);
    if (storedResponse) throw new AlreadyAnswered(storedResponse);
    const result = await change();
    response = request.toResponse(result);
    await storeResponse(service, tx, { ...request, response });
    return result;
  };
  try {
    await request.transact({ lockStatements: toLockStatements(request), run });
  } catch (error) {
    if (error instanceof AlreadyAnswered)
      return { ...(error.response as IdempotentResponse<Body>), isReplay: true };
    if (hasSqlState(error, sqlStates.lockNotAvailable)) throw new DomainError('idempotency_in_progress');
    // The first request may have succeeded where this one is invalid by now.
    const isEarly = !hasBegun && error instanceof DomainError;
    const storedResponse =
      isEarly && (await findStoredResponse<Body>(service, createSql(service.pool), request));
    if (storedResponse) return { ...storedResponse, isReplay: true };
    throw error;
  }
  if (!response) throw new Error('an idempotency key must be changed in its own transaction');
  return { ...response, isReplay: false };
}

/** Thrown inside the transaction of a repeat, which is thereby rolled back. */
class AlreadyAnswered extends Error {
  readonly response: IdempotentResponse;

  constructor(response: IdempotentResponse) {
    super('already answered');
    this.response = response;
  }
}

function toScopeKey({ merchantId, mode, key }: IdempotentRequest): string {
  return `${merchantId} ${mode} ${key}`;
}

/** One transaction at a time for a key: the next finds the answer of the first. */
function toLockStatements(request: IdempotentRequest): string[] {
  return [
    `SET LOCAL lock_timeout = ${waitMs}`,
    `SELECT pg_advisory_xact_lock(${getLockKey(toScopeKey(request))})`,
    'SET LOCAL lock_timeout = DEFAULT',
  ];
}
