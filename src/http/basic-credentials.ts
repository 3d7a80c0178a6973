import { DomainError } from '../kit/errors.ts';

export const basicAuthenticationHint =
  'Use HTTP Basic authentication with the API key as the username and its secret as the password';

/** Parses `Authorization: Basic base64(key:secret)`. Throws `unauthenticated` if the header has another form. */
export function parseBasicCredentials(
  { authorization = '' }: { authorization?: string | undefined },
  errorMessage = basicAuthenticationHint,
): { key: string; secret: string } {
  const [, encoded] = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization) ?? [];
  if (!encoded) throw new DomainError('unauthenticated', errorMessage);
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colonIndex = decoded.indexOf(':');
  // PostgreSQL rejects U+0000 in text, and no key contains it.
  if (colonIndex === -1 || decoded.includes('\0')) throw new DomainError('unauthenticated', errorMessage);
  return { key: decoded.slice(0, colonIndex), secret: decoded.slice(colonIndex + 1) };
}
