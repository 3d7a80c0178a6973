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

/** The steps with which the transaction of an operation runs once per key. */
export type IdempotencyHooks<T> = {
  /** The first statements of the transaction. A concurrent repeat in another process waits for the lock. */
  lockStatements: readonly string[];
  /**
   * Runs the change and stores its response. Throws if the key already has a response, to roll back the
   * transaction.
   */
  run: (tx: Sql, change: () => Promise<T>) => Promise<T>;
};

type IdempotentOperation<T, Body> = IdempotentRequest & {
  /** Opens the transaction, executes `lockStatements`, and passes the operation to `run`. */
  transact: (hooks: IdempotencyHooks<T>) => Promise<unknown>;
  /** Returns the response that repeats receive; runs in the transaction, after the change. */
  toResponse: (result: T) => IdempotentResponse<Body>;
};

/** How long a response is stored for its key. */
export const responseRetentionMs = dayMs;
export const refundResponseRetentionMs = 30 * dayMs;

/** How long a repeat waits for a first request that is still running. */
const waitMs = 5_000;

/**
 * Runs an operation once per idempotency key. The response is stored in the transaction of the operation and
 * returned to every repeat (`isReplay`). Repeats wait while the first request runs. Errors are not stored, so
 * a failed request can be retried with its key. Errors: `idempotency_key_reused`, `idempotency_in_progress`,
 * and those of the operation.
 */
export async function withIdempotencyKey<T, Body>(
  service: Service,
  request: IdempotentOperation<T, Body>,
): Promise<IdempotentResponse<Body> & { isReplay: boolean }> {
  const scopeKey = toScopeKey(request);
  const deadline = performance.now() + waitMs;
  for (
    let pendingRequest = pendingRequests.get(scopeKey);
    pendingRequest;
    pendingRequest = pendingRequests.get(scopeKey)
  ) {
    if (!(await isSettledBy(pendingRequest, deadline))) throw new DomainError('idempotency_in_progress');
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

/** Runs `work` once per key, in a transaction. `work` must use the service that it receives. */
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

/**
 * The requests running in this process, by scope key. Repeats wait for them without occupying a database
 * connection.
 */
const pendingRequests = new Map<string, Promise<unknown>>();

async function isSettledBy(work: Promise<unknown>, deadline: number): Promise<boolean> {
  const ignoreResult = () => {};
  const remainingMs = Math.max(0, deadline - performance.now());
  return (await withTimeout(remainingMs, work.then(ignoreResult, ignoreResult))) !== timedOut;
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
    if (storedResponse) throw new StoredResponseFound(storedResponse);
    const result = await change();
    response = request.toResponse(result);
    await storeResponse(service, tx, { ...request, response });
    return result;
  };
  try {
    await request.transact({ lockStatements: toLockStatements(request), run });
  } catch (error) {
    if (error instanceof StoredResponseFound)
      return { ...(error.response as IdempotentResponse<Body>), isReplay: true };
    if (hasSqlState(error, sqlStates.lockNotAvailable)) throw new DomainError('idempotency_in_progress');
    // A repeat may be rejected because the first request changed the state; it still receives the stored response.
    const isRejectedEarly = !hasBegun && error instanceof DomainError;
    const storedResponse =
      isRejectedEarly && (await findStoredResponse<Body>(service, createSql(service.pool), request));
    if (storedResponse) return { ...storedResponse, isReplay: true };
    throw error;
  }
  if (!response) throw new Error('the operation did not call the hooks of its idempotency key');
  return { ...response, isReplay: false };
}

/** Rolls back the transaction of a repeat, and carries the stored response. */
class StoredResponseFound extends Error {
  readonly response: IdempotentResponse;

  constructor(response: IdempotentResponse) {
    super('a response is already stored');
    this.response = response;
  }
}

function toScopeKey({ merchantId, mode, key }: IdempotentRequest): string {
  return `${merchantId} ${mode} ${key}`;
}

/**
 * Returns the statements that serialize transactions with the same key, so that the second one finds the
 * stored response.
 */
function toLockStatements(request: IdempotentRequest): string[] {
  return [
    `SET LOCAL lock_timeout = ${waitMs}`,
    `SELECT pg_advisory_xact_lock(${getLockKey(toScopeKey(request))})`,
    'SET LOCAL lock_timeout = DEFAULT',
  ];
}
