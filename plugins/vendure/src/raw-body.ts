import type { IncomingMessage, ServerResponse } from 'node:http';

export type RawRequest = IncomingMessage & { rawBody: Buffer };

const bytesMax = 1_000_000;

/** Keeps the body as it arrived, because the signature covers its bytes. Responds with 413 to more than 1 MB. */
export function readRawBody(
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: Error) => void,
) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) response.writeHead(413).end(() => request.destroy());
    else chunks.push(chunk);
  });
  request.on('end', () => {
    // Body parsers skip a request with `_body`.
    Object.assign(request, { rawBody: Buffer.concat(chunks), body: {}, _body: true });
    if (bytes <= bytesMax) next();
  });
  request.on('error', next);
}
