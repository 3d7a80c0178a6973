import { randomBytes } from 'node:crypto';

const poolBytes = 4_096;

let pool = Buffer.alloc(0);

/** Returns random bytes from a pool, because a small read costs as much as a large one. No byte is used twice. */
export function readRandomBytes(length: number): Buffer {
  if (pool.length < length) pool = randomBytes(Math.max(poolBytes, length));
  const bytes = pool.subarray(0, length);
  pool = pool.subarray(length);
  return bytes;
}
