import { existsSync, readFileSync } from 'node:fs';

/** How often a text stands in a file; never in a file that does not exist. */
export function occurrences(path: string, text: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').split(text).length - 1 : 0;
}
