/** The accepted values of `target_session_attrs`; the other values allow a server that rejects writes. */
const primarySessionAttrs = ['read-write', 'primary'];

/**
 * Splits a URL that lists several hosts, such as `postgresql://user@a:5432,b:5432/causeway`, into one URL for
 * each. libpq accepts such URLs, but node-postgres does not.
 */
export function splitHosts(url: string): string[] {
  const [, scheme = '', authority = '', rest = ''] = /^([a-z]+:\/\/)([^/?#]*)(.*)$/is.exec(url) ?? [];
  const hostsStart = authority.lastIndexOf('@') + 1;
  const userInfo = authority.slice(0, hostsStart);
  const hosts = authority.slice(hostsStart).split(',');
  return hosts.length === 1 ? [url] : hosts.map((host) => `${scheme}${userInfo}${host}${rest}`);
}

/** Returns the hosts of a URL, with the ports that it specifies, for messages. */
export function formatHosts(url: string): string {
  return splitHosts(url)
    .map((host) => new URL(host))
    .map(({ host, searchParams }) => host || searchParams.get('host') || 'the default address')
    .join(', ');
}

/** Returns whether the URL has `target_session_attrs`, whose accepted values all require the primary. */
export function requiresPrimary(url: string): boolean {
  return /[?&]target_session_attrs=/.test(url);
}

/** Returns whether each new connection must be checked to lead to the primary. */
export function requiresPrimaryCheck(url: string): boolean {
  return splitHosts(url).length > 1 || requiresPrimary(url);
}

/** Returns whether the text is a PostgreSQL URL that Causeway supports, with one host or several. */
export function isDatabaseUrl(text: string): boolean {
  return splitHosts(text).every((host, _, all) => {
    if (!URL.canParse(host)) return false;
    const { protocol, hostname, searchParams } = new URL(host);
    const session = searchParams.get('target_session_attrs');
    return (
      ['postgres:', 'postgresql:'].includes(protocol) &&
      (all.length === 1 || (hostname !== '' && !searchParams.has('host') && !searchParams.has('port'))) &&
      (session === null || primarySessionAttrs.includes(session))
    );
  });
}
