/** Returns a unique key. It does not use `randomUUID`, which browsers provide only over HTTPS. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
