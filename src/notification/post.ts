import { Agent, type Dispatcher } from 'undici';
import {
  createGuardedLookup,
  createHostResolver,
  isBlockedAddress,
  privateAddressError,
  type ResolveHost,
} from './guarded-lookup.ts';

/** The time limit from the start of the connection to the last byte of the response. */
const defaultTimeoutMs = 15_000;
/** Idle connections are closed after this time, before the 5 s after which many servers close them. */
const idleMs = 4_000;
const responseBytesMax = 2_048;

export type PostRequest = { url: string; body: string; headers: Record<string, string> };

/** The result of a request. Rejected targets and network errors are results too. */
export type PostResult = {
  /** The HTTP status; null without a response. */
  status: number | null;
  /** A short reason why there is no complete response; null if there is one. */
  error: string | null;
  /** The first 2 KiB of the response body as text; null without a response. */
  responseBody: string | null;
  /** The `Retry-After` header as received. */
  retryAfter: string | null;
  durationMs: number;
};

export type Poster = { post(request: PostRequest): Promise<PostResult>; close(): void };

type PosterOptions = {
  allowPrivateTargets: boolean;
  timeoutMs?: number;
  resolve?: ResolveHost;
};

/**
 * Creates a client for URLs that merchants choose. It follows no redirects, decompresses no responses, always
 * verifies certificates, and rejects private addresses unless allowed. Connections stay open between requests
 * until `close`.
 */
export function createPoster(options: PosterOptions): Poster {
  const { timeoutMs = defaultTimeoutMs, resolve = createHostResolver() } = options;
  const agent = new Agent({
    connect: { lookup: createGuardedLookup(resolve, options), timeout: timeoutMs, rejectUnauthorized: true },
    allowH2: false,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // The signal limits the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async post(request) {
      const startMs = performance.now();
      const url = URL.parse(request.url);
      const rejection = rejectTarget(url, options);
      const signal = AbortSignal.timeout(timeoutMs);
      const received: ReceivedResponse = { status: null, retryAfter: null, chunks: [], bytes: 0 };
      const error = rejection ?? (await send(agent, { ...request, url: url!, signal }, received));
      return { ...toResult(received), error, durationMs: Math.round(performance.now() - startMs) };
    },
    close: () => void agent.destroy(),
  };
}

/** Returns why the target must not be called, or null. */
function rejectTarget(url: URL | null, options: PosterOptions): string | null {
  if (url === null) return 'the URL is invalid';
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'the URL scheme is neither http nor https';
  if (url.username !== '' || url.password !== '') return 'the URL contains credentials';
  return isBlockedAddress(url.hostname, options) ? privateAddressError : null;
}

type ReceivedResponse = { status: number | null; retryAfter: string | null; chunks: Buffer[]; bytes: number };
type OutgoingRequest = Omit<PostRequest, 'url'> & { url: URL; signal: AbortSignal };

/**
 * Sends the request and reads the response into `received`. A body longer than 2 KiB is truncated and counts
 * as complete. Returns the error, or null.
 */
async function send(
  agent: Agent,
  request: OutgoingRequest,
  received: ReceivedResponse,
): Promise<string | null> {
  const { url, body, headers, signal } = request;
  const options: Dispatcher.RequestOptions = {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    headers: { ...headers, 'accept-encoding': 'identity' },
    body,
    signal,
  };
  // The receiver may close a reused connection at this moment; that is not a failed attempt, so the request
  // is repeated.
  const response = await agent
    .request(options)
    .catch((error) => (isClosedKeepAlive(error) ? agent.request(options) : Promise.reject(error)))
    .catch((error: Error) => error);
  if (response instanceof Error) return describeError(response, signal);
  received.status = response.statusCode;
  received.retryAfter = [response.headers['retry-after']].flat()[0] ?? null;
  try {
    for await (const chunk of response.body) {
      received.chunks.push(chunk);
      received.bytes += chunk.length;
      if (received.bytes > responseBytesMax) break;
    }
    return null;
  } catch (error) {
    return describeError(error as Error, signal);
  }
}

function toResult({
  status,
  retryAfter,
  chunks,
  bytes,
}: ReceivedResponse): Omit<PostResult, 'error' | 'durationMs'> {
  const responseBody =
    status === null ? null : toResponseText(Buffer.concat(chunks), bytes > responseBytesMax);
  return { status, responseBody, retryAfter };
}

/** Returns text that PostgreSQL can store: drops a truncated last character and replaces U+0000. */
function toResponseText(bytes: Buffer, isTruncated: boolean): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, responseBytesMax), {
    stream: isTruncated,
  });
  return text.replaceAll('\0', '\u{fffd}');
}

type NetworkError = NodeJS.ErrnoException & { socket?: { bytesRead?: number } | null };

const closedCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Returns whether a reused connection was closed. A connection without any bytes read was a new one. */
function isClosedKeepAlive(error: NetworkError): boolean {
  return closedCodes.has(error.code ?? '') && error.socket?.bytesRead !== 0;
}

/** Describes the error for the merchant, who sees the attempt. */
function describeError(error: NetworkError, signal: AbortSignal): string {
  const code = error.code ?? error.message;
  if (signal.aborted || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timed out';
  if (code === 'ADDRESS_NOT_ALLOWED') return error.message;
  if (unresolvedCodes.has(code)) return 'the host name could not be resolved';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (closedCodes.has(code) || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return 'connection closed before the response was complete';
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return `the certificate is not trusted (${code})`;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'the response headers are too large';
  if (error.name === 'HTTPParserError') return 'the response is not valid HTTP';
  return `the connection failed (${code})`;
}

const unresolvedCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED']);
