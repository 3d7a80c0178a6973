/** References that Causeway assigned to transfers without a reference of the bank. */
const ownReferencePattern = /^(?:reversal:)?(?:line:|hand-|sha256:)/;

/** Returns the bank's reference of a transfer, or null if the bank gave none. */
export function formatBankReference(bankReference: string): string | null {
  return ownReferencePattern.test(bankReference) ? null : bankReference;
}
