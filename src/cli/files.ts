import { access, readFile } from 'node:fs/promises';

/** Refuses a file that is not there, before anything is done for it. */
export async function requireFile(path: string): Promise<void> {
  await access(path).catch(() => refuse(path));
}

/** The text of a file that a command is called with. */
export function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => refuse(path));
}

function refuse(path: string): never {
  throw new Error(`Cannot read the file ${path}`);
}
