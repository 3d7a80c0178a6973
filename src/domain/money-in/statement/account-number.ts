/**
 * A number with at least this many characters matches a longer number that ends with it, because banks and people
 * may write the bank and branch before the number, or omit them.
 */
const commonDigitsMin = 6;
const visibleDigitsMin = 3;
/** No account number is this long, so longer texts are not searched for the parts of a masked number. */
const lengthMax = 100;

/**
 * Returns whether two texts may be the same account number, such as an IBAN and the number at its end. Of a masked
 * number such as `****1234`, the visible digits are compared.
 */
export function isSameAccountNumber(one: string, other: string): boolean {
  if (one.length > lengthMax || other.length > lengthMax) return one === other;
  const [short, long] = [fold(one), fold(other)].toSorted((a, b) => a.length - b.length) as [string, string];
  if (short.includes('?') || long.includes('?')) return isSameMasked(short, long);
  return short === long || (short.length >= commonDigitsMin && long.endsWith(short));
}

/** Removes separators and leading zeros, and writes each masked digit as `?`. */
function fold(account: string): string {
  const text = account
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[*•●#]/g, '?');
  return (/\?|XX/.test(text) ? text.replaceAll('X', '?') : text)
    .replace(/[^A-Z0-9?]/g, '')
    .replace(/^0+/, '');
}

function isSameMasked(short: string, long: string): boolean {
  if ([short, long].some((text) => text.replaceAll('?', '').length < visibleDigitsMin)) return false;
  if (short.length === long.length) {
    return [...short].every((digit, at) => digit === long[at] || digit === '?' || long[at] === '?');
  }
  const [masked, full] = short.includes('?') ? [short, long] : [long, short];
  if (!full.includes('?')) return isSameExceptMask(masked, full);
  // Of two masked numbers of different lengths, only the ends can be compared.
  const [end, otherEnd] = [short, long].map((text) => text.slice(text.lastIndexOf('?') + 1)) as [
    string,
    string,
  ];
  return end.endsWith(otherEnd) || otherEnd.endsWith(end);
}

/**
 * Returns whether a full number has the visible parts of a masked one in the same order. The mask in the
 * middle may have any length, but a masked end has one character for each digit.
 */
function isSameExceptMask(masked: string, full: string): boolean {
  let visibleEnd = masked.length;
  while (masked[visibleEnd - 1] === '?') visibleEnd -= 1;
  const parts = masked.slice(0, visibleEnd).split(/\?+/);
  const last = parts.pop() ?? '';
  const end = full.length - (masked.length - visibleEnd);
  if (!full.slice(0, Math.max(0, end)).endsWith(last)) return false;
  let from = 0;
  for (const part of parts) {
    const at = full.slice(0, end - last.length).indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}
