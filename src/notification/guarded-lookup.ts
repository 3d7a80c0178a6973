import { promises as dns, type LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isPrivateAddress } from '../kit/private-address.ts';

/** Resolves all addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

export type ResolveHostOptions = {
  /** The name servers; defaults to those of the system. */
  servers?: string[];
  hostsFile?: string;
  /** Resolves names that the name servers do not know, such as names of the local network. */
  system?: ResolveHost;
  /** The time limit of the first query to a name server; default 3 s. A second query follows. */
  queryMs?: number;
};

/** How long to wait for the other address family (RFC 8305, section 3). */
const otherFamilyWaitMs = 50;
const unknownHostCodes = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME']);

/**
 * Creates a resolver that reads the hosts file and then queries the name servers, like the system's resolver.
 * Avoids `getaddrinfo`, which blocks one of two resolver threads while a name server does not respond. Two
 * endpoints with unresponsive name servers would delay all others.
 */
export function createHostResolver(options: ResolveHostOptions = {}): ResolveHost {
  const { servers, hostsFile = '/etc/hosts', queryMs = 3_000 } = options;
  const { system = (hostname) => dns.lookup(hostname, { all: true }) } = options;
  return async (hostname) => {
    const hostsFileAddresses = readHosts(hostsFile, hostname.toLowerCase());
    if (hostsFileAddresses.length > 0) return hostsFileAddresses;
    const resolver = new dns.Resolver({ timeout: queryMs, tries: 2 });
    if (servers) resolver.setServers(servers);
    try {
      return await queryServers(resolver, hostname);
    } catch (error) {
      if (unknownHostCodes.has((error as NodeJS.ErrnoException).code ?? '')) return system(hostname);
      throw error;
    }
  };
}

function readHosts(file: string, hostname: string): LookupAddress[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/))
      .filter(([, ...names]) => names.includes(hostname))
      .map(([address = '']) => ({ address, family: isIP(address) }));
  } catch {
    return [];
  }
}

async function queryServers(resolver: dns.Resolver, hostname: string): Promise<LookupAddress[]> {
  const addresses: LookupAddress[] = [];
  const query = async (family: 4 | 6, records: Promise<string[]>) => {
    for (const address of await records) addresses.push({ address, family });
  };
  const queries = [query(4, resolver.resolve4(hostname)), query(6, resolver.resolve6(hostname))];
  const all = Promise.allSettled(queries);
  const first = Promise.any(queries).then(() => delay(otherFamilyWaitMs));
  await Promise.race([all, first.catch(() => all)]);
  if (addresses.length > 0) return addresses.toSorted((a, b) => a.family - b.family);
  const errors = (await all).flatMap((query) => (query.status === 'rejected' ? [query.reason] : []));
  throw errors.find(({ code }) => !unknownHostCodes.has(code)) ?? errors[0];
}

export const privateAddressError = 'the address is a private or loopback address';

/**
 * Creates a lookup for connections that returns only allowed addresses. The checked address is the one that
 * is connected to, even if the name resolves differently a moment later.
 */
export function createGuardedLookup(
  resolve: ResolveHost,
  options: { allowPrivateTargets: boolean },
): LookupFunction {
  return (hostname, { all }, callback) => {
    const check = (addresses: LookupAddress[]) => {
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address, options));
      const [first] = allowed;
      if (!first) throw Object.assign(new Error(privateAddressError), { code: 'ADDRESS_NOT_ALLOWED' });
      return { allowed, first };
    };
    resolve(hostname)
      .then(check)
      .then(
        ({ allowed, first }) => (all ? callback(null, allowed) : callback(null, first.address, first.family)),
        (error) => callback(error, []),
      );
  };
}

/** Returns whether the host is a blocked address literal. Literals are connected to without a lookup. */
export function isBlockedAddress(hostname: string, options: { allowPrivateTargets: boolean }): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && !isAllowedAddress(address, options);
}

function isAllowedAddress(address: string, options: { allowPrivateTargets: boolean }): boolean {
  return options.allowPrivateTargets || !isPrivateAddress(address);
}
