import { promises as dns, type LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isPrivateAddress } from '../kit/private-address.ts';

/** Finds all addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

export type ResolveHostOptions = {
  /** Name servers; those of the system unless given. */
  servers?: string[];
  hostsFile?: string;
  /** Resolves what the name servers do not know, such as a name of the local network. */
  system?: ResolveHost;
  /** How long a name server may take, the first time of two. */
  queryMs?: number;
};

/** RFC 8305, section 3: how long the other address family is waited for. */
const otherFamilyWaitMs = 50;
const unknownHost = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME']);

/**
 * Resolves a name as the system does: by the hosts file, then by the name servers. It queries these directly, because
 * `getaddrinfo` holds a thread of the process for as long as a name server does not answer, and only two threads may
 * resolve names: two endpoints with dead name servers would delay all others.
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
      if (unknownHost.has((error as NodeJS.ErrnoException).code ?? '')) return system(hostname);
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
  throw errors.find(({ code }) => !unknownHost.has(code)) ?? errors[0];
}

export const privateAddressError = 'the address is a private or loopback address';

/**
 * A lookup for connections that returns only addresses that may be called, so that the address that was checked is the
 * one that is connected to, whatever the name resolves to a moment later.
 */
export function createGuardedLookup(
  resolve: ResolveHost,
  options: { allowPrivateTargets: boolean },
): LookupFunction {
  return (hostname, { all }, callback) => {
    const check = (addresses: LookupAddress[]) => {
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address, options));
      const [first] = allowed;
      if (!first) throw Object.assign(new Error(privateAddressError), { code: 'REFUSED_ADDRESS' });
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

/** Whether a host written as an address may not be called; such a host is connected to without a lookup. */
export function isBlockedAddress(hostname: string, options: { allowPrivateTargets: boolean }): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && !isAllowedAddress(address, options);
}

function isAllowedAddress(address: string, options: { allowPrivateTargets: boolean }): boolean {
  return options.allowPrivateTargets || !isPrivateAddress(address);
}
