import { randomBytes } from 'node:crypto';

const poolBytes = 4_096;

let pool = Buffer.alloc(0);

/**
 * Returns at most 4,096 random bytes from a pool; no byte is used twice. Pooling is faster because a small read from
 * the system costs as much as a large one.
 */
export function readRandomBytes(length: number): Buffer {
  if (pool.length < length) pool = randomBytes(Math.max(poolBytes, length));
  const bytes = pool.subarray(0, length);
  pool = pool.subarray(length);
  return bytes;
}
