/**
 * The pattern of an amount: digits with a decimal comma (SWIFT `15d`). Some banks write a point, omit the zero before
 * the comma, or pad with more zeros.
 */
export const mt940Amount = String.raw`\d{1,20}(?:[.,]\d{0,15})?|[.,]\d{1,15}`;

export function toDecimalPoint(amount: string): string {
  return amount.replace(',', '.');
}
