import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The import graph of the source code, and the allowed directions of imports. */

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['src', 'schema', 'scripts', 'bench', 'examples', 'packages/client/src', 'test'];

/** Layers from the top down; a file may import its own layer and those below it. */
export const layers: [name: string, pattern: RegExp][] = [
  ['process', /^src\/(?:main|cli|app|worker|start-\w+)\.ts$|^src\/(?:cli|demo)\//],
  ['transport', /^(?:schema\/|src\/(?:rest|pages|jobs|dashboard|dashboard-server)\/)/],
  ['http', /^(?:src\/http\/|src\/context\.ts)/],
  ['domain', /^src\/domain\//],
  ['service', /^src\/(?:event|notification|live|method|statement|feed|message|document|language)\//],
  ['kit', /^(?:src\/kit\/|prisma\/client\/)/],
];

/** Contexts of the domain from the top down; a context may import itself and those below it. */
export const contexts = [
  'operations',
  'payouts',
  'money-in',
  'billing',
  'payments',
  'accounts',
  'platform',
] as const;

/** Returns the index of a domain file's context; -1 for other files. */
export const getContextIndex = (file: string): number =>
  contexts.findIndex((context) => file.startsWith(`src/domain/${context}/`));

/** Returns the index of a file's layer; -1 for files without one. */
export const getLayerIndex = (file: string): number => layers.findIndex(([, pattern]) => pattern.test(file));

export const getLayerName = (file: string): string => layers[getLayerIndex(file)]?.[0] ?? '';

/** Returns the transport that a file belongs to; undefined for other files. */
export const getTransport = (file: string): string | undefined =>
  getLayerName(file) === 'transport' ? /^(?:schema|src\/[\w-]+)(?=\/)/.exec(file)?.[0] : undefined;

/** Reads all source files, by path relative to the project's root. */
export function readSources(): Map<string, string> {
  const files = folders.flatMap((folder) => listFiles(join(root, folder)));
  return new Map(files.map((file) => [relative(root, file), readFileSync(file, 'utf8')]));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

export function findImports(file: string, text: string): string[] {
  const specifiers = text.matchAll(
    /(?:^|\s)(?:import|export)\b[^'";]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)|^import\s+'(\.[^']+)'/gm,
  );
  return [...specifiers].map((match) => normalize(join(dirname(file), (match[1] ?? match[2] ?? match[3])!)));
}

/** Returns imports from a layer into a layer above it, each as `file -> imported file`. */
export function findUpwardImports(sources: Map<string, string>): string[] {
  return [...sources].flatMap(([file, text]) =>
    findImports(file, text)
      .filter((target) => getLayerIndex(target) !== -1 && getLayerIndex(target) < getLayerIndex(file))
      .map((target) => `${file} -> ${target}`),
  );
}

/** Returns imports from a domain context into a context above it, each as `file -> imported file`. */
export function findUpwardContextImports(sources: Map<string, string>): string[] {
  return [...sources].flatMap(([file, text]) =>
    findImports(file, text)
      .filter((target) => getContextIndex(target) !== -1 && getContextIndex(target) < getContextIndex(file))
      .map((target) => `${file} -> ${target}`),
  );
}

/** Returns import cycles, one line for each. */
export function findImportCycles(sources: Map<string, string>): string[] {
  const states = new Map<string, 'visiting' | 'visited'>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]) => {
    const text = sources.get(file);
    if (states.get(file) === 'visited' || text === undefined) return;
    if (states.get(file) === 'visiting') {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      return;
    }
    states.set(file, 'visiting');
    for (const target of findImports(file, text)) visit(target, [...path, file]);
    states.set(file, 'visited');
  };
  for (const file of sources.keys()) visit(file, []);
  return cycles;
}

/**
 * Returns the groups of nouns (folders of a domain context) that import each other, directly or through others. The
 * nouns of a group are in alphabetical order.
 */
export function findNounCycles(sources: Map<string, string>): string[] {
  const targets = new Map<string, Set<string>>();
  for (const [file, text] of sources) {
    const noun = getNoun(file);
    if (noun === undefined) continue;
    const imported = findImports(file, text).flatMap((target) => getNoun(target) ?? []);
    targets.set(noun, (targets.get(noun) ?? new Set()).union(new Set(imported)));
  }
  const reached = new Map([...targets.keys()].map((noun) => [noun, findReachable(noun, targets)]));
  const nouns = [...targets.keys()].sort();
  const groups = nouns.map((noun) =>
    nouns.filter((other) => reached.get(noun)?.has(other) && reached.get(other)?.has(noun)).join(', '),
  );
  return [...new Set(groups)].filter((group) => group.includes(', '));
}

function getNoun(file: string): string | undefined {
  return /^src\/domain\/([^/]+\/[^/]+)\//.exec(file)?.[1];
}

function findReachable(noun: string, targets: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set([noun]);
  for (const current of reached) for (const target of targets.get(current) ?? []) reached.add(target);
  return reached;
}
