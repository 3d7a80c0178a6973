/** Returns JSON with object keys sorted, so that equal values serialize to equal texts. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value));
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // Dates and decimals convert themselves to strings.
  if ('toJSON' in value && typeof value.toJSON === 'function') return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortKeys(value[name as keyof typeof value])]));
}
