/** JSON with the members of every object in the order of their names: equal values give equal texts. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value));
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // A time or a decimal, which JSON tells as text.
  if ('toJSON' in value && typeof value.toJSON === 'function') return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortKeys(value[name as keyof typeof value])]));
}
