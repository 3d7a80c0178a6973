import { CausewayError } from './error.ts';

/** The body exactly as it arrived. A parsed body cannot be verified. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Headers of the Fetch API, or an object as in Node. The case of the names is ignored. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>;

export type ReceivedNotification = { body: RawBody; headers: RequestHeaders };

export function decodeBody(body: RawBody): string {
  if (typeof body === 'string') return body;
  if (!(body instanceof Uint8Array || body instanceof ArrayBuffer))
    throw new TypeError('The body must be the text or the bytes as they arrived, before a JSON parser');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (error) {
    throw createVerificationError('The body is not UTF-8', error);
  }
}

export function readHeader(headers: RequestHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}

export function createVerificationError(message: string, cause?: unknown): CausewayError {
  return new CausewayError('verification_failed', message, { status: 401, cause });
}

export function parseVerified<Event>(text: string): Event {
  try {
    return JSON.parse(text) as Event;
  } catch (error) {
    throw createVerificationError('The body is not JSON', error);
  }
}
