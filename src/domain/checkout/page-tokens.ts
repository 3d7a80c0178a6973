import { DomainError, type ErrorCode } from '../../kit/errors.ts';
import { type Secrets, sameText } from '../../kit/secrets.ts';

/**
 * Tokens that let a customer's page do without API credentials. Nothing is stored: each is an HMAC over the object's id
 * under a key derived from APP_SECRET, so a replay or a duplicate gives the same.
 */

/** Lets the customer's page cancel the charge. */
export function cancelToken(secrets: Secrets, chargeId: string): string {
  return secrets.sign('cancel-token', chargeId).toString('base64url');
}

export function isCancelToken(secrets: Secrets, chargeId: string, token: string): boolean {
  return isSigned(secrets, { purpose: 'cancel-token', text: chargeId, signature: token });
}

/** Lets a page in the browser see and do what the customer's page may, for this session or charge only. */
export function clientToken(secrets: Secrets, id: string): string {
  return `${id}.${secrets.sign('client-token', id).toString('base64url')}`;
}

/** The id a client token speaks for; undefined when it is not one of ours. */
export function readClientToken(secrets: Secrets, token: string): string | undefined {
  const id = token.slice(0, token.indexOf('.'));
  const signature = token.slice(id.length + 1);
  return id !== '' && isSigned(secrets, { purpose: 'client-token', text: id, signature }) ? id : undefined;
}

/** Kept by the browser that made a charge: it alone sees the customer's details in full. */
export function makerToken(secrets: Secrets, chargeId: string): string {
  return secrets.sign('maker-token', chargeId).toString('base64url');
}

export function isMakerToken(secrets: Secrets, chargeId: string, token: string | undefined): boolean {
  return (
    token !== undefined && isSigned(secrets, { purpose: 'maker-token', text: chargeId, signature: token })
  );
}

export type PageKind = 'enrol' | 'invoice' | 'refund' | 'subscription';

/**
 * Opens one of the customer's pages under `/pay`: `<id>.<HMAC over page kind, id and generation>`. Raising the object's
 * generation ends the tokens given before.
 */
export function pageToken(
  secrets: Secrets,
  kind: PageKind,
  object: { id: string; pageGeneration: number },
): string {
  return `${object.id}.${secrets.sign(`page-token ${kind}`, pageText(object)).toString('base64url')}`;
}

/** The id that a page's token speaks of, to be believed only after `isPageToken`. */
export function idOfPageToken(token: string): string {
  return token.slice(0, Math.max(token.indexOf('.'), 0));
}

export function isPageToken(
  secrets: Secrets,
  kind: PageKind,
  object: { id: string; pageGeneration: number },
  token: string,
): boolean {
  const [id, signature = '', ...rest] = token.split('.');
  if (id !== object.id || rest.length > 0) return false;
  return isSigned(secrets, { purpose: `page-token ${kind}`, text: pageText(object), signature });
}

/**
 * Returns the object that a page's token opens. An object that does not exist and a token that was never valid give the
 * same error, `notFound`; `link_closed` is the answer to tokens of an earlier generation alone.
 */
export function requirePageToken<T extends { id: string; pageGeneration: number }>(
  secrets: Secrets,
  kind: PageKind,
  { object, token, notFound }: { object: T | null; token: string; notFound: ErrorCode },
): T {
  if (!object) throw new DomainError(notFound);
  if (isPageToken(secrets, kind, object, token)) return object;
  for (let pageGeneration = object.pageGeneration - 1; pageGeneration >= 0; pageGeneration--) {
    if (isPageToken(secrets, kind, { id: object.id, pageGeneration }, token))
      throw new DomainError('link_closed');
  }
  throw new DomainError(notFound);
}

function pageText({ id, pageGeneration }: { id: string; pageGeneration: number }): string {
  return `${id} ${pageGeneration}`;
}

/** Compares with what each secret makes that counts: a token outlives the change of the secret it was made under. */
function isSigned(
  secrets: Secrets,
  { purpose, text, signature }: { purpose: string; text: string; signature: string },
): boolean {
  return secrets.signatures(purpose, text).some((mac) => sameText(signature, mac.toString('base64url')));
}
