import { type Secrets, sha256 } from '../../../kit/secrets.ts';
import { newToken } from '../../../kit/token.ts';

/**
 * Creates a token for a browser in which a user has signed in or set a password by a mailed link. The token
 * outlives the session and does not authenticate. It gives the browser its own attempt limit, which strangers
 * cannot exhaust. Nothing is stored: the token is random and signed together with the email.
 */
export function createBrowserToken(secrets: Secrets, email: string): string {
  const id = newToken();
  return `${id}.${secrets.sign('known-browser', 'installation', toSignedText(id, email))}`;
}

/**
 * Returns the name under which attempts of a trusted browser are counted; undefined for any other browser.
 */
export function findTrustedBrowser(
  secrets: Secrets,
  { email, token }: { email: string; token: string | undefined },
): string | undefined {
  if (token === undefined) return undefined;
  const [id = '', signature = ''] = token.split('.');
  const signed = { text: toSignedText(id, email), signature };
  const isValid = secrets.verify('known-browser', 'installation', signed);
  return isValid ? `browser ${sha256(id)}` : undefined;
}

function toSignedText(id: string, email: string): string {
  return `${id} ${email}`;
}
