import { type Connections, createConnections } from './connections.ts';
import { guardedLookup, isRefusedAddress, refusedAddress } from './guarded-lookup.ts';
import type { Resolve } from './resolve-host.ts';
import { type Sent, sendRequest } from './send-request.ts';

/** From the start of the connection to the last byte of the answer. */
const defaultTimeoutMs = 15_000;

export type PostRequest = { url: string; body: string; headers: Record<string, string> };

/** What came of one try. Refusals and faults of the network are results too. */
export type PostResult = Omit<Sent, 'staleConnection'> & { durationMs: number };

export type Poster = { post(request: PostRequest): Promise<PostResult>; close(): void };

type PosterOptions = {
  allowPrivateTargets: boolean;
  timeoutMs?: number;
  /** As `createResolve` does unless a test gives another. */
  resolve?: Resolve;
};

/**
 * Posts to addresses that merchants choose: redirects are not followed, answers not decompressed, certificates always
 * verified, and private addresses refused unless allowed. Holds connections open between posts until closed.
 */
export function createPoster(options: PosterOptions): Poster {
  const { timeoutMs = defaultTimeoutMs } = options;
  const connections = createConnections({ lookup: guardedLookup(options), timeoutMs });
  return {
    post: (request) => post(connections, request, { ...options, timeoutMs }),
    close: connections.close,
  };
}

async function post(
  connections: Connections,
  request: PostRequest,
  options: PosterOptions & { timeoutMs: number },
): Promise<PostResult> {
  const { timeoutMs } = options;
  const url = URL.parse(request.url);
  const refusal = refuseTarget(url, options);
  if (url === null || refusal !== null) {
    return { status: null, error: refusal, answer: null, retryAfter: null, durationMs: 0 };
  }
  const started = performance.now();
  let sent = await sendRequest(connections, { ...request, url, timeoutMs });
  // The receiver had closed the idle connection just then: that is no failure of its own.
  if (sent.staleConnection) {
    const leftMs = Math.max(0, timeoutMs - (performance.now() - started));
    sent = await sendRequest(connections, { ...request, url, timeoutMs: leftMs, freshConnection: true });
  }
  const { staleConnection: _, ...result } = sent;
  return { ...result, durationMs: Math.round(performance.now() - started) };
}

/** Why the target is not called at all; null when it is. */
function refuseTarget(url: URL | null, options: PosterOptions): string | null {
  if (url === null) return 'the address is not a URL';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'the address is neither http nor https';
  if (url.username !== '' || url.password !== '') return 'the address contains credentials';
  return isRefusedAddress(url.hostname, options) ? refusedAddress : null;
}
