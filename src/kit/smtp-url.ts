import { parseEmail } from './contact.ts';
import { isLoopback } from './private-address.ts';

/** The mail server in SMTP_URL. */
export type SmtpServer = {
  host: string;
  port: number;
  /** `implicit`: TLS from the first byte (`smtps:`); `starttls`: STARTTLS is mandatory; `none`: no TLS. */
  tls: 'implicit' | 'starttls' | 'none';
  user: string | undefined;
  password: string | undefined;
};

/**
 * Parses `smtps://user:password@host:465` or `smtp://user:password@host:587`. With `smtp:`, TLS is off only
 * with `?tls=none`, or on a loopback host without `?tls=required`. Returns undefined if the URL is invalid.
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

/** Returns undefined if the credentials are not percent-encoded, for example if a password contains a bare `%`. */
function readCredentials(url: URL): Pick<SmtpServer, 'user' | 'password'> | undefined {
  const decode = (part: string) => (part === '' ? undefined : decodeURIComponent(part));
  try {
    return { user: decode(url.username), password: decode(url.password) };
  } catch {
    return undefined;
  }
}

/** Parses `pay@shop.example` or `Shop <pay@shop.example>`. Returns undefined if the text is neither. */
export function parseMailbox(text: string): { name: string; address: string } | undefined {
  const [, name = '', address = text] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? [];
  try {
    return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: parseEmail(address, '') };
  } catch {
    return undefined;
  }
}
