import { BlockList, isIP } from 'node:net';

const prefixLengthsMax: Record<number, number> = { 4: 32, 6: 128 };

/** Returns whether a text is an IP address or a range in CIDR notation, such as 203.0.113.0/24. */
export function isIpRange(text: string): boolean {
  const [ipAddress = '', prefixLength, ...others] = text.split('/');
  const prefixLengthMax = prefixLengthsMax[isIP(ipAddress)];
  return (
    others.length === 0 &&
    prefixLengthMax !== undefined &&
    (prefixLength === undefined ||
      (/^\d{1,3}$/.test(prefixLength) && Number(prefixLength) <= prefixLengthMax))
  );
}

/** Creates a list of addresses and ranges that `isIpRange` accepts. */
export function createIpRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [ipAddress = '', prefixLength] = range.split('/');
    const version = isIP(ipAddress);
    list.addSubnet(
      ipAddress,
      Number(prefixLength ?? prefixLengthsMax[version]),
      version === 6 ? 'ipv6' : 'ipv4',
    );
  }
  return list;
}
