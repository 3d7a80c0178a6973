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

/** The rules of the house, held by a test: who may import whom, how long files and functions may be, nothing dead. */

const fileLinesMax = 300;
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
const foldersWithoutFixtures = [
  'test',
  'test/cli',
  'test/dashboard',
  'test/dashboard-server',
  'test/domain/charge-list',
  'test/domain/check',
  'test/domain/customer',
  'test/domain/export',
  'test/domain/forex',
  'test/domain/merchant',
  'test/domain/notification',
  'test/domain/payout',
  'test/domain/phone-verification',
  'test/domain/races',
  'test/domain/receiving-account',
  'test/domain/reconciliation',
  'test/domain/secrets',
  'test/domain/statement',
  'test/domain/subscription',
  'test/domain/transfer',
  'test/domain/upload',
  'test/domain/user',
  'test/domain/webhook',
  'test/event',
  'test/examples',
  'test/http',
  'test/jobs',
  'test/kit',
  'test/live',
  'test/message',
  'test/notification',
  'test/pages',
  'test/process',
  'test/schema',
  'test/security',
];

describe('the house', () => {
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

  test('no transport knows another', () => {
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

  test('of the GraphQL schema, the server knows the nouns, and these what they are made with', () => {
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

  test('no imports go in a circle', () => {
    expect(findImportCycles(sources)).toEqual([]);
  });

  test('only the domain and what is beneath it writes to the database', () => {
    const writes =
      /\bprisma\.\w+\.(?:create|update|upsert|delete)\w*\(|\b(?:INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/;
    const offenders = [...sources]
      .filter(([file, text]) => ['transport', 'http'].includes(getLayerName(file)) && writes.test(text))
      .map(([file]) => file);
    expect(offenders).toEqual([]);
  });

  test('files and operations keep to their length', () => {
    const long = [...sources].flatMap(([file, text]) => {
      const lines = text.split('\n').length - 1;
      const max = /^src\/domain\//.test(file) ? operationLinesMax : fileLinesMax;
      return lines > max && !longFiles[file] && !languageFile.test(file) ? [`${file}: ${lines} lines`] : [];
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

  test('test files keep their state in fixtures, not in module-level variables', () => {
    const folders = [...sources]
      .filter(([file, text]) => file.endsWith('.test.ts') && /^let /m.test(text))
      .map(([file]) => file.slice(0, file.lastIndexOf('/')));
    // A folder without such variables leaves the list.
    expect([...new Set(folders)].sort()).toEqual(foldersWithoutFixtures);
  });

  test('no file is dead', () => {
    const entries =
      /^(?:src\/(?:main|cli)\.ts|src\/dashboard\/|src\/pages\/script\/|scripts\/|bench\/[^/]+$|test\/.*\.test\.ts$|test\/setup\/)/;
    const imported = new Set([...sources].flatMap(([file, text]) => findImports(file, text)));
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
