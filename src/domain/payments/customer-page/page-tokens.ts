import type { Mode } from '../../../../prisma/client/client.ts';
import { DomainError, type ErrorCode } from '../../../kit/errors.ts';
import type { Secrets } from '../../../kit/secrets.ts';

/**
 * The object of a token for a customer page, which has no API credentials. Each token is an HMAC of the object's ID
 * with a key of its mode, so nothing is stored.
 */
type ObjectInMode = { id: string; mode: Mode };
/** The merchant is needed to verify a token of another installation, from which the merchant moved. */
type OwnedObject = ObjectInMode & { merchantId?: string };

/** Creates a token that authorizes the customer's page to cancel the charge. */
export function createCancelToken(secrets: Secrets, { id, mode }: ObjectInMode): string {
  return secrets.sign('cancel-token', mode, id);
}

export function isCancelToken(
  secrets: Secrets,
  { id, mode, merchantId }: OwnedObject,
  token: string,
): boolean {
  return secrets.verify('cancel-token', mode, { text: id, signature: token, merchantId });
}

/** Creates a token that authorizes a browser to act as the customer's page for one session or charge. */
export function createClientToken(secrets: Secrets, { id, mode }: ObjectInMode): string {
  return `${id}.${secrets.sign('client-token', mode, id)}`;
}

/**
 * Returns the session or charge of a client token, or undefined if the token is invalid. If another
 * installation created the token, the object must belong to the returned merchant.
 */
export function readClientToken(secrets: Secrets, token: string): OwnedObject | undefined {
  const id = token.slice(0, token.indexOf('.'));
  const signature = token.slice(id.length + 1);
  if (id === '') return undefined;
  for (const merchantId of [undefined, ...secrets.listImportedMerchantIds()]) {
    const signed = { text: id, signature, merchantId };
    const mode = modes.find((candidate) => secrets.verify('client-token', candidate, signed));
    if (mode !== undefined) return { id, mode, ...(merchantId !== undefined && { merchantId }) };
  }
  return undefined;
}

const modes: readonly Mode[] = ['live', 'sandbox'];

/**
 * Creates a token for the browser that created the charge. Only a browser with this token shows the
 * customer's full details.
 */
export function createCreatorToken(secrets: Secrets, { id, mode }: ObjectInMode): string {
  return secrets.sign('charge-creator', mode, id);
}

export function isCreatorToken(
  secrets: Secrets,
  { id, mode, merchantId }: OwnedObject,
  token: string | undefined,
): boolean {
  return (
    token !== undefined && secrets.verify('charge-creator', mode, { text: id, signature: token, merchantId })
  );
}

export type PageKind = 'enrol' | 'invoice' | 'poster' | 'refund' | 'subscription';

/** The object of a page of this kind. Posters and enrolment links have no link version. */
export type PageObject<Kind extends PageKind = PageKind> = Kind extends 'enrol' | 'poster'
  ? OwnedObject
  : OwnedObject & { linkVersion: number };

/** Thrown with the code `link_closed` if a page is opened by a link that a newer one has replaced. */
export class LinkReplacedError extends DomainError {
  constructor() {
    super('link_closed', 'The link was replaced; use the latest link, or ask the merchant for one');
  }
}

/**
 * Creates a token that authorizes one of the customer pages under `/pay`: `<id>.<HMAC of ID and link
 * version>`. Incrementing the object's link version invalidates earlier tokens.
 */
export function createPageToken<Kind extends PageKind>(
  secrets: Secrets,
  kind: Kind,
  object: PageObject<Kind>,
): string {
  return `${object.id}.${secrets.sign(toPurpose(kind), object.mode, toSignedText(object))}`;
}

/** Returns the ID in a page token without verifying it. */
export function getPageTokenId(token: string): string {
  return token.slice(0, Math.max(token.indexOf('.'), 0));
}

export function isPageToken<Kind extends PageKind>(
  secrets: Secrets,
  kind: Kind,
  object: PageObject<Kind>,
  token: string,
): boolean {
  const [id, signature = '', ...rest] = token.split('.');
  if (id !== object.id || rest.length > 0) return false;
  return secrets.verify(toPurpose(kind), object.mode, {
    text: toSignedText(object),
    signature,
    merchantId: object.merchantId,
  });
}

/**
 * Verifies a page token and returns the object. Throws the code `notFoundCode` if the object is missing or the
 * token is invalid, and `LinkReplacedError` only if the token was valid for an earlier link version.
 */
export function requirePageToken<Kind extends PageKind, T extends PageObject<Kind>>(
  secrets: Secrets,
  kind: Kind,
  { object, token, notFoundCode }: { object: T | null; token: string; notFoundCode: ErrorCode },
): T {
  if (!object) throw new DomainError(notFoundCode);
  if (isPageToken(secrets, kind, object, token)) return object;
  for (let linkVersion = getLinkVersion(object) - 1; linkVersion >= 0; linkVersion--) {
    if (isPageToken(secrets, kind, { ...object, linkVersion }, token)) throw new LinkReplacedError();
  }
  throw new DomainError(notFoundCode);
}

function toPurpose(kind: PageKind): `${PageKind}-page` {
  return `${kind}-page`;
}

function toSignedText(object: PageObject): string {
  return `${object.id} ${getLinkVersion(object)}`;
}

function getLinkVersion(object: PageObject): number {
  return 'linkVersion' in object ? object.linkVersion : 0;
}
