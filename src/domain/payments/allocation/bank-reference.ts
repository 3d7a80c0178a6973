import type { Transfer } from '../../../../prisma/client/client.ts';
import { sha256 } from '../../../kit/secrets.ts';

/** The beginning of the stored references of reversals. */
export const reversalPrefix = 'reversal:';

/** References that Causeway assigned: to lines without one, to manual transfers, and to long ones. */
const ownReferencePattern = /^(?:line:|hand-|sha256:)/;

/** The hashes of `toReusedReference`. A reference of a bank may end with `#2`, but never with a hash. */
const reusedSuffixPattern = /(?:#[0-9a-f]{64})+$/;

/** Returns the stored reference of another transfer with the same one (`id_reused`), as its content identifies it. */
export function toReusedReference(bankReference: string, content: string): string {
  return `${bankReference}#${sha256(content)}`;
}

/**
 * Returns the bank's own reference of a transfer, or null if the bank gave none. The stored
 * reference of a reversal has a prefix, and that of a transfer from a bank feed has the feed's key (`fileKind`).
 * A reused reference has a suffix.
 */
export function getBankReference({
  source,
  fileKind,
  bankReference,
}: Pick<Transfer, 'source' | 'fileKind' | 'bankReference'>): string | null {
  const reference = bankReference.replace(reusedSuffixPattern, '');
  // `POST /transfers` stores the ID that it is given, and has no reversals.
  if (source === 'feed' && fileKind === null) return reference;
  const unprefixed = removePrefix(reference, reversalPrefix);
  if (source === 'feed') return removePrefix(unprefixed, `${fileKind}:`);
  return ownReferencePattern.test(unprefixed) ? null : unprefixed;
}

const removePrefix = (text: string, prefix: string) =>
  text.startsWith(prefix) ? text.slice(prefix.length) : text;
