/** References that Causeway assigned to transfers without a reference of the bank. */
const ownReferencePattern = /^(?:reversal:)?(?:line:|hand-|sha256:)/;

/** What Causeway puts before the references of a bank feed: the key of the feed, and a mark of reversals. */
const feedPrefixPattern = /^(?:reversal:)?[^:]*:/;

/** Returns the bank's own reference of a transfer, or null if the bank gave none. */
export function formatBankReference({
  source,
  bankReference,
}: {
  source: string;
  bankReference: string;
}): string | null {
  if (source === 'feed') return bankReference.replace(feedPrefixPattern, '');
  return ownReferencePattern.test(bankReference) ? null : bankReference;
}
