import type { IncomingHttpHeaders } from 'node:http';
import type { Mode } from '../../prisma/client/client.ts';
import { createBrowserToken } from '../domain/accounts/user/trusted-browser.ts';
import type { Service } from '../domain/platform/service.ts';
import { dayMs } from '../kit/duration.ts';
import { invalidInput } from '../kit/errors.ts';

/** The header with which the dashboard says whose objects it shows: `live` (when left out) or `sandbox`. */
export const modeHeader = 'causeway-mode';

/**
 * The header with which a page of the dashboard says whom it shows, by their id, once it knows: another tab may have signed
 * somebody else in since, for whom what is done here is not meant.
 */
export const viewerHeader = 'causeway-viewer';

/** As long as browsers keep a cookie. */
const trustedDeviceMs = 400 * dayMs;

/** A browser that shows the dashboard, the session it brings, if any, by what it is known, and whom its page shows. */
export type Browser = {
  token: string | undefined;
  trustedDeviceToken?: string | undefined;
  mode: Mode;
  viewer?: string | undefined;
};

/**
 * What a browser brings when it asks from PUBLIC_URL's own origin; undefined for every other request, whose cookie does
 * not count. Browsers say the origin with each POST and each WebSocket, and let no page choose it. Error: 400 for an
 * unknown mode.
 */
export function readBrowser(
  service: Service,
  request: { headers: IncomingHttpHeaders; mode: unknown; viewer: unknown },
): Browser | undefined {
  const { headers, mode = 'live', viewer } = request;
  const { publicUrl } = service.settings;
  if (headers.origin !== publicUrl) return undefined;
  if (mode !== 'live' && mode !== 'sandbox') throw invalidInput('/mode', 'must be live or sandbox');
  const token = readSessionToken(service, headers);
  return {
    token,
    trustedDeviceToken: readCookie(headers, toCookieName(service, 'known')),
    mode,
    // Of another form it names nobody.
    ...(viewer !== undefined && { viewer: typeof viewer === 'string' ? viewer : '' }),
  };
}

/** The cookie of the session, whatever page it comes from: only for what changes nothing. */
export function readSessionToken(service: Service, headers: IncomingHttpHeaders): string | undefined {
  return readCookie(headers, toCookieName(service, 'session'));
}

function readCookie(headers: IncomingHttpHeaders, name: string): string | undefined {
  const start = `${name}=`;
  const pair = (headers.cookie ?? '').split(/;[ \t]*/).find((item) => item.startsWith(start));
  return pair?.slice(start.length) || undefined;
}

/** The Set-Cookie header that keeps a session's token until it expires; without one, that forgets it. */
export function serializeSessionCookie(
  service: Service,
  session?: { token: string; expiresAt: Date },
): string {
  const { token, expiresAt } = session ?? { token: '', expiresAt: new Date(0) };
  return serializeCookie(service, { name: 'session', value: token, expiresAt });
}

/** The Set-Cookie header by which a browser is known for an e-mail, beyond its session. */
export function serializeTrustedDeviceCookie(
  service: Service,
  { email, now }: { email: string; now: Date },
): string {
  const expiresAt = new Date(now.getTime() + trustedDeviceMs);
  return serializeCookie(service, {
    name: 'known',
    value: createBrowserToken(service.secrets, email),
    expiresAt,
  });
}

type CookieName = 'session' | 'known';

function serializeCookie(
  service: Service,
  options: { name: CookieName; value: string; expiresAt: Date },
): string {
  const { name, value, expiresAt } = options;
  const attributes = `Path=/; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=Lax`;
  return `${toCookieName(service, name)}=${value}; ${attributes}${isSecure(service) ? '; Secure' : ''}`;
}

/** With the prefix, no other host and no page over http can set it. */
function toCookieName(service: Service, name: CookieName): string {
  return `${isSecure(service) ? '__Host-' : ''}causeway-${name}`;
}

/** Whether browsers reach the service over https alone. */
export function isSecure({ settings }: Pick<Service, 'settings'>): boolean {
  return settings.publicUrl.startsWith('https:');
}
