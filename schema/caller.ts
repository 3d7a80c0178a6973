import type { Merchant, Mode } from '../prisma/client/client.ts';
import { authenticateKey } from '../src/domain/api-key/authenticate-key.ts';
import type { Caller as MerchantCaller } from '../src/domain/api-key/permissions.ts';
import { authenticateClientToken } from '../src/domain/checkout/authenticate-client-token.ts';
import type { Service } from '../src/domain/service.ts';
import { DomainError } from '../src/kit/errors.ts';

/** An API key, with its permissions. */
export type KeyCaller = MerchantCaller & { kind: 'key' };

/** A merchant's own page in a customer's browser: it sees one session (and its charge) or one charge. */
export type PageCaller = {
  kind: 'page';
  merchant: Merchant;
  mode: Mode;
  noun: 'session' | 'charge';
  id: string;
};

/** Who asks. Everybody but a page acts for the merchant within permissions. */
export type Caller = KeyCaller | PageCaller;

/** Credentials as they arrive: the Authorization header, or `authorization` among a WebSocket's connectionParams. */
export type Credentials = { authorization: string | undefined };

/**
 * `Basic base64(key:secret)` of an API key, or `Bearer <clientToken>`. Errors: `unauthenticated`, `account_disabled`.
 */
export async function authenticateCaller(
  service: Service,
  { authorization }: Credentials,
  now: Date,
): Promise<Caller> {
  const [, scheme, value] = /^(basic|bearer) +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization ?? '') ?? [];
  if (scheme === undefined || value === undefined) throw new DomainError('unauthenticated', howTo);
  if (scheme.toLowerCase() === 'bearer') {
    return { kind: 'page', ...(await authenticateClientToken(service, value, now)) };
  }
  const [key = '', secret = ''] = splitAtColon(Buffer.from(value, 'base64').toString('utf8'));
  // PostgreSQL refuses U+0000 in a text, and no key has one.
  if (key.includes('\0')) throw new DomainError('unauthenticated');
  return { kind: 'key', ...(await authenticateKey(service, { key, secret }, now)) };
}

/** Under which name its requests are counted. */
export function callerName(caller: Caller): string {
  return caller.kind === 'page' ? `page:${caller.id}` : caller.actor;
}

const howTo = 'Send the API key and secret by HTTP Basic, or a client token as Bearer';

function splitAtColon(text: string): string[] {
  const colon = text.indexOf(':');
  return colon === -1 ? [text] : [text.slice(0, colon), text.slice(colon + 1)];
}
