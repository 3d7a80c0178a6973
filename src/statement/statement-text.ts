/**
 * Placeholders for missing values: `NOTPROVIDED` in the SEPA rulebooks, `NONREF` in SWIFT, or only zeros or
 * dashes.
 */
const placeholder = /^(NOT ?PROVIDED|NON ?REF|NOREF|NOT ?AVAILABLE|N\/A|NONE|UNKNOWN|[0\-./ ]+)$/i;

/** Returns an identifier or name, or undefined for a placeholder. */
export function withoutPlaceholder(text: string | undefined): string | undefined {
  return text === undefined || text === '' || placeholder.test(text) ? undefined : text;
}

/** Replaces line breaks and tabs, with the surrounding space, by one space. */
export function unwrapLines(text: string): string {
  return text.replace(/\s+/g, (space) => (/[\n\t]/.test(space) ? ' ' : space));
}

/** Joins texts with spaces. Returns undefined if there are none. */
export function joinTexts(texts: Iterable<string | undefined>): string | undefined {
  const joined = [...texts].filter((text) => text !== undefined && text !== '').join(' ');
  return joined === '' ? undefined : joined;
}

/** Returns the distinct texts that none of the given texts contains, or undefined if there are none. */
export function selectOtherTexts(
  texts: Iterable<string | undefined>,
  containing: (string | undefined)[],
): string[] | undefined {
  const others = new Set<string>();
  for (const text of texts)
    if (text && !containing.some((container) => container?.includes(text))) others.add(text);
  return others.size > 0 ? [...others] : undefined;
}

/** Returns an object with only the properties that have a value. */
export function withoutUndefined<T extends object>(properties: { [K in keyof T]: T[K] | undefined }): T {
  const result: Partial<T> = {};
  for (const name in properties) if (properties[name] !== undefined) result[name] = properties[name];
  return result as T;
}
