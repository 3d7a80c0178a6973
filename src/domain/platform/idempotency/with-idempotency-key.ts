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

/** The idempotency steps within the transaction of the change. */
export type IdempotencyHooks<T> = {
  /** The first statements of the transaction; a concurrent repeat in another process blocks here. */
  lockStatements: readonly string[];
  /** Runs the change and stores its response, unless the key has a response already. */
  run: (tx: Sql, change: () => Promise<T>) => Promise<T>;
};

export type IdempotentOperation<T, Body> = IdempotentRequest & {
  /** Runs the change in one transaction that includes both hooks. */
  transact: (hooks: IdempotencyHooks<T>) => Promise<unknown>;
  /** Returns the response that repeats receive; runs in the transaction, after the change. */
  toResponse: (result: T) => IdempotentResponse<Body>;
};

/** How long a response is stored for its key; longer for refunds. */
export const responseRetentionMs = dayMs;
export const refundResponseRetentionMs = 30 * dayMs;

/** How long a repeat waits for a first request that is still running. */
const waitMs = 5_000;

/**
 * Runs the change once per idempotency key. The response is stored in the transaction of the change, and a
 * repeat receives it (`isReplay`). Repeats wait while the first request runs. Errors are not stored, so the key
 * can be retried. Errors: `idempotency_key_reused`, `idempotency_in_progress`, and those of the change.
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

/** Runs the work and both hooks in one transaction. The work must use the service passed to it. */
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

/** Requests running in this process by scope key; repeats wait here without holding a connection. */
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
    // The first request may have succeeded, although this repeat is no longer valid.
    const isEarly = !hasBegun && error instanceof DomainError;
    const storedResponse =
      isEarly && (await findStoredResponse<Body>(service, createSql(service.pool), request));
    if (storedResponse) return { ...storedResponse, isReplay: true };
    throw error;
  }
  if (!response) throw new Error('an idempotency key must be changed in its own transaction');
  return { ...response, isReplay: false };
}

/** Thrown inside the transaction of a repeat to roll it back. */
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

/** Serializes the transactions of a key, so that the next one finds the stored response. */
function toLockStatements(request: IdempotentRequest): string[] {
  return [
    `SET LOCAL lock_timeout = ${waitMs}`,
    `SELECT pg_advisory_xact_lock(${getLockKey(toScopeKey(request))})`,
    'SET LOCAL lock_timeout = DEFAULT',
  ];
}
