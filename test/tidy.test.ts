import { describe, expect, test } from 'vitest';
import {
  findImportCycles,
  findImports,
  findNounCycles,
  findUpwardContextImports,
  findUpwardImports,
  getContextIndex,
  getLayerIndex,
  getLayerName,
  getTransport,
  readSources,
} from '../scripts/import-graph.ts';

const fileLinesMax = 300;
/** More than for sources, because every test file costs time to start. */
const testFileLinesMax = 600;
const operationLinesMax = 250;
const functionLinesMax = 60;

/** Files that may be longer, each with the reason. */
const longFiles: Record<string, string> = {
  'src/method/payment-reference-words.ts': 'a list of words',
};
/** Each language is one file with all its strings. */
const languageFile = /^src\/(?:dashboard\/)?language\/strings\/[a-z-]+\.ts$/;
const generatedFile = /^(?:packages\/client\/src\/generated\/|schema\/server\/dashboard-hashes\.ts$)/;

const sources = readSources();

/** Imports of one transport by another that are allowed, each with the reason. */
const allowedCrossings: Record<string, string> = {};

/** Files whose types can be imported elsewhere. Types of test files are local. */
const sharedSources = [...sources].filter(
  ([file]) => /^(?:src|schema|scripts|bench|packages|test\/setup)\//.test(file) && !generatedFile.test(file),
);

