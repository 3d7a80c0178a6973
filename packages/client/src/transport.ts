import { toBase64 } from './encoding.ts';
import { CausewayError, type CausewayErrorDetails } from './error.ts';
import { getBackoffMs, wait } from './wait.ts';

/** Either the API key and its secret, on a server, or the client token of one charge or session, in a browser. */
export type Credentials = { key: string; secret: string } | { clientToken: string };

export type TransportOptions = Credentials & {
  /** The address of the service, such as `https://pay.example.com`. */
  url: string;
  /** The time limit of each attempt; 10 seconds by default. */
  timeoutMs?: number | undefined;
  /** How many times a failed request is repeated; 2 by default. */
  retries?: number | undefined;
  /**
   * The longest wait between two attempts; 30 seconds by default. A longer `Retry-After` ends the retries of a request;
   * subscriptions reconnect after this time.
   */
  retryDelayMaxMs?: number | undefined;
  /** The longest wait before the first retry; half a second by default. It doubles with each retry. */
  retryDelayMs?: number | undefined;
  fetch?: typeof fetch | undefined;
};

export type RequestOptions = { signal?: AbortSignal | undefined };

export type HttpRequest = RequestOptions & {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | undefined;
  /** Whether repeating the request has no further effect. */
  isRepeatable: boolean;
  onAttempt?: (() => void) | undefined;
};

const repeatableStatuses = [408, 429, 502, 503, 504];
const repeatableCodes = ['idempotency_in_progress', 'unavailable', 'rate_limited'];

export class Transport {
  readonly url: string;
  readonly retryDelayMs: number;
  readonly retryDelayMaxMs: number;
  readonly #authorization: string;
  readonly #fetch: typeof fetch;
  readonly #timeoutMs: number;
  readonly #retries: number;

  constructor(options: TransportOptions) {
    this.url = options.url.replace(/\/+$/, '');
    this.#authorization =
      'clientToken' in options
        ? `Bearer ${options.clientToken}`
        : `Basic ${toBase64(`${options.key}:${options.secret}`)}`;
    // A browser's fetch must be called without `this`.
    this.#fetch = options.fetch ?? ((...request) => fetch(...request));
    this.#timeoutMs = options.timeoutMs ?? 10_000;
    this.#retries = options.retries ?? 2;
    this.retryDelayMs = options.retryDelayMs ?? 500;
    this.retryDelayMaxMs = options.retryDelayMaxMs ?? 30_000;
  }

  /** Sends a request and reads its response. Repeats it unchanged while that is safe and may help. */
  async send<Body>(request: HttpRequest, read: (response: Response) => Promise<Body>): Promise<Body> {
    for (let attempts = 1; ; attempts++) {
      try {
        request.onAttempt?.();
        return await this.#attempt(request, read);
      } catch (error) {
        const delayMs = this.#getRetryDelayMs(error, attempts, request.isRepeatable);
        if (delayMs === undefined) throw error;
        await wait(delayMs, request.signal);
      }
    }
  }

  /**
   * Sends a request once, and leaves the body of the response to the caller. There is no time limit, because the body
   * may be a stream.
   */
  async open(request: HttpRequest): Promise<Response> {
    const { method, path, headers, body, signal } = request;
    try {
      return await this.#fetch(this.url + path, {
        method,
        headers: { authorization: this.#authorization, ...headers },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new CausewayError('connection_failed', `${this.url} cannot be reached`, { cause: error });
    }
  }

  async #attempt<Body>(request: HttpRequest, read: (response: Response) => Promise<Body>): Promise<Body> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    try {
      const response = await this.open({ ...request, signal });
      if (!response.ok) throw await readError(response);
      return await read(response);
    } catch (error) {
      // The reason of the caller's own signal is thrown as it is.
      request.signal?.throwIfAborted();
      if (timeout.aborted)
        throw new CausewayError('timeout', `There was no response within ${this.#timeoutMs} ms`);
      if (error instanceof CausewayError) throw error;
      throw new CausewayError('connection_failed', 'The connection was interrupted', { cause: error });
    }
  }

  #getRetryDelayMs(error: unknown, attempts: number, isRepeatable: boolean): number | undefined {
    if (!(error instanceof CausewayError) || attempts > this.#retries) return undefined;
    // A request above the rate limit was not executed, so it can always be repeated.
    if (!isRepeatable && error.status !== 429) return undefined;
    if (!isTransient(error)) return undefined;
    const delayMs = getBackoffMs(attempts - 1, this.retryDelayMs, this.retryDelayMaxMs);
    const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1_000;
    return retryAfterMs > this.retryDelayMaxMs ? undefined : Math.max(delayMs, retryAfterMs);
  }
}

/** Returns whether the same request may succeed later. */
export function isTransient({ code, status }: CausewayError): boolean {
  if (code === 'connection_failed' || code === 'timeout' || repeatableCodes.includes(code)) return true;
  return status !== undefined && repeatableStatuses.includes(status);
}

/**
 * Returns the error in problem+json or in a GraphQL response; `invalid_response` for other bodies, such as those of a
 * proxy.
 */
export async function readError(response: Response): Promise<CausewayError> {
  const { status, headers } = response;
  const text = await response.text();
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const details: CausewayErrorDetails = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  };
  const body = parseObject(text);
  const [graphqlError] = (body?.errors ?? []) as GraphqlErrorBody[];
  if (typeof body?.code === 'string') {
    const { code, detail, requestId = details.requestId, errors } = body as ProblemBody;
    return new CausewayError(code, detail ?? code, { ...details, requestId, errors });
  }
  if (graphqlError?.extensions?.code) return toGraphqlError(graphqlError, details);
  return new CausewayError('invalid_response', `The response has the status ${status}`, details);
}

type ProblemBody = {
  code: string;
  detail?: string;
  requestId?: string;
  errors?: CausewayErrorDetails['errors'];
};

export type GraphqlErrorBody = {
  message: string;
  extensions?: { code?: string; requestId?: string; errors?: CausewayErrorDetails['errors'] };
};

export function toGraphqlError(error: GraphqlErrorBody, details: CausewayErrorDetails): CausewayError {
  const { code = 'invalid_response', requestId = details.requestId, errors } = error.extensions ?? {};
  return new CausewayError(code, error.message, { ...details, requestId, errors });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export async function readJson<Body>(response: Response): Promise<Body> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Body;
  } catch (error) {
    const details = { status: response.status, cause: error };
    throw new CausewayError('invalid_response', 'The response is not JSON', details);
  }
}
