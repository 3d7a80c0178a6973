/** The interface recommends Base64 for the merchant's own reference, so the Base64 of readable text is decoded. */
export function formatOwnReference(notifyPayload: string): string {
  try {
    const bytes = Uint8Array.from(atob(notifyPayload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const isReadable = text !== '' && !/[\p{Cc}\p{Cn}\p{Co}]/u.test(text);
    // Padding distinguishes Base64 from a reference whose letters only happen to be valid Base64.
    return isReadable && (notifyPayload.endsWith('=') || notifyPayload.length >= minLength)
      ? text
      : notifyPayload;
  } catch {
    return notifyPayload;
  }
}

/** Shorter texts without padding are too often valid Base64 by chance. */
const minLength = 12;
