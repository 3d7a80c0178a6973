import { access, readFile } from 'node:fs/promises';

/** Refuses a file that is not there, before anything is done for it. */
export async function requireFile(path: string): Promise<void> {
  await access(path).catch(() => throwUnreadable(path));
}

/** The text of a file that a command is called with. */
export function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => throwUnreadable(path));
}

function throwUnreadable(path: string): never {
  throw new Error(`Cannot read the file ${path}`);
}
