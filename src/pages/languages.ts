import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { en } from './language/en.ts';

/** All strings of the pages in one language. */
export type PageStrings = typeof en;

/** Strings by lower-case ISO 639 code. English is always present. */
type Languages = Readonly<Record<string, PageStrings>> & { readonly en: PageStrings };

const fileNamePattern = /^([a-z]{2,3})\.ts$/;

/**
 * Loads the languages of a folder, English first. Each file `<code>.ts` exports its strings as `<code>`, so
 * adding a file adds a language. The type of the strings ensures that none is missing.
 */
export async function loadLanguages(folder: string): Promise<Languages> {
  const languages: Record<string, PageStrings> & { en: PageStrings } = { en };
  const codes = readdirSync(folder).flatMap((name) => fileNamePattern.exec(name)?.[1] ?? []);
  for (const code of codes.sort()) {
    const file = pathToFileURL(join(folder, `${code}.ts`)).href;
    const strings = ((await import(file)) as Record<string, PageStrings | undefined>)[code];
    if (!strings) throw new Error(`${file} exports no ${code}`);
    languages[code] = strings;
  }
  return languages;
}

export const languages = await loadLanguages(join(import.meta.dirname, 'language'));

/** Returns the strings of a language, or the English ones if the code is unknown. */
export function getStrings(code: string, catalog = languages): PageStrings {
  return catalog[code] ?? catalog.en;
}
