import type { Mode } from '../../../../prisma/client/client.ts';
import { DomainError, type ErrorCode } from '../../../kit/errors.ts';
import type { Secrets } from '../../../kit/secrets.ts';

/**
 * Tokens with which a customer's page does without API credentials. Nothing is stored: each is an HMAC over the object's
 * id under a key of its mode, so a replay or a duplicate returns the same one.
 */

type ObjectInMode = { id: string; mode: Mode };

/** Lets the customer's page cancel the charge. */
export function createCancelToken(secrets: Secrets, { id, mode }: ObjectInMode): string {
  return secrets.sign('cancel-token', mode, id);
}

export function isCancelToken(secrets: Secrets, { id, mode }: ObjectInMode, token: string): boolean {
  return secrets.verify('cancel-token', mode, { text: id, signature: token });
}

/** Lets a page in the browser see and do what the customer's page may, for this session or charge only. */
export function createClientToken(secrets: Secrets, { id, mode }: ObjectInMode): string {
  return `${id}.${secrets.sign('client-token', mode, id)}`;
}

/** The session or charge that a client token is for; undefined if it is not one of ours. */
export function readClientToken(secrets: Secrets, token: string): ObjectInMode | undefined {
  const id = token.slice(0, token.indexOf('.'));
  const signature = token.slice(id.length + 1);
  const mode = modes.find((candidate) => secrets.verify('client-token', candidate, { text: id, signature }));
  return id === '' || mode === undefined ? undefined : { id, mode };
}

const modes: readonly Mode[] = ['live', 'sandbox'];

/** Kept by the browser that created a charge: it alone sees the customer's details in full. */
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

/** What such a page is about. */
export type PageObject = ObjectInMode & { pageGeneration: number };

/**
 * Opens one of the customer's pages under `/pay`: `<id>.<HMAC over id and generation>`. Raising the object's generation
 * ends the tokens issued before.
 */
export function createPageToken(secrets: Secrets, kind: PageKind, object: PageObject): string {
  return `${object.id}.${secrets.sign(`${kind}-page`, object.mode, pageText(object))}`;
}

/** The id in a page's token, which is not verified. */
export function getPageTokenId(token: string): string {
  return token.slice(0, Math.max(token.indexOf('.'), 0));
}

export function isPageToken(secrets: Secrets, kind: PageKind, object: PageObject, token: string): boolean {
  const [id, signature = '', ...rest] = token.split('.');
  if (id !== object.id || rest.length > 0) return false;
  return secrets.verify(`${kind}-page`, object.mode, { text: pageText(object), signature });
}

/**
 * Returns the object that a page's token opens. An object that does not exist and a token that was never valid give the
 * same error, `notFound`; `link_closed` is the answer to tokens of an earlier generation alone.
 */
export function requirePageToken<T extends PageObject>(
  secrets: Secrets,
  kind: PageKind,
  { object, token, notFound }: { object: T | null; token: string; notFound: ErrorCode },
): T {
  if (!object) throw new DomainError(notFound);
  if (isPageToken(secrets, kind, object, token)) return object;
  for (let pageGeneration = object.pageGeneration - 1; pageGeneration >= 0; pageGeneration--) {
    if (isPageToken(secrets, kind, { ...object, pageGeneration }, token))
      throw new DomainError('link_closed');
  }
  throw new DomainError(notFound);
}

function pageText({ id, pageGeneration }: PageObject): string {
  return `${id} ${pageGeneration}`;
}
