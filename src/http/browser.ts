import type { IncomingHttpHeaders } from 'node:http';
import type { Mode } from '../../prisma/client/client.ts';
import type { Service } from '../domain/service.ts';
import { invalidInput } from '../kit/errors.ts';

/** The header with which the dashboard says whose objects it shows: `live` (when left out) or `sandbox`. */
export const modeHeader = 'causeway-mode';

/** A browser that shows the dashboard, and the session it brings, if any. */
export type Browser = { token: string | undefined; mode: Mode };

/**
 * What a browser brings when it asks from PUBLIC_URL's own origin; undefined for every other request, whose cookie does
 * not count. Browsers say the origin with each POST and each WebSocket, and let no page choose it. Error: 400 for an
 * unknown mode.
 */
export function readBrowser(
  service: Service,
  request: { headers: IncomingHttpHeaders; mode: unknown },
): Browser | undefined {
  const { headers, mode = 'live' } = request;
  const { publicUrl } = service.settings;
  if (headers.origin !== publicUrl) return undefined;
  if (mode !== 'live' && mode !== 'sandbox') throw invalidInput('/mode', 'must be live or sandbox');
  return { token: readSessionToken(service, headers), mode };
}

/** The cookie of the session, whatever page it comes from: only for what changes nothing. */
export function readSessionToken(service: Service, headers: IncomingHttpHeaders): string | undefined {
  const start = `${cookieName(service)}=`;
  const pair = (headers.cookie ?? '').split(/;\s*/).find((one) => one.startsWith(start));
  return pair?.slice(start.length) || undefined;
}

/** The Set-Cookie header that keeps a session's token until it expires; without one, that forgets it. */
export function sessionCookie(service: Service, session?: { token: string; expiresAt: Date }): string {
  const { token, expiresAt } = session ?? { token: '', expiresAt: new Date(0) };
  const rules = `Path=/; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=Lax`;
  return `${cookieName(service)}=${token}; ${rules}${isSecure(service) ? '; Secure' : ''}`;
}

/** With the prefix, no other host and no page over http can set it. */
function cookieName(service: Service): string {
  return isSecure(service) ? '__Host-causeway-session' : 'causeway-session';
}

function isSecure({ settings }: Service): boolean {
  return settings.publicUrl.startsWith('https:');
}
