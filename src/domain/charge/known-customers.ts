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
export function customerName(customer: Owner & { email: string }): string {
  return sha256(`${customer.merchantId} ${customer.mode} ${customer.email}`);
}

/** The id of the customer; undefined where none has been noted. */
export function recallCustomer(name: string): string | undefined {
  return ids.get(name);
}

export function noteCustomer(name: string, id: string): void {
  ids.delete(name);
  ids.set(name, id);
  if (ids.size > idsMax) ids.delete(ids.keys().next().value as string);
}
