import { type Secrets, sha256 } from '../../../kit/secrets.ts';
import { newToken } from '../../../kit/token.ts';

/**
 * Creates a token for a browser in which a user has signed in or set a password by an emailed link. The token
 * outlives the session and does not authenticate the user. It gives the browser its own attempt limit, which
 * strangers cannot exhaust. Nothing is stored: the token consists of a random ID and a signature of the ID
 * and the email address.
 */
export function createTrustedBrowserToken(secrets: Secrets, email: string): string {
  const id = newToken();
  return `${id}.${secrets.sign('trusted-browser', 'installation', toSignedText(id, email))}`;
}

/**
 * Returns the identifier under which the attempts of a trusted browser are counted. Returns undefined if the
 * token is missing or not valid for the email address.
 */
export function findTrustedBrowser(
  secrets: Secrets,
  { email, token }: { email: string; token: string | undefined },
): string | undefined {
  if (token === undefined) return undefined;
  const [id = '', signature = ''] = token.split('.');
  const signed = { text: toSignedText(id, email), signature };
  const isValid = secrets.verify('trusted-browser', 'installation', signed);
  return isValid ? `browser ${sha256(id)}` : undefined;
}

function toSignedText(id: string, email: string): string {
  return `${id} ${email}`;
}
