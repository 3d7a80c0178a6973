/**
 * What banks write where they have nothing to say. `NOTPROVIDED` is the SEPA rule books' word, `NONREF` SWIFT's;
 * a row of zeros or dashes says the same.
 */
const placeholder = /^(NOT ?PROVIDED|NON ?REF|NOREF|NOT ?AVAILABLE|N\/A|NONE|UNKNOWN|[0\-./ ]+)$/i;

/** An identifier or name the file gives, or undefined where it gives a placeholder. */
export function withoutPlaceholder(text: string | undefined): string | undefined {
  return text === undefined || text === '' || placeholder.test(text) ? undefined : text;
}

/** Line breaks and tabs, with the space around them, as one space each. */
export function unwrapLines(text: string): string {
  return text.replace(/\s+/g, (space) => (/[\n\t]/.test(space) ? ' ' : space));
}

/** Texts in their order joined by a space; undefined when there are none. */
export function joinTexts(texts: Iterable<string | undefined>): string | undefined {
  const joined = [...texts].filter((text) => text !== undefined && text !== '').join(' ');
  return joined === '' ? undefined : joined;
}

/** The members that have a value: an entry leaves out what the file does not give. */
export function withoutUndefined<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  const result: Partial<T> = {};
  for (const name in members) if (members[name] !== undefined) result[name] = members[name];
  return result as T;
}
