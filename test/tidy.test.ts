import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** The rules of the house, held by a test: who may import whom, how long files and functions may be, nothing dead. */

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['src', 'schema', 'scripts', 'bench', 'examples', 'test'];
const fileLinesMax = 300;
const operationLinesMax = 150;
const functionLinesMax = 60;

/** Each with the reason why it may be longer. */
const longFiles: Record<string, string> = {
  'src/method/nonce-words.ts': 'a list of words',
  'src/pages/language/en.ts': 'all strings of a language, so that a language is one file',
  'src/pages/language/th.ts': 'as en.ts',
  'src/pages/language/zh.ts': 'as en.ts',
};

const files = folders.flatMap((folder) => listFiles(join(root, folder)));
const sources = new Map(files.map((file) => [relative(root, file), readFileSync(file, 'utf8')]));

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(file: string): string[] {
  const specifiers = (sources.get(file) ?? '').matchAll(
    /(?:^|\s)(?:import|export)\b[^'";]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)|^import\s+'(\.[^']+)'/gm,
  );
  return [...specifiers].map((match) => normalize(join(dirname(file), (match[1] ?? match[2] ?? match[3])!)));
}

/** Layers from the outside in; a file may import its own layer and those below it. */
const layers: [name: string, pattern: RegExp][] = [
  ['process', /^src\/(?:main|cli|app|worker|start-\w+)\.ts$|^src\/(?:cli|demo)\//],
  ['transport', /^(?:schema\/|src\/(?:rest|pages|jobs|dashboard|dashboard-server)\/|src\/context\.ts)/],
  ['domain', /^src\/domain\//],
  ['service', /^src\/(?:event|notification|live|method|statement|message|document)\//],
  ['kit', /^(?:src\/kit\/|prisma\/client\/)/],
];
const layerOf = (file: string) => layers.findIndex(([, pattern]) => pattern.test(file));

/** Imports against the direction, each with its reason. */
const allowedUpward: Record<string, string> = {};

describe('the house', () => {
  test('every file belongs to a layer, and imports run one way', () => {
    const faults: string[] = [];
    for (const file of sources.keys()) {
      if (!/^(?:src|schema)\//.test(file)) continue;
      if (layerOf(file) === -1) faults.push(`${file} belongs to no layer`);
      for (const target of importsOf(file)) {
        const upward = layerOf(target) !== -1 && layerOf(target) < layerOf(file);
        if (upward && !allowedUpward[`${file} -> ${target}`]) faults.push(`${file} -> ${target}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('no imports go in a circle', () => {
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (file: string, path: string[]) => {
      if (state.get(file) === 'done' || !sources.has(file)) return;
      if (state.get(file) === 'open') {
        circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      state.set(file, 'open');
      for (const target of importsOf(file)) visit(target, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of sources.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });

  test('only the domain and what is beneath it writes to the database', () => {
    const writes =
      /\bprisma\.\w+\.(?:create|update|upsert|delete)\w*\(|\b(?:INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/;
    const offenders = [...sources]
      .filter(([file, text]) => layerOf(file) === 1 && writes.test(text))
      .map(([file]) => file);
    expect(offenders).toEqual([]);
  });

  test('files and operations keep to their length', () => {
    const long = [...sources].flatMap(([file, text]) => {
      const lines = text.split('\n').length - 1;
      const max = /^src\/domain\//.test(file) ? operationLinesMax : fileLinesMax;
      return lines > max && !longFiles[file] ? [`${file}: ${lines} lines`] : [];
    });
    expect(long).toEqual([]);
  });

  test('functions fit a screen', () => {
    const long = [...sources].flatMap(([file, text]) =>
      /^(?:src|schema)\//.test(file) && !file.endsWith('.tsx')
        ? longFunctions(text).map((found) => `${file}: ${found}`)
        : [],
    );
    expect(long).toEqual([]);
  });

  test('no file is dead', () => {
    const entries =
      /^(?:src\/(?:main|cli)\.ts|src\/dashboard\/|src\/pages\/script\/|scripts\/|bench\/[^/]+$|test\/.*\.test\.ts$|test\/setup\/)/;
    const imported = new Set([...sources.keys()].flatMap(importsOf));
    const dead = [...sources.keys()].filter((file) => !entries.test(file) && !imported.has(file));
    expect(dead.filter((file) => !isStarted(file))).toEqual([]);
  });
});

/** Files that tests start as processes of their own are named by path. */
function isStarted(file: string): boolean {
  const name = file.split('/').at(-1) as string;
  return [...sources.values()].some((text) => text.includes(`${name}'`) || text.includes(`${name}\``));
}

/** Top-level functions by Biome's formatting: they end at the first line that is a closing brace alone. */
function longFunctions(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    const name = /^(?:export )?(?:default )?(?:async )?function\*? (\w+)/.exec(line)?.[1];
    if (!name) return [];
    const length = lines.slice(start).indexOf('}') + 1;
    return length > functionLinesMax ? [`${name} has ${length} lines`] : [];
  });
}
