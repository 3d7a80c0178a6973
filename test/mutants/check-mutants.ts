import { existsSync, readFileSync } from 'node:fs';

/** Returns how often a text occurs in a file; 0 if the file does not exist. */
export function countOccurrences(path: string, text: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').split(text).length - 1 : 0;
}
