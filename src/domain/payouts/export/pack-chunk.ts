import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ExportChunk } from '../../../../prisma/client/client.ts';
import type { Secrets } from '../../../kit/secrets.ts';

type ChunkKey = Pick<ExportChunk, 'exportId' | 'position'>;

/** Compresses and encrypts a chunk for storage, because it contains customer data. */
export function packChunk(secrets: Secrets, { exportId, position }: ChunkKey, bytes: Buffer): ExportChunk {
  const packed = deflateRawSync(bytes).toString('base64');
  const bytesEncrypted = secrets.encrypt(packed, 'export_chunk.bytes_encrypted', [exportId, position]);
  return { exportId, position, bytesEncrypted };
}

export async function unpackChunk(
  secrets: Secrets,
  { exportId, position, bytesEncrypted }: ExportChunk,
): Promise<Buffer> {
  const key = [exportId, position] as const;
  const packed = await secrets.decrypt(bytesEncrypted, 'export_chunk.bytes_encrypted', key);
  return inflateRawSync(Buffer.from(packed, 'base64'));
}
