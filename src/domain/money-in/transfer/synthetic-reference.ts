/** The beginning of the references of lines that have none from the bank. */
export const syntheticPrefix = 'line:';

export function isSynthetic(bankReference: string): boolean {
  return bankReference.startsWith(syntheticPrefix);
}
