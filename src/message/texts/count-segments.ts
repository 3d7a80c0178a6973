/** Characters of GSM 03.38 that count once. An SMS with any other character is sent in UCS-2, with shorter segments. */
const gsmText = /^[\w\s@!"#%&'()*+,\-./:;<=>?]*$/;

/** Returns the number of segments of an SMS, each of which is charged like a message. */
export function countSegments(text: string): number {
  const [single, joined] = gsmText.test(text) ? [160, 153] : [70, 67];
  return text.length <= single ? 1 : Math.ceil(text.length / joined);
}
