import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Kind, parse, visit } from 'graphql';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { readSources } from '../scripts/import-graph.ts';

/** Words that our texts avoid, each with standard terms for it. */
const bannedWords: [pattern: RegExp, instead: string][] = [
  [/\btold\b/i, 'reported, sent, notified, returned'],
  [/\btells?\b(?! apart)/i, 'report, send, notify, return'],
  [/\banew\b/i, 'again'],
  [/\bmeanwhile\b/i, 'since then, concurrently'],
  [/\bwhoever\b/i, 'name the person'],
  [/\b(?:somebody|nobody)\b/i, 'name the person'],
  [/\bstands? (?:in|there)\b/i, 'is in'],
  [/\b(?:comes?|came) of\b/i, 'results from'],
  [/\bcounts? for\b/i, 'is applied to'],
  [/\b(?:by (?:itself|themselves))\b/i, 'automatically'],
  [/\bof (?:yours|mine)\b/i, 'your'],
  [/\b(?:is|are|was|were) made\b/i, 'created'],
  [/\bas it may be\b/i, 'give the limit'],
  [/\bin force\b/i, 'active'],
  [/\bat work\b/i, 'running'],
  [/\bbroke off\b/i, 'was interrupted'],
  [/\be-mail/i, 'email'],
  [/\bthe word\b/i, 'payment reference'],
];

/** Beginnings of texts that need such a word, each with the reason. */
const exceptions: Record<string, string> = {
  'PostgreSQL cannot run as root, and on this system': 'the system has a user named nobody',
  'the user `nobody`': 'the system has a user named nobody',
  'programs run as; they do not run as root': 'the system has a user named nobody',
};

type Text = { file: string; text: string };
type Node = { type?: string; value?: unknown } & Record<string, unknown>;

/** Finds the texts that people read: strings with a space, and text between tags. */
function findTexts([file, source]: [file: string, source: string]): Text[] {
  const program = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  const texts: Text[] = [];
  const visitNode = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, value } = node as Node;
    const text =
      type === 'Literal' || type === 'JSXText'
        ? value
        : type === 'TemplateElement'
          ? (value as { cooked?: string }).cooked
          : undefined;
    if (typeof text === 'string' && /\w \w/.test(text)) texts.push({ file, text: text.replace(/\s+/g, ' ') });
    for (const member of Object.values(node)) visitNode(member);
  };
  visitNode(program);
  return texts;
}

const isSql = (text: string) => /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|FROM|CREATE|JOIN)\b/.test(text);

function findSourceTexts(): Text[] {
  return [...readSources()]
    .filter(([file]) => /^(?:src|schema|packages)\//.test(file))
    .flatMap(findTexts)
    .filter(({ text }) => !isSql(text));
}

function findDescriptions(): Text[] {
  const file = 'schema/schema.graphql';
  const url = new URL(`../${file}`, import.meta.url);
  const texts: Text[] = [];
  visit(parse(readFileSync(url, 'utf8')), {
    enter: (node) => {
      if (node.kind === Kind.STRING) texts.push({ file, text: node.value.replace(/\s+/g, ' ') });
    },
  });
  return texts;
}

/** A title is followed by the function of the test or suite. */
const titlePattern = /(['`])((?:(?!\1)[^\n])+)\1,\s*(?:async )?(?:\(|\w+ =>)/g;

function findTestTitles(): Text[] {
  return [...readSources()]
    .filter(([file]) => /^test\/.*\.test\.ts$/.test(file))
    .flatMap(([file, source]) =>
      [...source.matchAll(titlePattern)].map(([, , title]) => ({ file, text: title! })),
    );
}

const commentPattern = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ [^\n]*/g;

function findComments(): Text[] {
  return [...readSources()]
    .filter(([file]) => /^(?:src|schema|scripts|bench|examples|packages|test)\//.test(file))
    .flatMap(([file, source]) =>
      [...source.matchAll(commentPattern)].map(([text]) => ({ file, text: text.replace(/\s+\*?\s*/g, ' ') })),
    );
}

const documents = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).split('\n').filter(Boolean);

/** The lines of a page outside of code. */
function findProseLines(file: string): Text[] {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  return text
    .replace(/^( *)```[\s\S]*?^\1```$/gm, '')
    .replace(/`[^`\n]*`/g, '``')
    .split('\n')
    .map((line) => ({ file, text: line }));
}

function findBannedWords(texts: readonly Text[]): string[] {
  return texts
    .filter(({ text }) => !Object.keys(exceptions).some((start) => text.includes(start)))
    .flatMap(({ file, text }) =>
      bannedWords
        .filter(([pattern]) => pattern.test(text))
        .map(([pattern, instead]) => `${file}: "${text}" has ${pattern.source}; say: ${instead}`),
    );
}

test('Texts in the product use standard terms', () => {
  const texts = [...findSourceTexts(), ...findDescriptions()];
  expect(texts.length).toBeGreaterThan(4_000);
  expect(findBannedWords(texts)).toEqual([]);
});

test('Comments use standard terms', () => {
  const texts = findComments();
  expect(texts.length).toBeGreaterThan(4_000);
  expect(findBannedWords(texts)).toEqual([]);
});

test('Titles of tests use standard terms', () => {
  const titles = findTestTitles();
  expect(titles.length).toBeGreaterThan(1_500);
  expect(findBannedWords(titles)).toEqual([]);
});

test('Documentation uses standard terms', () => {
  expect(documents.length).toBeGreaterThan(60);
  expect(findBannedWords(documents.flatMap(findProseLines))).toEqual([]);
});

test('Lines of the documentation have at most 100 columns, except tables, links and images', () => {
  const long = documents
    .flatMap(findProseLines)
    .filter(({ text }) => text.length > 100 && !/^\s*(?:\||<)|\]\(|^\[/.test(text));
  expect(long.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});
