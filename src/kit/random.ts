import { randomBytes } from 'node:crypto';

const poolBytes = 4_096;

let pool = Buffer.alloc(0);

/**
 * Random bytes for what every request needs some of. To fetch a few takes as long as to fetch many: they are fetched by
 * the page, and each is given out once.
 */
export function takeRandomBytes(length: number): Buffer {
  if (pool.length < length) pool = randomBytes(poolBytes);
  const bytes = pool.subarray(0, length);
  pool = pool.subarray(length);
  return bytes;
}
