/** Returns a label for use within a sentence. Names and abbreviations such as `VietQR` and `API` stay as they are. */
export function lowerFirstWord(label: string): string {
  return label.replace(/^[A-Z][a-z]+\b/, (word) => word.toLowerCase());
}
