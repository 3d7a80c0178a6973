import type { Owner } from '../../kit/owner.ts';
import { sha256 } from '../../kit/secrets.ts';

/**
 * Which customers this process has made charges for, so that createAtOnce guesses right: a guess only, that the statement
 * which writes holds against the database. The e-mail itself is not kept.
 */
const ids = new Map<string, string>();
/** Beyond this many those noted first are forgotten. */
const idsMax = 20_000;

/** By what a customer is known here. */
export function customerKey(customer: Owner & { email: string }): string {
  return sha256(`${customer.merchantId} ${customer.mode} ${customer.email}`);
}

/** The id of the customer; undefined where none has been noted. */
export function recallCustomer(key: string): string | undefined {
  return ids.get(key);
}

export function noteCustomer(key: string, id: string): void {
  ids.delete(key);
  ids.set(key, id);
  if (ids.size > idsMax) ids.delete(ids.keys().next().value as string);
}
