import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateAddress } from '../kit/private-address.ts';
import { createResolve, type Resolve } from './resolve-host.ts';

export const refusedAddress = 'the address is private or loopback';

/** The target is a private or loopback address, and those are not allowed. */
class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  readonly code = 'REFUSED_ADDRESS';

  constructor() {
    super(refusedAddress);
  }
}

/**
 * Resolves names for connections and hands out only addresses that may be called, so that what is checked is what is
 * connected to, whatever the name resolves to a moment later. A name that is asked for again while it is being resolved
 * waits for that answer.
 */
export function guardedLookup(options: {
  allowPrivateTargets: boolean;
  resolve?: Resolve | undefined;
}): LookupFunction {
  const { resolve = createResolve() } = options;
  const underWay = new Map<string, ((error: Error | null, addresses: LookupAddress[]) => void)[]>();

  const resolveOnce = (hostname: string, callback: (error: Error | null, found: LookupAddress[]) => void) => {
    const waiting = underWay.get(hostname);
    if (waiting) {
      waiting.push(callback);
      return;
    }
    const callbacks = [callback];
    underWay.set(hostname, callbacks);
    resolve(hostname, (error, addresses) => {
      underWay.delete(hostname);
      for (const call of callbacks) call(error, addresses);
    });
  };

  return (hostname, { all }, callback) => {
    resolveOnce(hostname, (error, addresses) => {
      if (error) return callback(error, []);
      const allowed = addresses.filter(({ address }) => mayCall(address, options));
      const [first] = allowed;
      if (!first) return callback(new RefusedAddressError(), []);
      if (all) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };
}

/** Whether a host written as an address may not be called; such a host is connected to without a lookup. */
export function isRefusedAddress(hostname: string, options: { allowPrivateTargets: boolean }): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && !mayCall(address, options);
}

function mayCall(address: string, options: { allowPrivateTargets: boolean }): boolean {
  return options.allowPrivateTargets || !isPrivateAddress(address);
}
