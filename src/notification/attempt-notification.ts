import type { Certificate } from '../../prisma/client/client.ts';
import type { Clock } from '../kit/clock.ts';
import type { Tracer } from '../kit/tracer.ts';
import type { Attempt } from './attempt.ts';
import type { Claim } from './claim-notifications.ts';
import type { RequestMaker } from './make-request.ts';
import { isDelivered, nextState, parseRetryAfter } from './notification-state.ts';
import type { Poster, PostRequest, PostResult } from './post.ts';

/** What an attempt needs besides its claim. */
export type AttemptTools = {
  poster: Poster;
  makeRequest: RequestMaker;
  clock: Clock;
  tracer?: Tracer | undefined;
};

/**
 * Posts a claimed notification once and works out what follows. A refusal of the receiver is a result. A fault of our
 * own, such as a password that cannot be decrypted, is given beside the attempt, which counts as failed, so that one
 * broken notification is not tried for ever.
 */
export async function attemptNotification(
  tools: AttemptTools,
  claim: Claim,
  certificate: Certificate | undefined,
): Promise<{ attempt: Attempt; fault: Error | null }> {
  const startedAt = tools.clock.now();
  let fault: Error | null = null;
  const result = await post(tools, claim, certificate, startedAt).catch((error: Error) => {
    fault = error;
    return notSent('the notification could not be made');
  });
  const endedAt = tools.clock.now();
  const next = nextState(
    { ...result, retryAfterMs: parseRetryAfter(result.retryAfter ?? undefined, endedAt) },
    {
      kind: claim.kind,
      attemptsMade: claim.attemptsMade - claim.attemptsBefore + 1,
      triedOnce: claim.isTest,
      now: endedAt,
      random: Math.random(),
    },
  );
  return { attempt: { claim, startedAt, endedAt, result, next }, fault };
}

async function post(
  { poster, makeRequest, tracer }: AttemptTools,
  claim: Claim,
  certificate: Certificate | undefined,
  startedAt: Date,
): Promise<PostResult> {
  const request = await makeRequest(claim, { certificate, startedAt });
  if (!request) return notSent('there is no certificate to sign it with');
  return tracer ? postTraced(poster, { tracer, request, claim }) : poster.post(request);
}

/** A trace of its own, which the receiver may go on with: the attempt belongs to no request that is still under way. */
async function postTraced(
  poster: Poster,
  { tracer, request, claim }: { tracer: Tracer; request: PostRequest; claim: Claim },
): Promise<PostResult> {
  const { id, event, attemptsMade } = claim;
  const span = tracer.begin(`deliver ${event.message}`, {
    kind: 'client',
    parent: 'none',
    attributes: {
      'http.request.method': 'POST',
      'server.address': URL.parse(request.url)?.hostname ?? '',
      'causeway.notification': id,
      'causeway.event': event.id,
      'causeway.object': event.objectId,
      'causeway.attempt': attemptsMade + 1,
    },
  });
  const headers = { ...request.headers, traceparent: span.traceparent };
  const result = await span.inside(() => poster.post({ ...request, headers }));
  if (result.status !== null) span.set({ 'http.response.status_code': result.status });
  span.end(isDelivered(result) ? undefined : (result.error ?? 'refused'));
  return result;
}

function notSent(error: string): PostResult {
  return { status: null, error, answer: null, retryAfter: null, durationMs: 0 };
}
