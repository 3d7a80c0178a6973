import { type Secrets, sha256 } from '../../../kit/secrets.ts';
import { newToken } from '../../../kit/token.ts';

/**
 * For a browser from which a user has signed in, or has set a password by the link of a mail: kept beyond the session, it
 * lets nobody in, but has tries of its own, which strangers cannot use up. Nothing is stored: it is random, and signed
 * with the e-mail it is for.
 */
export function createBrowserToken(secrets: Secrets, email: string): string {
  const id = newToken();
  return `${id}.${secrets.sign('known-browser', 'installation', toSignedText(id, email))}`;
}

/** By what name the tries of a browser count that is known for an e-mail; undefined for any other browser. */
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
