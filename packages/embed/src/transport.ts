import { CheckoutError } from './error.ts';

type Variables = Record<string, unknown>;
type GraphqlError = { message: string; extensions?: { code?: string } };
type ResponseBody = { data?: unknown; errors?: GraphqlError[] };

const firstEventMs = 10_000;
/** The service sends a comment every 12 seconds, so a silent connection is broken. */
const silenceMs = 45_000;
const requestMs = 15_000;

export type Transport = {
  query: <T>(query: string, variables: Variables) => Promise<T>;
  /** Calls `onData` for each event until the stream ends. Throws if the connection breaks or is silent for too long. */
  stream: (
    query: string,
    variables: Variables,
    options: { onData: (data: unknown) => void; signal: AbortSignal },
  ) => Promise<void>;
};

export function createTransport(origin: string, token: string): Transport {
  const post = async (accept: string, body: object, signal: AbortSignal) => {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { accept, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    if (response.ok) return response;
    const { errors } = (await response.json().catch(() => ({}))) as ResponseBody;
    throw toError(errors) ?? new CheckoutError('connection_failed', `HTTP ${response.status}`);
  };
  return {
    async query<T>(query: string, variables: Variables): Promise<T> {
      const signal = AbortSignal.timeout(requestMs);
      const response = await post('application/json', { query, variables }, signal);
      const { data, errors } = (await response.json()) as ResponseBody;
      const error = toError(errors) ?? toError(getResultError(data));
      if (error) throw error;
      return data as T;
    },
    async stream(query, variables, { onData, signal }) {
      const silence = new AbortController();
      let timer = setTimeout(() => silence.abort(), firstEventMs);
      try {
        const signals = AbortSignal.any([signal, silence.signal]);
        const { body } = await post('text/event-stream', { query, variables }, signals);
        for await (const event of readEvents(body!)) {
          clearTimeout(timer);
          timer = setTimeout(() => silence.abort(), silenceMs);
          if (event.type !== 'next') continue;
          const { data, errors } = JSON.parse(event.data) as ResponseBody;
          const error = toError(errors);
          if (error) throw error;
          onData(data);
        }
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function toError(errors: GraphqlError[] | undefined): CheckoutError | undefined {
  const first = errors?.[0];
  return first && new CheckoutError(first.extensions?.code ?? 'internal_error', first.message);
}

/** Returns the error that a mutation returned as its result. */
function getResultError(data: unknown): GraphqlError[] | undefined {
  const { code, message = '' } =
    (data as { result?: { code?: string; message?: string } } | undefined)?.result ?? {};
  return code === undefined ? undefined : [{ message, extensions: { code } }];
}

type ServerEvent = { type: string; data: string };

/** Yields the server-sent events of a body; comments are events without a type. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        yield parseEvent(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parseEvent(text: string): ServerEvent {
  const read = (name: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trim())
      .join('\n');
  return { type: read('event'), data: read('data') };
}
