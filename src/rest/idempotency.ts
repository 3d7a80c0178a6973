import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdempotentResponse } from '../domain/platform/idempotency/stored-response.ts';
import {
  type IdempotencyHooks,
  responseRetentionMs,
  transactIdempotent,
  withIdempotencyKey,
} from '../domain/platform/idempotency/with-idempotency-key.ts';
import type { Service } from '../domain/platform/service.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { toCanonicalJson } from '../kit/canonical-json.ts';
import { getMerchantScope } from './inputs.ts';

type PostRouteRequest = Pick<FastifyRequest, 'method' | 'url' | 'body' | 'headers' | 'caller'>;
type PostRouteReply = Pick<FastifyReply, 'code' | 'header'>;
type PostRouteOptions = { service: Service; now: Date; retentionMs?: number };

/**
 * Runs a POST, at most once per `Idempotency-Key` if it has one. A replay repeats the first status and body, and has
 * the header `Idempotent-Replayed`. `now` is the system time, not a test clock's.
 */
export function handlePost<T, Body>(
  request: PostRouteRequest,
  reply: PostRouteReply,
  options: PostRouteOptions & {
    work: (service: Service) => Promise<T>;
    /** Must read through `service`, which uses the transaction of `work` if there is a key. */
    toResponse: (result: T, service: Service) => IdempotentResponse<Body> | Promise<IdempotentResponse<Body>>;
  },
): Promise<Body> {
  const run = async (service: Service) => options.toResponse(await options.work(service), service);
  return handlePostWithOwnTransaction(request, reply, {
    ...options,
    create: (service, idempotency: IdempotencyHooks<IdempotentResponse<Body>> | undefined) =>
      idempotency ? transactIdempotent(service, idempotency, run) : run(service),
    toResponse: (result) => result,
  });
}

/** Like `handlePost`, for an operation that stores the response for the key in its own transaction. */
export async function handlePostWithOwnTransaction<T, Body>(
  request: PostRouteRequest,
  reply: PostRouteReply,
  options: PostRouteOptions & {
    create: (service: Service, idempotency: IdempotencyHooks<T> | undefined) => Promise<T>;
    toResponse: (result: T) => IdempotentResponse<Body>;
  },
): Promise<Body> {
  const { service, now, create, toResponse, retentionMs = responseRetentionMs } = options;
  const key = readIdempotencyKey(request);
  if (key === undefined) return sendResponse(reply, toResponse(await create(service, undefined)));
  const content = toCanonicalJson([request.method, request.url, request.body]);
  const idempotentRequest = {
    ...getMerchantScope(request.caller),
    key,
    content,
    retentionMs,
    now,
  };
  const transact = (idempotency: IdempotencyHooks<T>) => create(service, idempotency);
  const { isReplay, ...response } = await withIdempotencyKey(service, {
    ...idempotentRequest,
    transact,
    toResponse,
  });
  if (isReplay) reply.header('idempotent-replayed', 'true');
  return sendResponse(reply, response);
}

function sendResponse<Body>(reply: Pick<FastifyReply, 'code'>, response: IdempotentResponse<Body>): Body {
  reply.code(response.status);
  return response.body;
}
