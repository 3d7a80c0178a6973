import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * Ranges of the IANA special-purpose registries, to which webhooks and bank feeds must not lead unless private targets
 * are allowed.
 */
const blockedRanges = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's host endpoint, which serves metadata to virtual machines, is in no registry.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  blockedRanges.addSubnet(network, prefix, 'ipv4');
}

/** Globally routed IPv6 addresses. All others are private, including IPv4-mapped, translated and NAT64 addresses. */
const publicRanges = new BlockList();
publicRanges.addSubnet('2000::', 3, 'ipv6');
/** Blocked ranges within 2000::/3: Teredo and other IETF protocols, documentation, 6to4. */
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  blockedRanges.addSubnet(network, prefix, 'ipv6');
}

/**
 * Returns false only for public addresses. IPv4-mapped, translated and 6to4 addresses are not public, because they may
 * lead to private ones, and neither are texts that are not IP addresses.
 */
export function isPrivateAddress(ipAddress: string): boolean {
  if (isIPv4(ipAddress)) return blockedRanges.check(ipAddress, 'ipv4');
  return (
    !isIPv6(ipAddress) || !publicRanges.check(ipAddress, 'ipv6') || blockedRanges.check(ipAddress, 'ipv6')
  );
}

/** Returns whether the host of a URL is a private address literal or localhost. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|[\].]$/g, '');
  if (isIP(host) !== 0) return isPrivateAddress(host);
  return host === 'localhost' || host.endsWith('.localhost');
}

/**
 * Returns whether a host is this machine. Only `localhost` and literal addresses match: a name such as
 * `127.mail.example` may resolve to any server.
 */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
