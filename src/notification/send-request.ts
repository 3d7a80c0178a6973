import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

const answerBytesMax = 2_048;
const brokenOff = 'the connection was closed before the whole answer';

export type Connections = { lookup: LookupFunction; http: http.Agent; https: https.Agent };

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

/** One POST over HTTP or HTTPS, whole within `timeoutMs`. An answer longer than 2 KiB is cut there and counts as whole. */
export function sendRequest(
  connections: Connections,
  request: OutgoingRequest & { timeoutMs: number },
): Promise<Sent> {
  return new Promise((resolve) => {
    const outgoing = openRequest(connections, request);
    const chunks: Buffer[] = [];
    let response: http.IncomingMessage | undefined;
    const finish = (error: string | null, staleConnection = false) => {
      clearTimeout(timer);
      const answer = response ? answerText(Buffer.concat(chunks)) : null;
      const retryAfter = response?.headers['retry-after'] ?? null;
      resolve({ status: response?.statusCode ?? null, error, answer, retryAfter, staleConnection });
    };
    const timer = setTimeout(() => {
      finish('no whole answer in time');
      outgoing.destroy();
    }, request.timeoutMs);
    outgoing.on('response', (incoming) => {
      response = incoming;
      let bytes = 0;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= answerBytesMax) return;
        finish(null);
        outgoing.destroy();
      });
      incoming.on('end', () => finish(null));
      incoming.on('error', () => finish(brokenOff));
    });
    outgoing.on('error', (error) => finish(describeFailure(error), isStale(outgoing, error)));
    // With an answer the request may be closed before the answer has been read to its end.
    outgoing.on('close', () => response ?? finish(brokenOff));
    outgoing.end(request.body);
  });
}

function openRequest(connections: Connections, request: OutgoingRequest): http.ClientRequest {
  const secure = request.url.protocol === 'https:';
  return (secure ? https : http).request(request.url, {
    method: 'POST',
    headers: {
      ...request.headers,
      'content-length': Buffer.byteLength(request.body),
      'accept-encoding': 'identity',
    },
    agent: request.freshConnection ? false : secure ? connections.https : connections.http,
    lookup: connections.lookup,
    rejectUnauthorized: true,
  });
}

/** Text that PostgreSQL can store: a character cut in two is left out, and U+0000 shown as what cannot be shown. */
function answerText(bytes: Buffer): string {
  const text =
    bytes.length > answerBytesMax
      ? new TextDecoder().decode(bytes.subarray(0, answerBytesMax), { stream: true })
      : bytes.toString('utf8');
  return text.replaceAll('\0', '\u{fffd}');
}

function isStale(outgoing: http.ClientRequest, error: NodeJS.ErrnoException): boolean {
  return outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** In words for the merchant, who sees the attempt. */
function describeFailure(error: NodeJS.ErrnoException): string {
  const code = error.code ?? error.message;
  if (code === 'REFUSED_ADDRESS') return error.message;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name does not resolve';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'ECONNRESET' || code === 'EPIPE') return brokenOff;
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return `the certificate is not trusted (${code})`;
  if (code.startsWith('HPE_')) return `the answer is not HTTP (${code})`;
  return `the connection failed (${code})`;
}
