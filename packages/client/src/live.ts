import { CausewayError } from './error.ts';
import { checkErrors, type GraphqlResponse, graphqlPath } from './graphql.ts';
import { isTransient, type RequestOptions, readError, type Transport } from './transport.ts';
import { getBackoffMs, wait } from './wait.ts';

export type SubscribeOptions<Data, Variables> = RequestOptions & {
  /**
   * Returns the variables with which a new connection continues after this event, such as those with its cursor. By
   * default, the variables stay the same, and live fields first send their current state.
   */
  resume?: ((data: Data, variables: Variables) => Variables) | undefined;
  /**
   * Called before each reconnection, with the error that ended the connection; undefined if the service ended the
   * subscription.
   */
  onDisconnect?: ((error: CausewayError | undefined) => void) | undefined;
};

/** The service sends a comment at least every 12 seconds. */
const silenceMaxMs = 45_000;

/**
 * Executes a subscription over server-sent events, and reconnects after transient errors. Ends if the object does not
 * exist. Throws other errors, and the reason of the signal when it is aborted.
 */
export async function* followSubscription<Data, Variables>(
  transport: Transport,
  query: string,
  firstVariables: Variables,
  options: SubscribeOptions<Data, Variables>,
): AsyncGenerator<Data, void, undefined> {
  let variables = firstVariables;
  for (let failures = 0; ; failures++) {
    let isGone = false;
    let cause: CausewayError | undefined;
    try {
      for await (const data of readConnection<Data>(transport, query, variables, options.signal)) {
        failures = 0;
        isGone = isNull(data);
        yield data;
        variables = options.resume?.(data, variables) ?? variables;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof CausewayError) || !isTransient(error)) throw error;
      cause = error;
    }
    // The service sends null and ends the subscription if the object does not exist.
    if (isGone && !cause) return;
    options.onDisconnect?.(cause);
    const retryAfterMs = Math.min((cause?.retryAfterSeconds ?? 0) * 1_000, transport.retryDelayMaxMs);
    const delayMs = getBackoffMs(failures, transport.retryDelayMs, transport.retryDelayMaxMs);
    await wait(Math.max(delayMs, retryAfterMs), options.signal);
  }
}

function isNull(data: unknown): boolean {
  return Object.values(data as object).every((value) => value === null);
}

async function* readConnection<Data>(
  transport: Transport,
  query: string,
  variables: unknown,
  signal: AbortSignal | undefined,
): AsyncGenerator<Data, void, undefined> {
  const connection = new AbortController();
  const onAbort = () => connection.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', onAbort, { once: true });
  let timer = setTimeout(() => connection.abort(), silenceMaxMs);
  try {
    const response = await transport.open({
      method: 'POST',
      path: graphqlPath,
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query, variables }),
      isRepeatable: true,
      signal: connection.signal,
    });
    if (!response.ok) throw await readError(response);
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(() => connection.abort(), silenceMaxMs);
    };
    for await (const { event, data } of readEvents(response.body!, restart)) {
      if (event === 'complete') return;
      if (event !== 'next') continue;
      const result = JSON.parse(data) as GraphqlResponse<Data>;
      checkErrors(result, requestId);
      yield result.data as Data;
    }
    throw new CausewayError('connection_failed', 'The connection was interrupted');
  } catch (error) {
    if (error instanceof CausewayError) throw error;
    throw new CausewayError('connection_failed', 'The connection was interrupted', { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    connection.abort();
  }
}

type ServerSentEvent = { event: string; data: string };

/** Yields the server-sent events of a body. Comments have an empty `event`. */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    text += decoder.decode(value, { stream: true });
    // A carriage return at the end may be the first half of a line break.
    const end = text.endsWith('\r') ? -1 : undefined;
    const blocks = (text.slice(0, end).replaceAll(/\r\n?/g, '\n') + (end ? '\r' : '')).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield parseEvent(block);
  }
}

function parseEvent(block: string): ServerSentEvent {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line));
  const read = (name: string) => lines.flatMap((line) => (line?.[1] === name ? line[2]! : []));
  return { event: read('event')[0] ?? '', data: read('data').join('\n') };
}
