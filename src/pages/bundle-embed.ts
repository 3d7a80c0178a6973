import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripTypes } from './assets.ts';

const sourceFolder = join(import.meta.dirname, '../../packages/embed/src');
const importPattern = /^(?:import|export)\s[^;]*?from '\.\/([\w-]+\.ts)';$/gm;
const commentPattern = /^[^\S\n]*(?:\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm;

/**
 * Returns the modules of the embedded checkout as one script without comments and indentation. The modules share one
 * scope, so their names must be unique; `test/pages/embed.test.ts` runs the script.
 */
export function bundleEmbed(): string {
  const added = new Set<string>();
  const addModule = (name: string): string => {
    if (added.has(name)) return '';
    added.add(name);
    const source = stripTypes(readFileSync(join(sourceFolder, name), 'utf8'));
    const imported = [...source.matchAll(importPattern)].map(([, importedName]) => addModule(importedName!));
    return imported.join('') + source.replaceAll(importPattern, '').replaceAll(/^export /gm, '');
  };
  return addModule('index.ts').replaceAll(commentPattern, '').replaceAll(/^\s+/gm, '');
}
