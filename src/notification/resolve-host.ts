import { type LookupAddress, lookup, promises } from 'node:dns';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** All addresses of a name. */
export type Resolve = (
  hostname: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export type ResolveOptions = {
  /** Name servers; those of the system unless said otherwise. */
  servers?: string[];
  /** The names that stand written down on this machine. */
  hostsFile?: string;
  /** How the system resolves a name, on one of the process's threads. */
  system?: Resolve;
  /** How long a name server may take, the first time of two. */
  queryMs?: number;
};

const queryMsPreset = 3_000;
/** What the system has to say of name servers and hosts is read again after this time. */
const settingsMs = 30_000;
/** The other kind of address is waited for so long when there is one of the first (RFC 8305, 3). */
const otherKindMs = 50;
/** So many names are left to the system at a time, half of what threads there are; and so many may wait for that. */
const systemMax = 2;
const waitingMax = 100;

/** The name servers do not know the name, or there are none. */
const unknown = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME']);

/**
 * Resolves as the system does: the hosts file, then the name servers. But it asks these itself: to leave that to the
 * system holds one of the process's four threads, which sign, encrypt and read files too, and a merchant's name servers
 * that do not answer would soon hold all. What they do not know is left to the system, which may complete the name, or
 * know other ways; few at a time.
 */
export function createResolve(options: ResolveOptions = {}): Resolve {
  const system = limited(options.system ?? systemResolve);
  const settings = keptSettings(options);
  return (hostname, callback) => {
    const { resolver, hosts } = settings();
    const written = hosts.get(hostname.toLowerCase());
    if (written) return callback(null, written);
    askServers(resolver, hostname).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) => {
        if (unknown.has(error.code ?? '')) system(hostname, callback);
        else callback(failure(`The name servers failed: ${error.code}`), []);
      },
    );
  };
}

const systemResolve: Resolve = (hostname, callback) => lookup(hostname, { all: true }, callback);

type Settings = { resolver: promises.Resolver; hosts: Map<string, LookupAddress[]> };

function keptSettings({ servers, hostsFile = '/etc/hosts', queryMs = queryMsPreset }: ResolveOptions) {
  let kept: (Settings & { until: number }) | undefined;
  return (): Settings => {
    const now = performance.now();
    if (kept && now < kept.until) return kept;
    const resolver = new promises.Resolver({ timeout: queryMs, tries: 2 });
    if (servers) resolver.setServers(servers);
    kept = { resolver, hosts: readHosts(hostsFile), until: now + settingsMs };
    return kept;
  };
}

/** As hosts(5) says; none where there is no such file. */
function readHosts(file: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of readLines(file)) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (!address) continue;
    for (const name of names.map((name) => name.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family: address.includes(':') ? 6 : 4 }]);
    }
  }
  return hosts;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function askServers(resolver: promises.Resolver, hostname: string): Promise<LookupAddress[]> {
  const found = new Map<number, LookupAddress[]>();
  const ask = async (family: number, asked: Promise<string[]>) => {
    const addresses = await asked;
    found.set(
      family,
      addresses.map((address) => ({ address, family })),
    );
  };
  const asked = [ask(4, resolver.resolve4(hostname)), ask(6, resolver.resolve6(hostname))];
  const all = Promise.allSettled(asked);
  const soon = Promise.any(asked).then(
    () => delay(otherKindMs),
    () => {},
  );
  await Promise.race([all, soon]);
  const addresses = [...(found.get(4) ?? []), ...(found.get(6) ?? [])];
  if (addresses.length > 0) return addresses;
  const reasons = (await all).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  throw reasons.find(({ code }) => !unknown.has(code)) ?? reasons[0];
}

function limited(resolve: Resolve): Resolve {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const next = (): void => {
    underWay--;
    waiting.shift()?.();
  };
  return (hostname, callback) => {
    const begin = (): void => {
      underWay++;
      resolve(hostname, (error, addresses) => {
        next();
        callback(error, addresses);
      });
    };
    if (underWay < systemMax) begin();
    else if (waiting.length < waitingMax) waiting.push(begin);
    else callback(failure('Too many names wait to be resolved'), []);
  };
}

function failure(message: string): Error {
  return Object.assign(new Error(message), { code: 'EAI_AGAIN' });
}