/** Declarations of types as Biome formats them, exported or local. */
const typeDeclaration =
  /^ *(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:const )?(?:type|interface|enum|class) (\w+)(?=<| (?:=|\{|extends|implements))/gm;

/** Interfaces of libraries that several files extend. */
const mergedTypes = ['FastifyContextConfig', 'FastifyRequest', 'Plugins'];
/** The client declares these types of the service again, because it does not depend on the service. */
const clientTypes = ['EventType'];

/** Functions, methods, and variables or properties that hold functions. Names after a dot may belong to a library. */
const functionNamedOf =
  /(?<![.\w])(\w*[a-z0-9]Of)(?=(?:<[^>\n]*>)?\(| = (?:async )?[(<]|\??: (?:async )?[(<])/g;

describe('Source code', () => {
  test('has each file in a layer, and imports lower layers only', () => {
    const strays = [...sources.keys()].filter(
      (file) => /^(?:src|schema)\//.test(file) && getLayerIndex(file) === -1,
    );
    expect(strays).toEqual([]);
    expect(findUpwardImports(sources)).toEqual([]);
  });

  test('has each file of the domain in a context, and imports lower contexts only', () => {
    const strays = [...sources.keys()].filter(
      (file) => file.startsWith('src/domain/') && getContextIndex(file) === -1,
    );
    expect(strays).toEqual([]);
    expect(findUpwardContextImports(sources)).toEqual([]);
  });

  test('imports no transport from another', () => {
    const crossings = [...sources].flatMap(([file, text]) =>
      findImports(file, text)
        .filter(
          (target) =>
            getTransport(file) && getTransport(target) && getTransport(file) !== getTransport(target),
        )
        .map((target) => `${file} -> ${target}`),
    );
    expect(crossings.filter((crossing) => !allowedCrossings[crossing])).toEqual([]);
  });

  test('imports in the GraphQL schema from the server to the nouns, and from these to the kit', () => {
    const getPart = (file: string) => /^schema\/(kit|server)\//.exec(file)?.[1] ?? 'nouns';
    const order = ['kit', 'nouns', 'server'];
    const against = [...sources].flatMap(([file, text]) =>
      findImports(file, text)
        .filter((target) => file.startsWith('schema/') && target.startsWith('schema/'))
        .filter((target) => order.indexOf(getPart(target)) > order.indexOf(getPart(file)))
        .map((target) => `${file} -> ${target}`),
    );
    expect(against).toEqual([]);
  });

  test('has no circular imports', () => {
    expect(findImportCycles(sources)).toEqual([]);
  });

  test('has no nouns of the domain that import each other', () => {
    expect(findNounCycles(sources)).toEqual([]);
  });

  test('writes to the database in the domain and lower layers only', () => {
    const writes =
      /\bprisma\.\w+\.(?:create|update|upsert|delete)\w*\(|\b(?:INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/;
    const offenders = [...sources]
      .filter(([file, text]) => ['transport', 'http'].includes(getLayerName(file)) && writes.test(text))
      .map(([file]) => file);
    expect(offenders).toEqual([]);
  });

  test('has no file or operation above its maximum length', () => {
    const long = [...sources].flatMap(([file, text]) => {
      const lines = text.split('\n').length - 1;
      return lines > getLinesMax(file) &&
        !longFiles[file] &&
        !languageFile.test(file) &&
        !generatedFile.test(file)
        ? [`${file}: ${lines} lines`]
        : [];
    });
    expect(long).toEqual([]);
  });

  test('has no line of a comment above 120 columns, which the formatter does not wrap', () => {
    const long = [...sources].flatMap(([file, text]) =>
      generatedFile.test(file)
        ? []
        : text
            .split('\n')
            .filter((line) => line.length > 120 && /^\s*(?:\/\/|\/?\*)/.test(line) && !line.includes('://'))
            .map((line) => `${file}: ${line.trim()}`),
    );
    expect(long).toEqual([]);
  });

  test('has functions of at most 60 lines', () => {
    const long = [...sources].flatMap(([file, text]) =>
      /^(?:src|schema|packages)\//.test(file) && !file.endsWith('.tsx')
        ? findLongFunctions(text).map((message) => `${file}: ${message}`)
        : [],
    );
    expect(long).toEqual([]);
  });

  test('keeps the state of tests in fixtures, not in module-level variables', () => {
    const offenders = [...sources]
      .filter(([file]) => file.endsWith('.test.ts') || file.startsWith('test/setup/'))
      .filter(([, text]) => /^let |\bbeforeAll\(/m.test(text))
      .map(([file]) => file);
    expect(offenders).toEqual([]);
  });

  test('has unique names of types', () => {
    const files = new Map<string, string[]>();
    for (const [file, text] of sharedSources)
      for (const [, name] of text.matchAll(typeDeclaration))
        if (![...mergedTypes, ...clientTypes].includes(name!))
          files.set(name!, [...(files.get(name!) ?? []), file]);
    const duplicates = [...files].filter(([, places]) => places.length > 1);
    expect(duplicates.map(([name, places]) => `${name}: ${places.join(', ')}`)).toEqual([]);
  });

  test('has no function whose name ends in Of, because names of functions are verbs', () => {
    const names = [...sources].flatMap(([file, text]) =>
      [...text.matchAll(functionNamedOf)].map(([, name]) => `${file}: ${name}`),
    );
    expect(names).toEqual([]);
  });

  test('has no unused file', () => {
    const entries =
      /^(?:src\/(?:main|cli)\.ts|src\/dashboard\/|src\/pages\/script\/|scripts\/|bench\/[^/]+$|packages\/client\/src\/(?:index\.ts|adapters\/)|test\/.*\.test\.ts$|test\/setup\/)/;
    const imported = new Set([...sources].flatMap(([file, text]) => findImports(file, text)));
    const dead = [...sources.keys()].filter((file) => !entries.test(file) && !imported.has(file));
    expect(dead.filter((file) => !isStarted(file))).toEqual([]);
  });
});

function getLinesMax(file: string): number {
  if (file.endsWith('.test.ts')) return testFileLinesMax;
  return file.startsWith('src/domain/') ? operationLinesMax : fileLinesMax;
}

/** Whether a test starts the file as a process: such files are referred to by path. */
function isStarted(file: string): boolean {
  const name = file.split('/').at(-1) as string;
  return [...sources.values()].some((text) => text.includes(`${name}'`) || text.includes(`${name}\``));
}

/** Finds top-level functions; as Biome formats them, they end at the first line with a closing brace alone. */
function findLongFunctions(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    const name = /^(?:export )?(?:default )?(?:async )?function\*? (\w+)/.exec(line)?.[1];
    if (!name) return [];
    const length = lines.slice(start).indexOf('}') + 1;
    return length > functionLinesMax ? [`${name} has ${length} lines`] : [];
  });
}
