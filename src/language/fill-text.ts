const placeholder = /\{(\w+)\}/;

/** Splits a text at its `{placeholders}`: texts have even indexes, and names of placeholders odd ones. */
export function splitPlaceholders(text: string): string[] {
  return text.split(placeholder);
}

/** Fills the `{placeholders}` of a text. Throws if a value is missing, which is a bug of the caller. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return splitPlaceholders(text)
    .map((part, i) => (i % 2 === 0 ? part : String(requireValue(values, part))))
    .join('');
}

export function requireValue<T>(values: Readonly<Record<string, T>>, name: string): T {
  const value = values[name];
  if (value === undefined) throw new Error(`the string has no value for {${name}}`);
  return value;
}
