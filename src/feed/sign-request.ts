import { createHmac, sign } from 'node:crypto';
import type { FeedAuthentication, FeedCredentials, FeedRequest } from './authentication.ts';
import { writeHeaderPattern } from './header-pattern.ts';
import { buildSignedText } from './signed-text.ts';

/** Returns the headers with which a sender authenticates a request. RSA and JWS signatures need `simulatorKey`. */
export function signRequest(
  request: FeedRequest,
  options: { authentications: readonly FeedAuthentication[]; credentials: FeedCredentials; now: Date },
): Record<string, string> {
  const { authentications, credentials, now } = options;
  let headers: Record<string, string> = {};
  for (const authentication of authentications) {
    const withEarlier = { ...request, headers: { ...request.headers, ...headers } };
    headers = { ...headers, ...signOnce(authentication, withEarlier, { credentials, now }) };
  }
  return headers;
}

function signOnce(
  authentication: FeedAuthentication,
  request: FeedRequest,
  { credentials, now }: { credentials: FeedCredentials; now: Date },
): Record<string, string> {
  if (authentication.scheme === 'key') {
    if (authentication.isOptional && !credentials.key) return {};
    return {
      [authentication.header.toLowerCase()]: authentication.pattern.replace(
        '{key}',
        () => credentials.key ?? '',
      ),
    };
  }
  if (authentication.scheme === 'basic') {
    const pair = Buffer.from(`${credentials.username}:${credentials.key}`).toString('base64');
    return { authorization: `Basic ${pair}` };
  }
  const simulatorKey = credentials.simulatorKey ?? '';
  if (authentication.scheme === 'jws') {
    const joseHeader = Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url');
    const text = Buffer.from(`${joseHeader}.${request.body.toString('base64url')}`);
    return {
      [authentication.header.toLowerCase()]: sign('sha256', text, simulatorKey).toString('base64url'),
    };
  }
  const { header, pattern, encoding, timestamp } = authentication;
  const time = timestamp ? writeTime(now, timestamp.unit) : '';
  const text = buildSignedText(authentication.signedText, { ...request, timestamp: time });
  const signature =
    authentication.scheme === 'rsa'
      ? sign('sha256', text, simulatorKey)
      : createHmac(authentication.algorithm, credentials.secret ?? '')
          .update(text)
          .digest();
  const values = { signature: signature.toString(encoding), timestamp: time };
  return {
    [header.toLowerCase()]: writeHeaderPattern(pattern, values),
    ...(timestamp?.header !== undefined && { [timestamp.header.toLowerCase()]: time }),
  };
}

function writeTime(now: Date, unit: 'seconds' | 'milliseconds' | 'iso'): string {
  if (unit === 'iso') return now.toISOString().replace(/\.\d+Z$/, '+00:00');
  return String(unit === 'seconds' ? Math.floor(now.getTime() / 1000) : now.getTime());
}
