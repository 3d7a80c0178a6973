import { parseEmail } from './contact.ts';
import { isLoopback } from './private-address.ts';

/** A mail server as SMTP_URL names it. */
export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the first byte (`smtps:`), by STARTTLS that must succeed, or none. */
  tls: 'implicit' | 'starttls' | 'none';
  user: string | undefined;
  password: string | undefined;
};

/**
 * `smtps://user:password@host:465` or `smtp://user:password@host:587`. Without TLS only where that is said
 * (`smtp://host:25?tls=none`), or the server is this machine and `?tls=required` is not said. Undefined when it is
 * neither.
 */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') return undefined;
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash !== '') return undefined;
  const parameters = [...url.searchParams];
  const tlsMode = url.searchParams.get('tls');
  const isSupported =
    parameters.every(([name]) => name === 'tls') && [null, 'none', 'required'].includes(tlsMode);
  if (!isSupported || parameters.length > 1) return undefined;
  const isImplicit = url.protocol === 'smtps:';
  if (isImplicit && tlsMode === 'none') return undefined;
  const credentials = readCredentials(url);
  if (!credentials) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isPlain = tlsMode === 'none' || (tlsMode === null && isLoopback(host));
  return {
    host,
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    tls: isImplicit ? 'implicit' : isPlain ? 'none' : 'starttls',
    ...credentials,
  };
}

/** Undefined when they are not percent-encoded, such as a password with a bare `%`. */
function readCredentials(url: URL): Pick<SmtpServer, 'user' | 'password'> | undefined {
  const decode = (part: string) => (part === '' ? undefined : decodeURIComponent(part));
  try {
    return { user: decode(url.username), password: decode(url.password) };
  } catch {
    return undefined;
  }
}

/** `pay@shop.example` or `Shop <pay@shop.example>`; undefined when it is neither. */
export function parseMailbox(text: string): { name: string; address: string } | undefined {
  const [, name = '', address = text] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? [];
  try {
    return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: parseEmail(address, '') };
  } catch {
    return undefined;
  }
}
