import { createHmac, timingSafeEqual, verify } from 'node:crypto';
import { minuteMs } from '../kit/duration.ts';
import { isSameText } from '../kit/secrets.ts';
import {
  type FeedAuthentication,
  type FeedCredentials,
  type FeedRejection,
  type FeedRequest,
  listRequiredCredentials,
} from './authentication.ts';
import { readHeaderPattern } from './header-pattern.ts';
import { readPublicKey } from './public-key.ts';
import { buildSignedText } from './signed-text.ts';

/** How far the sender's clock may differ, and how old a delivery may be. */
const freshnessMs = 5 * minuteMs;

/** The JOSE header of senders that transmit only the signature. */
const defaultJoseHeader = Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url');

type Verifier<A = FeedAuthentication> = (
  authentication: A,
  context: { request: FeedRequest; credentials: FeedCredentials; now: Date },
) => FeedRejection | undefined;

type ByScheme<S extends FeedAuthentication['scheme']> = Extract<FeedAuthentication, { scheme: S }>;

/** Returns why the request is rejected, or undefined if it passes every authentication. */
export function verifyRequest(
  request: FeedRequest,
  options: { authentications: readonly FeedAuthentication[]; credentials: FeedCredentials; now: Date },
): FeedRejection | undefined {
  const { authentications, credentials, now } = options;
  // Without this check, anyone could sign a request with an empty secret.
  if (listRequiredCredentials(authentications).some((name) => !credentials[name]))
    return 'credentials_missing';
  for (const authentication of authentications) {
    const verifyScheme = verifiers[authentication.scheme] as Verifier;
    const rejection = verifyScheme(authentication, { request, credentials, now });
    if (rejection) return rejection;
  }
  return undefined;
}

const verifySigned: Verifier<ByScheme<'hmac' | 'rsa'>> = (authentication, { request, credentials, now }) => {
  const { header, pattern, encoding, timestamp } = authentication;
  const value = request.headers[header.toLowerCase()];
  if (value === undefined) return 'signature_missing';
  const parts = readHeaderPattern(pattern, value);
  if (!parts?.signature) return 'signature_invalid';
  const time =
    timestamp?.header === undefined ? parts.timestamp : request.headers[timestamp.header.toLowerCase()];
  if (timestamp && time === undefined) return 'timestamp_missing';
  const signedText = tryBuildSignedText(authentication.signedText, { ...request, timestamp: time ?? '' });
  const signature = Buffer.from(parts.signature, encoding);
  if (!signedText || !isSignature(authentication, { signedText, signature, credentials }))
    return 'signature_invalid';
  return timestamp && !isFresh(time!, timestamp.unit, now) ? 'timestamp_stale' : undefined;
};

const verifiers: { [S in FeedAuthentication['scheme']]: Verifier<ByScheme<S>> } = {
  hmac: verifySigned,
  rsa: verifySigned,
  jws({ header }, { request, credentials }) {
    const value = request.headers[header.toLowerCase()];
    if (value === undefined) return 'signature_missing';
    const [joseHeader = '', detached] = value.includes('..') ? value.split('..') : [defaultJoseHeader, value];
    if (!isRs256(joseHeader)) return 'signature_invalid';
    const signedText = Buffer.from(`${joseHeader}.${request.body.toString('base64url')}`);
    const signature = Buffer.from(detached ?? '', 'base64url');
    const isValid = verify('sha256', signedText, readPublicKey(credentials.publicKey ?? ''), signature);
    return isValid ? undefined : 'signature_invalid';
  },
  key({ header, pattern, isOptional }, { request, credentials }) {
    if (isOptional && !credentials.key) return undefined;
    const value = request.headers[header.toLowerCase()];
    if (value === undefined) return 'credentials_missing';
    const expected = pattern.replace('{key}', () => credentials.key ?? '');
    return isSameText(value.trim(), expected) ? undefined : 'credentials_invalid';
  },
  basic(_authentication, { request, credentials }) {
    const value = request.headers.authorization;
    if (value === undefined) return 'credentials_missing';
    const pair = Buffer.from(`${credentials.username ?? ''}:${credentials.key ?? ''}`).toString('base64');
    return isSameText(value.trim().replace(/^basic /i, ''), pair) ? undefined : 'credentials_invalid';
  },
};

function tryBuildSignedText(...args: Parameters<typeof buildSignedText>): Buffer | undefined {
  try {
    return buildSignedText(...args);
  } catch (error) {
    // A body that is not JSON, or nested too deeply to be serialized again.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function isSignature(
  authentication: ByScheme<'hmac' | 'rsa'>,
  options: { signedText: Buffer; signature: Buffer; credentials: FeedCredentials },
): boolean {
  const { signedText, signature, credentials } = options;
  if (authentication.scheme === 'rsa')
    return verify('sha256', signedText, readPublicKey(credentials.publicKey ?? ''), signature);
  const expected = createHmac(authentication.algorithm, credentials.secret ?? '')
    .update(signedText)
    .digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

function isRs256(joseHeader: string): boolean {
  try {
    const { alg, b64, crit } = JSON.parse(Buffer.from(joseHeader, 'base64url').toString('utf8'));
    return alg === 'RS256' && b64 !== false && crit === undefined;
  } catch {
    return false;
  }
}

function isFresh(text: string, unit: 'seconds' | 'milliseconds' | 'iso', now: Date): boolean {
  const isNumber = /^\d{1,16}$/.test(text);
  if (unit !== 'iso' && !isNumber) return false;
  const timeMs = unit === 'iso' ? Date.parse(text) : Number(text) * (unit === 'seconds' ? 1000 : 1);
  return Math.abs(now.getTime() - timeMs) <= freshnessMs;
}
