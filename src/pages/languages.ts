import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { en } from './language/en.ts';

/** All strings of the pages in one language. */
export type PageStrings = typeof en;

/** By code: ISO 639, lower case. English is always among them. */
type Languages = Readonly<Record<string, PageStrings>> & { readonly en: PageStrings };

const fileNamePattern = /^([a-z]{2,3})\.ts$/;

/**
 * The languages of a folder: each file `<code>.ts` that exports its strings as `<code>`, English first. So a language is
 * added by adding its file; the type of the strings holds it to be whole.
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

/** The strings of a language; English where there is none of that code. */
export function getStrings(code: string, catalog = languages): PageStrings {
  return catalog[code] ?? catalog.en;
}
