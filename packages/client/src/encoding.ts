/** Encodes bytes, or text as UTF-8, in base64. */
export function toBase64(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Decodes base64. Throws a DOMException if the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Compares two texts in a time that does not depend on where they differ. */
export async function isEqualConstantTime(a: string, b: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [hashA, hashB] = await Promise.all(
    [a, b].map(async (text) => new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))),
  );
  return hashA!.reduce((difference, byte, i) => difference | (byte ^ hashB![i]!), 0) === 0;
}

/** Returns 32 random hexadecimal digits. `crypto.randomUUID` is missing from pages without HTTPS. */
export function createRandomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
