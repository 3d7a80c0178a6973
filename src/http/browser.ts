import type { IncomingHttpHeaders } from 'node:http';
import type { Mode } from '../../prisma/client/client.ts';
import { createTrustedBrowserToken } from '../domain/accounts/user/trusted-browser.ts';
import type { Service } from '../domain/platform/service.ts';
import { dayMs } from '../kit/duration.ts';
import { invalidInputError } from '../kit/errors.ts';

/** The header with which the dashboard selects the mode: `live` (the default) or `sandbox`. */
export const modeHeader = 'causeway-mode';

/**
 * The header with the ID of the user whose data a page of the dashboard shows. If another user has signed in since,
 * in another tab, the page's requests must not run as that user.
 */
export const viewerHeader = 'causeway-viewer';

/** The longest time that browsers keep a cookie. */
const trustedBrowserMs = 400 * dayMs;

/** The credentials of a browser on a dashboard page. */
export type Browser = {
  /** The token of the user's session. */
  token: string | undefined;
  trustedBrowserToken?: string | undefined;
  mode: Mode;
  /** The ID of the user whose data the page shows. */
  viewer?: string | undefined;
};

/**
 * Reads the browser's credentials if the request comes from the origin of PUBLIC_URL. Returns undefined for
 * other requests, whose cookies are ignored to prevent CSRF. Browsers send the origin with each POST and WebSocket,
 * and pages cannot change it.
 */
export function readBrowser(
  service: Service,
  request: { headers: IncomingHttpHeaders; mode: unknown; viewer: unknown },
): Browser | undefined {
  const { headers, mode = 'live', viewer } = request;
  const { publicUrl } = service.settings;
  if (headers.origin !== publicUrl) return undefined;
  if (mode !== 'live' && mode !== 'sandbox') throw invalidInputError('/mode', 'must be live or sandbox');
  const token = readSessionToken(service, headers);
  return {
    token,
    trustedBrowserToken: readCookie(headers, toCookieName(service, 'trusted')),
    mode,
    // An invalid value matches no user.
    ...(viewer !== undefined && { viewer: typeof viewer === 'string' ? viewer : '' }),
  };
}

/** Returns the session cookie without checking the origin; use only for requests that change nothing. */
export function readSessionToken(service: Service, headers: IncomingHttpHeaders): string | undefined {
  return readCookie(headers, toCookieName(service, 'session'));
}

function readCookie(headers: IncomingHttpHeaders, name: string): string | undefined {
  const prefix = `${name}=`;
  const pair = (headers.cookie ?? '').split(/;[ \t]*/).find((item) => item.startsWith(prefix));
  return pair?.slice(prefix.length) || undefined;
}

/** Returns the Set-Cookie header of a session until it expires; without a session, a header that deletes the cookie. */
export function serializeSessionCookie(
  service: Service,
  session?: { token: string; expiresAt: Date },
): string {
  const { token, expiresAt } = session ?? { token: '', expiresAt: new Date(0) };
  return serializeCookie(service, { name: 'session', value: token, expiresAt });
}

/** Returns the Set-Cookie header that marks a browser as trusted for an email address, even after the session ends. */
export function serializeTrustedBrowserCookie(
  service: Service,
  { email, now }: { email: string; now: Date },
): string {
  const expiresAt = new Date(now.getTime() + trustedBrowserMs);
  return serializeCookie(service, {
    name: 'trusted',
    value: createTrustedBrowserToken(service.secrets, email),
    expiresAt,
  });
}

type CookieName = 'session' | 'trusted';

function serializeCookie(
  service: Service,
  options: { name: CookieName; value: string; expiresAt: Date },
): string {
  const { name, value, expiresAt } = options;
  const attributes = `Path=/; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=Lax`;
  return `${toCookieName(service, name)}=${value}; ${attributes}${isSecure(service) ? '; Secure' : ''}`;
}

/** The prefix `__Host-` prevents other hosts and http pages from setting the cookie. */
function toCookieName(service: Service, name: CookieName): string {
  return `${isSecure(service) ? '__Host-' : ''}causeway-${name}`;
}

/** Returns whether browsers reach the service only over https. */
export function isSecure({ settings }: Pick<Service, 'settings'>): boolean {
  return settings.publicUrl.startsWith('https:');
}
