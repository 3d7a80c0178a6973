import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the network to which limits per IP address apply: the IPv4 address, or the /64 network of an IPv6 address. A
 * /64 is the smallest network that providers assign to a customer. IPv4-mapped IPv6 addresses (`::ffff:192.0.2.1`)
 * count as IPv4, and ports are ignored. All other texts belong to one network named `unknown`, because a client could
 * otherwise invent a new text for each request.
 */
export function getClientNetwork(ipAddress: string): string {
  return listClientNetworks(ipAddress)[0];
}

/**
 * Returns the client network and, for IPv6, the /56 and /48 networks around it. Some providers assign a /48
 * to one customer, who could then send requests from thousands of /64 networks.
 */
export function listClientNetworks(rawAddress: string): [string, ...string[]] {
  const ipAddress = stripPort(rawAddress);
  if (isIPv4(ipAddress)) return [ipAddress];
  if (!isIPv6(ipAddress)) return ['unknown'];
  const groups = splitGroups(ipAddress);
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return [toIPv4(groups.slice(6))];
  const site = groups.slice(0, 3).join(':');
  const subnet = Number.parseInt(groups[3] ?? '0', 16);
  return [`${site}:${groups[3]}::/64`, `${site}:${(subnet & 0xff_00).toString(16)}::/56`, `${site}::/48`];
}

/** Removes the client's port, which some proxies write into X-Forwarded-For. */
function stripPort(ipAddress: string): string {
  const [, bracketed, dotted] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(ipAddress) ?? [];
  return bracketed ?? dotted ?? ipAddress;
}

/** Returns the IPv4 address in the last two groups of an IPv6 address. */
function toIPv4(groups: string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** Returns the eight groups of an IPv6 address. Expands `::` and ignores the zone. */
function splitGroups(ipAddress: string): string[] {
  // The URL parser normalizes addresses: lower case, no leading zeros, no embedded IPv4.
  const canonical = new URL(`http://[${ipAddress.split('%')[0]}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const headGroups = head === '' ? [] : head.split(':');
  if (tail === undefined) return headGroups;
  const tailGroups = tail === '' ? [] : tail.split(':');
  return [
    ...headGroups,
    ...Array<string>(8 - headGroups.length - tailGroups.length).fill('0'),
    ...tailGroups,
  ];
}
