import type { Mode } from '../../../prisma/client/client.ts';
import { sha256 } from '../../kit/secrets.ts';

/**
 * Which customers this process has made charges for, so that createAtOnce guesses right: a guess only, that the statement
 * which writes holds against the database. The e-mail itself is not kept.
 */
const ids = new Map<string, string>();
/** Beyond this many those noted first are forgotten. */
const idsMax = 20_000;

type Key = { merchantId: string; mode: Mode; email: string };

/** The id of the customer; undefined where none has been noted. */
export function recallCustomer(key: Key): string | undefined {
  return ids.get(nameOf(key));
}

export function noteCustomer(key: Key, id: string): void {
  const name = nameOf(key);
  ids.delete(name);
  ids.set(name, id);
  if (ids.size > idsMax) ids.delete(ids.keys().next().value as string);
}

function nameOf({ merchantId, mode, email }: Key): string {
  return sha256(`${merchantId} ${mode} ${email}`);
}
