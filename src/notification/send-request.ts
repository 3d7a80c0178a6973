import type { Dispatcher } from 'undici';
import type { Connection, Connections } from './connections.ts';

const answerBytesMax = 2_048;
const brokenOff = 'the connection was closed before the whole answer';

export type Sent = {
  /** HTTP status; null when there was no answer. */
  status: number | null;
  /** Why there was no whole answer, in a few words; null when there was one. */
  error: string | null;
  /** The first 2 KiB of the answer as text; null when there was none. */
  answer: string | null;
  /** The header, as it came. */
  retryAfter: string | null;
  /** The connection, kept from an earlier request, was found closed. */
  staleConnection: boolean;
};

export type OutgoingRequest = {
  url: URL;
  body: string;
  headers: Record<string, string>;
  /** Not over a connection that was kept. */
  freshConnection?: boolean;
};

/**
 * One POST over HTTP or HTTPS, whole within `timeoutMs`. An answer longer than 2 KiB is cut there and counts as whole.
 */
export function sendRequest(
  connections: Connections,
  request: OutgoingRequest & { timeoutMs: number },
): Promise<Sent> {
  const { url, timeoutMs, freshConnection: fresh = false } = request;
  const connection = connections.take(url.origin, { fresh });
  return new Promise((resolve) => {
    const answer: Answer = { status: null, retryAfter: null, chunks: [], bytes: 0 };
    let ended = false;
    const end = (error: string | null, staleConnection = false): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      const { status, retryAfter, chunks } = answer;
      const text = status === null ? null : answerText(Buffer.concat(chunks));
      resolve({ status, error, answer: text, retryAfter, staleConnection });
    };
    const cut = (error: string | null, staleConnection = false): void => {
      end(error, staleConnection);
      // What was under way over it has ended above.
      connection.client.destroy().catch(() => {});
    };
    const timer = setTimeout(() => cut('no whole answer in time'), timeoutMs);
    connection.client.dispatch(toDispatch(request), {
      ...reader(answer, () => cut(null)),
      onResponseEnd: () => {
        if (!ended) connections.give(url.origin, connection);
        end(null);
      },
      onResponseError: (_, error) => cut(describeError(error), isStale(connection, answer, error)),
    });
  });
}

type Answer = { status: number | null; retryAfter: string | null; chunks: Buffer[]; bytes: number };

/** Reads an answer as it comes; `onFull` is called when there is more than is kept. */
function reader(answer: Answer, onFull: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: () => {},
    onResponseStart: (_, status, headers) => {
      // Those below are followed by another.
      if (status < 200) return;
      answer.status = status;
      answer.retryAfter = [headers['retry-after']].flat()[0] ?? null;
    },
    onResponseData: (_, chunk) => {
      answer.chunks.push(chunk);
      answer.bytes += chunk.length;
      if (answer.bytes > answerBytesMax) onFull();
    },
  };
}

function toDispatch({ url, headers, body }: OutgoingRequest): Dispatcher.DispatchOptions {
  return {
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, 'accept-encoding': 'identity' },
    body,
  };
}

/** Text that PostgreSQL can store: a character cut in two is left out, and U+0000 shown as what cannot be shown. */
function answerText(bytes: Buffer): string {
  const text =
    bytes.length > answerBytesMax
      ? new TextDecoder().decode(bytes.subarray(0, answerBytesMax), { stream: true })
      : bytes.toString('utf8');
  return text.replaceAll('\0', '\u{fffd}');
}

/** A connection that was kept from an earlier request was closed before any answer. */
function isStale({ isKept }: Connection, { status }: Answer, { code = '' }: NodeJS.ErrnoException): boolean {
  return isKept && status === null && closedCodes.has(code);
}

const closedCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** In words for the merchant, who sees the attempt. */
function describeError(error: NodeJS.ErrnoException): string {
  const code = error.code ?? error.message;
  if (code === 'REFUSED_ADDRESS') return error.message;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name does not resolve';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'no whole answer in time';
  if (closedCodes.has(code) || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return brokenOff;
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return `the certificate is not trusted (${code})`;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'the answer has more headers than are read';
  if (error.name === 'HTTPParserError') return 'the answer is not HTTP';
  return `the connection failed (${code})`;
}
