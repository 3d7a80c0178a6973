import type { Mode } from '../../../prisma/client/client.ts';
import { DomainError, invalidInputError } from '../../kit/errors.ts';
import { isPrivateHost } from '../../kit/private-address.ts';
import { checkText } from '../../kit/text.ts';

const urlLengthMax = 2_048;
/** Schemes that a page must never link to, even if a merchant lists them. */
export const forbiddenSchemes: ReadonlySet<string> = new Set([
  'javascript:',
  'data:',
  'file:',
  'blob:',
  'vbscript:',
  'about:',
]);

/**
 * All other ports below `portMin` are rejected: they belong to other protocols, to whose servers no requests
 * may be sent.
 */
const standardPorts = ['', '80', '443'];
const portMin = 1_024;

/**
 * Checks the URL of a notification endpoint or chat: it must be absolute and without credentials, must not use a port
 * of another protocol, and must use https in live mode. With `allowPrivateTargets`, a private or loopback host may use
 * http and any port. Without it, a literal private host is rejected here; resolved addresses are checked at each
 * attempt. Errors: `invalid_request`, `target_refused`.
 */
export function parseTargetUrl(
  text: string,
  path: string,
  options: { mode: Mode; allowPrivateTargets: boolean },
): string {
  const url = parseUrl(text, path);
  if (url.username !== '' || url.password !== '')
    throw invalidInputError(path, 'must not contain credentials');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalidInputError(path, 'must be an https URL');
  }
  if (options.allowPrivateTargets && isPrivateHost(url.hostname)) return text;
  if (url.protocol === 'http:' && options.mode === 'live') {
    throw invalidInputError(path, 'must be an https URL in live mode');
  }
  if (!standardPorts.includes(url.port) && Number(url.port) < portMin) {
    throw invalidInputError(path, `must use port 80, port 443 or a port from ${portMin} to 65535`);
  }
  if (!isPrivateHost(url.hostname)) return text;
  throw new DomainError('target_refused', 'The URL points to a private or loopback address', [
    { path, message: 'must not point to a private or loopback address' },
  ]);
}

/**
 * Checks a return URL, to which a button on the page links. It must have no credentials and use https, http in the
 * sandbox or (with `allowPrivateTargets`) for a private host, or an app scheme that the merchant has listed. Error:
 * `invalid_request`.
 */
export function parseRedirectUrl(
  text: string | null | undefined,
  path: string,
  options: { mode: Mode; redirectSchemes: string[]; allowPrivateTargets: boolean },
): string | null {
  if (text == null) return null;
  const url = parseUrl(text, path);
  // `https://shop.example@elsewhere.example` looks like a URL of the shop, but has another host.
  if (url.username !== '' || url.password !== '')
    throw invalidInputError(path, 'must not contain credentials');
  if (url.protocol === 'https:') return text;
  if (url.protocol === 'http:') {
    if (options.mode === 'sandbox' || (options.allowPrivateTargets && isPrivateHost(url.hostname)))
      return text;
  } else if (
    !forbiddenSchemes.has(url.protocol) &&
    options.redirectSchemes.includes(url.protocol.slice(0, -1))
  ) {
    return text;
  }
  throw invalidInputError(
    path,
    'must be an https URL, or begin with an app scheme from your settings (redirectSchemes)',
  );
}

function parseUrl(text: string, path: string): URL {
  checkText(text, path, urlLengthMax);
  if (!URL.canParse(text)) throw invalidInputError(path, 'must be an absolute URL');
  return new URL(text);
}
