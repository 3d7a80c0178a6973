import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Secrets } from '../../kit/secrets.ts';

/** A piece of a file as it is kept: compressed, then encrypted, since it holds what customers told. */
export function packChunk(secrets: Secrets, bytes: Buffer): string {
  return secrets.seal(deflateRawSync(bytes).toString('base64'));
}

export function unpackChunk(secrets: Secrets, sealed: string): Buffer {
  return inflateRawSync(Buffer.from(secrets.unseal(sealed), 'base64'));
}
