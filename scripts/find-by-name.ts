import { existsSync } from 'node:fs';

/** What a file is by its ending, whatever its package says. */
const formats = { '.ts': 'module-typescript', '.mjs': 'module' };

const seen = new Set<string>();

/**
 * For a hook of Node's that resolves imports: a relative one with its ending names its file already. Node looks it up in
 * several folders and packages all the same, each time, which is a fifth of the time that loading our code takes.
 */
export function findByName(specifier: string, parent: string | undefined) {
  const ending = /^\.{1,2}\/.*(\.(?:ts|mjs))$/.exec(specifier)?.[1] as keyof typeof formats | undefined;
  if (!ending) return undefined;
  const url = new URL(specifier, parent);
  // What is not there is Node's to tell, with who imports it.
  if (!seen.has(url.href) && !existsSync(url)) return undefined;
  seen.add(url.href);
  return { url: url.href, format: formats[ending], shortCircuit: true };
}
