import type { Mode } from '../../../../prisma/client/client.ts';
import { DomainError, type ErrorCode } from '../../../kit/errors.ts';
import type { Secrets } from '../../../kit/secrets.ts';

/**
 * Tokens for customer pages, which have no API credentials. Each is an HMAC of the object's ID under a key of
 * its mode; nothing is stored. A replayed or duplicate request therefore returns the same token.
 */

type ObjectInMode = { id: string; mode: Mode };

/** Authorizes the customer's page to cancel the charge. */
export function createCancelToken(secrets: Secrets, { id, mode }: ObjectInMode): string {
  return secrets.sign('cancel-token', mode, id);
}

export function isCancelToken(secrets: Secrets, { id, mode }: ObjectInMode, token: string): boolean {
  return secrets.verify('cancel-token', mode, { text: id, signature: token });
}

/** Authorizes a browser to act as the customer's page for one session or charge. */
export function createClientToken(secrets: Secrets, { id, mode }: ObjectInMode): string {
  return `${id}.${secrets.sign('client-token', mode, id)}`;
}

/** Returns the session or charge of a client token, or undefined if the token is invalid. */
export function readClientToken(secrets: Secrets, token: string): ObjectInMode | undefined {
  const id = token.slice(0, token.indexOf('.'));
  const signature = token.slice(id.length + 1);
  const mode = modes.find((candidate) => secrets.verify('client-token', candidate, { text: id, signature }));
  return id === '' || mode === undefined ? undefined : { id, mode };
}

const modes: readonly Mode[] = ['live', 'sandbox'];

/** Stored in the browser that created the charge: only this browser sees the customer's full details. */
export function createCreatorToken(secrets: Secrets, { id, mode }: ObjectInMode): string {
  return secrets.sign('charge-creator', mode, id);
}

export function isCreatorToken(
  secrets: Secrets,
  { id, mode }: ObjectInMode,
  token: string | undefined,
): boolean {
  return token !== undefined && secrets.verify('charge-creator', mode, { text: id, signature: token });
}

export type PageKind = 'enrol' | 'invoice' | 'refund' | 'subscription';

export type PageObject = ObjectInMode & { linkVersion: number };

/**
 * Authorizes one of the customer pages under `/pay`: `<id>.<HMAC of ID and generation>`. Incrementing the
 * object's generation invalidates earlier tokens.
 */
export function createPageToken(secrets: Secrets, kind: PageKind, object: PageObject): string {
  return `${object.id}.${secrets.sign(`${kind}-page`, object.mode, pageText(object))}`;
}

/** Returns the ID in a page token without verifying it. */
export function getPageTokenId(token: string): string {
  return token.slice(0, Math.max(token.indexOf('.'), 0));
}

export function isPageToken(secrets: Secrets, kind: PageKind, object: PageObject, token: string): boolean {
  const [id, signature = '', ...rest] = token.split('.');
  if (id !== object.id || rest.length > 0) return false;
  return secrets.verify(`${kind}-page`, object.mode, { text: pageText(object), signature });
}

/**
 * Verifies a page token and returns its object. Throws `notFound` for both a missing object and an invalid
 * token, and `link_closed` only for a token of an earlier generation.
 */
export function requirePageToken<T extends PageObject>(
  secrets: Secrets,
  kind: PageKind,
  { object, token, notFound }: { object: T | null; token: string; notFound: ErrorCode },
): T {
  if (!object) throw new DomainError(notFound);
  if (isPageToken(secrets, kind, object, token)) return object;
  for (let linkVersion = object.linkVersion - 1; linkVersion >= 0; linkVersion--) {
    if (isPageToken(secrets, kind, { ...object, linkVersion }, token)) throw new DomainError('link_closed');
  }
  throw new DomainError(notFound);
}

function pageText({ id, linkVersion }: PageObject): string {
  return `${id} ${linkVersion}`;
}
