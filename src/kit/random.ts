import { randomBytes } from 'node:crypto';

const pageBytes = 4_096;

let page = Buffer.alloc(0);

/**
 * Random bytes for what every request needs some of. To fetch a few takes as long as to fetch many: they are fetched by
 * the page, and each is given out once.
 */
export function takeRandom(length: number): Buffer {
  if (page.length < length) page = randomBytes(pageBytes);
  const taken = page.subarray(0, length);
  page = page.subarray(length);
  return taken;
}
