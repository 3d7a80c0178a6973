import { hash } from 'node:crypto';
import { toCanonicalJson } from '../kit/canonical-json.ts';
import type { FeedRequest } from './authentication.ts';

type SignedTextInput = Pick<FeedRequest, 'method' | 'path' | 'headers' | 'body'> & { timestamp: string };

/** The placeholders of a signed text, each with its value for a request. */
const signedTextParts: Record<string, (input: SignedTextInput) => string | Buffer> = {
  body: ({ body }) => body,
  timestamp: ({ timestamp }) => timestamp,
  method: ({ method }) => method,
  path: ({ path }) => path,
  /** The bearer token of the request. */
  token: ({ headers }) => headers.authorization?.replace(/^Bearer /i, '') ?? '',
  /** The JSON body, serialized again with the keys of its objects sorted. */
  sortedBody: ({ body }) => toCanonicalJson(JSON.parse(body.toString('utf8'))),
  /** The ID of the sender, which SNAP signs in a request for an access token. */
  clientKey: ({ headers }) => headers['x-client-key'] ?? '',
  bodySha256: ({ body }) => hash('sha256', body, 'hex'),
  /** The hash of the JSON body without whitespace between its tokens. */
  minifiedBodySha256: ({ body }) => hash('sha256', minifyJson(body.toString('utf8')), 'hex'),
};

export const signedTextPlaceholders: readonly string[] = Object.keys(signedTextParts);

/** Returns the bytes that a sender signs. */
export function buildSignedText(template: string, input: SignedTextInput): Buffer {
  const parts = template.split(/\{(\w+)\}/);
  return Buffer.concat(
    parts.map((text, i) => {
      const part = i % 2 === 0 ? text : (signedTextParts[text]?.(input) ?? '');
      return typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
    }),
  );
}

/** Removes whitespace outside of strings, so that numbers and escapes keep their form. */
function minifyJson(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*"?)|\s+/gs, (_match, string: string | undefined) => string ?? '');
}
