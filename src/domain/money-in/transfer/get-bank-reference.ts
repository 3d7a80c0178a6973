import type { Transfer } from '../../../../prisma/client/client.ts';
import { reversalPrefix } from './record/draft-transfer.ts';

/** References that Causeway assigned: to lines without one, to manual transfers, and to long ones. */
const ownReferencePattern = /^(?:line:|hand-|sha256:)/;

/** The hash that makes the reference of another transfer with the same one unique (`id_reused`). */
const reusedSuffixPattern = /#[0-9a-f]{64}$/;

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
  const reference = removePrefix(bankReference, reversalPrefix).replace(reusedSuffixPattern, '');
  if (source === 'feed') return fileKind === null ? reference : removePrefix(reference, `${fileKind}:`);
  return ownReferencePattern.test(reference) ? null : reference;
}

const removePrefix = (text: string, prefix: string) =>
  text.startsWith(prefix) ? text.slice(prefix.length) : text;
