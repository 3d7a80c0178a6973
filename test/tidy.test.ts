import { describe, expect, test } from 'vitest';
import {
  findImportCycles,
  findImports,
  findUpwardContextImports,
  findUpwardImports,
  getContextIndex,
  getLayerIndex,
  getLayerName,
  getTransport,
  readSources,
} from '../scripts/import-graph.ts';

/** The directions of imports, the length of files and functions, names, and unused files. */

const fileLinesMax = 300;
/** A test file is a process of its own, so that fewer and larger ones are faster. */
const testFileLinesMax = 600;
const operationLinesMax = 250;
const functionLinesMax = 60;

/** Each with the reason why it may be longer. */
const longFiles: Record<string, string> = {
  'src/method/payment-reference-words.ts': 'a list of words',
};
/** All strings of a language, so that a language is one file. */
const languageFile = /^src\/pages\/language\/[a-z]+\.ts$/;

const sources = readSources();

/** Imports of one transport by another, each with its reason. */
const allowedCrossings: Record<string, string> = {
  'src/rest/translations.ts -> src/pages/languages.ts': 'the strings of the pages are what it answers',
  'schema/platform/translation.ts -> src/pages/languages.ts': 'as over REST',
};

/** Test folders with state in module-level `let`s, to be converted to fixtures (`test/setup/fixtures.ts`). */
const foldersWithoutFixtures = ['test/domain/charge-list', 'test/domain/check', 'test/domain/secrets'];

const productSources = [...sources].filter(([file]) => /^(?:src|schema|scripts|bench)\//.test(file));

/** Declarations of types as Biome formats them, exported or local. */
const typeDeclaration =
  /^ *(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:const )?(?:type|interface|enum|class) (\w+)(?=<| (?:=|\{|extends|implements))/gm;

/** Interfaces of libraries that several files extend. */
const mergedTypes = ['FastifyContextConfig', 'FastifyRequest', 'Plugins'];

/** Functions, methods, and variables or properties that hold functions. A name after a dot may be a library’s. */
const functionNamedOf =
  /(?<![.\w])(\w*[a-z0-9]Of)(?=(?:<[^>\n]*>)?\(| = (?:async )?[(<]|\??: (?:async )?[(<])/g;

describe('the source', () => {
  test('every file belongs to a layer, and imports run one way', () => {
    const strays = [...sources.keys()].filter(
      (file) => /^(?:src|schema)\//.test(file) && getLayerIndex(file) === -1,
    );
    expect(strays).toEqual([]);
    expect(findUpwardImports(sources)).toEqual([]);
  });

  test('every file of the domain belongs to a context, and contexts import downwards only', () => {
    const strays = [...sources.keys()].filter(
      (file) => file.startsWith('src/domain/') && getContextIndex(file) === -1,
    );
    expect(strays).toEqual([]);
    expect(findUpwardContextImports(sources)).toEqual([]);
  });

  test('no transport imports another', () => {
    const crossings = [...sources].flatMap(([file, text]) =>
      findImports(file, text)
        .filter(
          (target) =>
            getTransport(file) && getTransport(target) && getTransport(file) !== getTransport(target),
        )
        .map((target) => `${file} -> ${target}`),
    );
    expect(crossings.filter((found) => !allowedCrossings[found])).toEqual([]);
  });

  test('of the GraphQL schema, the server imports the nouns, and these the kit', () => {
    const partOf = (file: string) => /^schema\/(kit|server)\//.exec(file)?.[1] ?? 'nouns';
    const order = ['kit', 'nouns', 'server'];
    const against = [...sources].flatMap(([file, text]) =>
      findImports(file, text)
        .filter((target) => file.startsWith('schema/') && target.startsWith('schema/'))
        .filter((target) => order.indexOf(partOf(target)) > order.indexOf(partOf(file)))
        .map((target) => `${file} -> ${target}`),
    );
    expect(against).toEqual([]);
  });

  test('no imports are circular', () => {
    expect(findImportCycles(sources)).toEqual([]);
  });

  test('only the domain and lower layers write to the database', () => {
    const writes =
      /\bprisma\.\w+\.(?:create|update|upsert|delete)\w*\(|\b(?:INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/;
    const offenders = [...sources]
      .filter(([file, text]) => ['transport', 'http'].includes(getLayerName(file)) && writes.test(text))
      .map(([file]) => file);
    expect(offenders).toEqual([]);
  });

  test('files and operations do not exceed their maximum length', () => {
    const long = [...sources].flatMap(([file, text]) => {
      const lines = text.split('\n').length - 1;
      return lines > linesMax(file) && !longFiles[file] && !languageFile.test(file)
        ? [`${file}: ${lines} lines`]
        : [];
    });
    expect(long).toEqual([]);
  });

  test('functions have at most 60 lines', () => {
    const long = [...sources].flatMap(([file, text]) =>
      /^(?:src|schema)\//.test(file) && !file.endsWith('.tsx')
        ? longFunctions(text).map((found) => `${file}: ${found}`)
        : [],
    );
    expect(long).toEqual([]);
  });

  test('test files keep their state in fixtures, not in module-level variables', () => {
    const folders = [...sources]
      .filter(([file, text]) => file.endsWith('.test.ts') && /^let /m.test(text))
      .map(([file]) => file.slice(0, file.lastIndexOf('/')));
    // A folder without such variables leaves the list.
    expect([...new Set(folders)].sort()).toEqual(foldersWithoutFixtures);
  });

  test('no two types have the same name', () => {
    const files = new Map<string, string[]>();
    for (const [file, text] of productSources)
      for (const [, name] of text.matchAll(typeDeclaration))
        if (!mergedTypes.includes(name!)) files.set(name!, [...(files.get(name!) ?? []), file]);
    const duplicates = [...files].filter(([, places]) => places.length > 1);
    expect(duplicates.map(([name, places]) => `${name}: ${places.join(', ')}`)).toEqual([]);
  });

  test('the names of functions are verbs and do not end in Of', () => {
    const names = productSources.flatMap(([file, text]) =>
      [...text.matchAll(functionNamedOf)].map(([, name]) => `${file}: ${name}`),
    );
    expect(names).toEqual([]);
  });

  test('every file is used', () => {
    const entries =
      /^(?:src\/(?:main|cli)\.ts|src\/dashboard\/|src\/pages\/script\/|scripts\/|bench\/[^/]+$|test\/.*\.test\.ts$|test\/setup\/)/;
    const imported = new Set([...sources].flatMap(([file, text]) => findImports(file, text)));
    const dead = [...sources.keys()].filter((file) => !entries.test(file) && !imported.has(file));
    expect(dead.filter((file) => !isStarted(file))).toEqual([]);
  });
});

function linesMax(file: string): number {
  if (file.endsWith('.test.ts')) return testFileLinesMax;
  return file.startsWith('src/domain/') ? operationLinesMax : fileLinesMax;
}

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
