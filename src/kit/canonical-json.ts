/** JSON with the members of every object in the order of their names: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value));
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // A time or a decimal, which JSON tells as text.
  if ('toJSON' in value && typeof value.toJSON === 'function') return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name as keyof typeof value])]));
}
