import type { Certificate } from '../../prisma/client/client.ts';
import type { Clock } from '../kit/clock.ts';
import type { Tracer } from '../kit/tracer.ts';
import type { RequestBuilder } from './build-request.ts';
import type { NotificationClaim } from './claim-notifications.ts';
import {
  getNextState,
  isDelivered,
  type NextNotificationState,
  parseRetryAfter,
} from './notification-state.ts';
import type { Poster, PostRequest, PostResult } from './post.ts';

/**
 * One attempt to deliver a claimed notification, and the resulting state. If `result` is null, no request was
 * sent.
 */
export type DeliveryAttempt = {
  claim: NotificationClaim;
  startedAt: Date;
  endedAt: Date;
  result: PostResult | null;
  next: NextNotificationState | { status: 'skipped' };
};

type AttemptDependencies = {
  poster: Poster;
  buildRequest: RequestBuilder;
  clock: Clock;
  tracer?: Tracer | undefined;
  /** Receives internal errors, such as a password that cannot be decrypted; the attempt then fails. */
  onError: (error: Error) => void;
};

/** Sends a claimed notification once, or skips it if its webhook was disabled or deleted. Never rejects. */
export async function attemptNotification(
  dependencies: AttemptDependencies,
  claim: NotificationClaim,
  certificate: Certificate | undefined,
): Promise<DeliveryAttempt> {
  const startedAt = dependencies.clock.now();
  const { webhook, isTest } = claim;
  if (webhook?.deleted || (webhook?.disabled && !isTest)) {
    return { claim, startedAt, endedAt: startedAt, result: null, next: { status: 'skipped' } };
  }
  const result = await post(dependencies, claim, { certificate, startedAt }).catch((error: Error) => {
    dependencies.onError(error);
    return toUnsentResult('the notification could not be created');
  });
  const endedAt = dependencies.clock.now();
  const retryAfterMs = parseRetryAfter(result.retryAfter ?? undefined, endedAt);
  const next = getNextState(
    { ...result, retryAfterMs },
    {
      kind: claim.kind,
      attemptCount: claim.attemptCount - claim.attemptCountAtReset + 1,
      noRetry: isTest,
      now: endedAt,
      random: Math.random(),
    },
  );
  return { claim, startedAt, endedAt, result, next };
}

async function post(
  { poster, buildRequest, tracer }: AttemptDependencies,
  claim: NotificationClaim,
  options: { certificate: Certificate | undefined; startedAt: Date },
): Promise<PostResult> {
  const request = await buildRequest(claim, options);
  if (!request) return toUnsentResult('no certificate is available to sign the notification');
  return tracer ? postTraced(poster, { tracer, request, claim }) : poster.post(request);
}

/**
 * Starts a new trace, which the receiver may continue, because the request that caused the event has ended.
 */
async function postTraced(
  poster: Poster,
  { tracer, request, claim }: { tracer: Tracer; request: PostRequest; claim: NotificationClaim },
): Promise<PostResult> {
  const { id, event, attemptCount } = claim;
  const span = tracer.startSpan(`deliver ${event.type}`, {
    kind: 'client',
    parent: 'none',
    attributes: {
      'http.request.method': 'POST',
      'server.address': URL.parse(request.url)?.hostname ?? '',
      'causeway.notification': id,
      'causeway.event': event.id,
      'causeway.object': event.objectId,
      'causeway.attempt': attemptCount + 1,
    },
  });
  const headers = { ...request.headers, traceparent: span.traceparent };
  const result = await span.run(() => poster.post({ ...request, headers }));
  if (result.status !== null) span.setAttributes({ 'http.response.status_code': result.status });
  span.end(isDelivered(result) ? undefined : (result.error ?? 'rejected'));
  return result;
}

function toUnsentResult(error: string): PostResult {
  return { status: null, error, responseBody: null, retryAfter: null, durationMs: 0 };
}
