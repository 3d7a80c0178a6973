import { isIPv4, isIPv6 } from 'node:net';

/**
 * The unit of limits by address: an IPv4 address, or the /64 network of an IPv6 address, which is the least a provider
 * gives a customer. An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) is that IPv4 address, and ports are ignored.
 * All other texts are one network, because a client could otherwise invent a new one for each request.
 */
export function clientNetwork(address: string): string {
  return clientNetworks(address)[0];
}

/**
 * That network, and for IPv6 the /56 and the /48 around it: some providers give one customer that much, who can then
 * send requests from thousands of /64 networks.
 */
export function clientNetworks(rawAddress: string): [string, ...string[]] {
  const address = stripPort(rawAddress);
  if (isIPv4(address)) return [address];
  if (!isIPv6(address)) return ['unknown'];
  const groups = splitGroups(address);
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return [toIPv4(groups.slice(6))];
  const site = groups.slice(0, 3).join(':');
  const subnet = Number.parseInt(groups[3] ?? '0', 16);
  return [`${site}:${groups[3]}::/64`, `${site}:${(subnet & 0xff_00).toString(16)}::/56`, `${site}::/48`];
}

/** Some proxies write the port of the client's connection into X-Forwarded-For. */
function stripPort(address: string): string {
  const [, bracketed, dotted] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  return bracketed ?? dotted ?? address;
}

/** The address that the last two groups of an IPv6 address hold. */
function toIPv4(groups: string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The eight groups of an IPv6 address, without its zone and with `::` written out. */
function splitGroups(address: string): string[] {
  // The URL parser writes every address in one form: lower case, no leading zeros, no embedded IPv4.
  const canonical = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  if (tail === undefined) return before;
  const after = tail === '' ? [] : tail.split(':');
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}
