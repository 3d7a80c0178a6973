import { access, readFile } from 'node:fs/promises';

/** Throws early if the file is not readable. */
export async function requireFile(path: string): Promise<void> {
  await access(path).catch(() => throwUnreadable(path));
}

export function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => throwUnreadable(path));
}

function throwUnreadable(path: string): never {
  throw new Error(`Cannot read the file ${path}`);
}
