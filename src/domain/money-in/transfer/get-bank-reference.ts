import type { Transfer } from '../../../../prisma/client/client.ts';
import { reversalPrefix } from './record/draft-transfer.ts';

/** References that Causeway assigned: to lines without one, to transfers entered by hand, and to long ones. */
const ownReferencePattern = /^(?:line:|hand-|sha256:)/;

/**
 * Returns the bank's own reference of a transfer, or null if the bank gave none. The stored one has a prefix if
 * it is that of a reversal, or if a bank feed reported it, whose key then is the `fileKind`.
 */
export function getBankReference({
  source,
  fileKind,
  bankReference,
}: Pick<Transfer, 'source' | 'fileKind' | 'bankReference'>): string | null {
  const reference = removePrefix(bankReference, reversalPrefix);
  if (source === 'feed') return fileKind === null ? reference : removePrefix(reference, `${fileKind}:`);
  return ownReferencePattern.test(reference) ? null : reference;
}

const removePrefix = (text: string, prefix: string) =>
  text.startsWith(prefix) ? text.slice(prefix.length) : text;
