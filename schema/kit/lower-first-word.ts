/** First words of labels that are names and therefore keep their capital letter. */
const names = /^(?:Australian|Bank-State-Branch|Hong|Singapore|Thai|Unique)\b/;

/** Returns a label for use within a sentence. Names and abbreviations such as `VietQR` and `API` stay as they are. */
export function lowerFirstWord(label: string): string {
  return names.test(label)
    ? label
    : label.replace(/^[A-Z](?:[a-z]+|-[a-z]+)\b/, (word) => word.toLowerCase());
}
