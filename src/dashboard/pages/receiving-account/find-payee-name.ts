const payeeNameTag = '59';

/** Returns the name of the payee in the text of an EMV QR code, which consists of tags, lengths and values. */
export function findPayeeName(code: string): string | undefined {
  let position = 0;
  while (position + 4 <= code.length) {
    const tag = code.slice(position, position + 2);
    const length = Number(code.slice(position + 2, position + 4));
    if (!Number.isInteger(length)) return undefined;
    const value = code.slice(position + 4, position + 4 + length);
    if (tag === payeeNameTag) return value.trim() || undefined;
    position += 4 + length;
  }
  return undefined;
}
