import { readdirSync } from 'node:fs';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { readSources } from '../../scripts/import-graph.ts';
import { chooseLanguage, chooseLocale } from '../../src/dashboard/language/choose-language.ts';
import { languages } from '../../src/dashboard/language/languages.ts';
import { en } from '../../src/dashboard/language/strings/en.ts';
import type { DashboardTexts } from '../../src/dashboard/language/strings.ts';
import { methodCodes } from '../../src/method/catalog.ts';
import { listDetailsForms } from '../../src/method/details-forms.ts';

type Node = { type?: string } & Record<string, unknown>;

/** Attributes and properties that hold texts for people. */
const textNames = new Set([
  'alt',
  'aria-label',
  'cancelLabel',
  'confirmLabel',
  'description',
  'hint',
  'label',
  'message',
  'objectType',
  'placeholder',
  'text',
  'title',
]);

/** Literals with letters that are the same in every language: names, addresses and codes. */
const untranslated =
  /^(?:https?:|[\w.]+@|&\w+;|ch_…|webhook-test: true|causeway|SHA-256|Causeway|UTC|[A-Z]{2,3}$)|^ ?(?:=|\()/;

/** A string of at least two words of which one begins like a sentence or a label. */
const sentence = /^[A-Z][\p{L}’'-]* (?:[\p{L}’'-]+[ .,:?…]?)+/u;

const files = [...readSources()].filter(
  ([file]) => /^src\/dashboard\/.*\.tsx?$/.test(file) && !/\/language\/|\.d\.ts$/.test(file),
);

/** Calls `visit` with each node below `node` and its parents, the nearest first. */
function walk(
  node: unknown,
  visit: (node: Node, parents: readonly Node[]) => void,
  parents: Node[] = [],
): void {
  if (typeof node !== 'object' || node === null) return;
  const isNode = typeof (node as Node).type === 'string';
  if (isNode) visit(node as Node, parents);
  const next = isNode ? [node as Node, ...parents] : parents;
  for (const member of Object.values(node)) walk(member, visit, next);
}

const parse = (file: string, source: string) => parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' });

function readText(node: Node): string | undefined {
  if (node.type === 'Literal' || node.type === 'JSXText')
    return typeof node.value === 'string' ? node.value.trim() : undefined;
  if (node.type === 'TemplateElement') return (node.value as { cooked: string }).cooked;
  return undefined;
}

/** Returns the name of the attribute or property whose value is the node, or else undefined. */
function findOwnerName(node: Node, parents: readonly Node[]): string | undefined {
  let child = node;
  for (const parent of parents) {
    const isPassing =
      /^(?:ConditionalExpression|LogicalExpression|TemplateLiteral|JSXExpressionContainer)$/.test(
        parent.type ?? '',
      ) && parent.test !== child;
    if (parent.type === 'JSXAttribute') {
      const name = parent.name as { name?: unknown };
      return typeof name.name === 'string' ? name.name : undefined;
    }
    if (parent.type === 'Property') return parent.value === child ? readKey(parent.key as Node) : undefined;
    if (!isPassing) return undefined;
    child = parent;
  }
  return undefined;
}

const readKey = (key: Node) => String(key.name ?? key.value);

/** The texts of GraphQL documents are not shown to people. */
const isDocument = (parents: readonly Node[]) =>
  parents.some(
    ({ type, callee }) => type === 'CallExpression' && (callee as { name?: string }).name === 'graphql',
  );

function findLiterals([file, source]: [file: string, source: string]): string[] {
  const found: string[] = [];
  walk(parse(file, source), (node, parents) => {
    const text = readText(node);
    if (text === undefined || !/\p{L}{2}/u.test(text) || untranslated.test(text) || isDocument(parents))
      return;
    const isText =
      node.type === 'JSXText' ||
      textNames.has(findOwnerName(node, parents) ?? '') ||
      (sentence.test(text) && parents[0]?.type !== 'ImportDeclaration');
    if (isText) found.push(`${file}: ${text}`);
  });
  return found;
}

test('every text of the dashboard is in the language files', () => {
  expect(files.flatMap(findLiterals)).toEqual([]);
});

const loadAll = async () =>
  Promise.all(Object.entries(languages).map(async ([code, { load }]) => ({ code, texts: await load() })));

/** Returns the messages by path; plural messages with one path for each category. */
function flatten(texts: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${path}${key}`, value] as const] : [...flatten(value, `${path}${key}.`)],
    ),
  );
}

const pluralCategories = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** Returns the path of a message without its plural category. */
function toKey(path: string): string {
  const [section, key] = path.split('.');
  return `${section}.${key}`;
}

const listPlaceholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

/** Returns the mistakes in the texts of a language: missing, unknown or empty texts, and wrong placeholders. */
function findMistakes(code: string, { receivingAccountForms: _, ...texts }: DashboardTexts): string[] {
  const english = flatten(en);
  const translated = flatten(texts);
  const keys = new Set([...english.keys()].map(toKey));
  const translatedKeys = new Set([...translated.keys()].map(toKey));
  const known = new Set(new Intl.PluralRules(code).resolvedOptions().pluralCategories as string[]);
  const messageMistakes = [...translated].flatMap(([path, text]) => {
    const category = path.split('.')[2];
    const original = english.get(path) ?? english.get(`${toKey(path)}.other`);
    if (original === undefined) return [`${path}: unknown`];
    if (text.trim() === '') return [`${path}: empty`];
    if (category !== undefined && !(pluralCategories.includes(category) && known.has(category)))
      return [`${path}: the language has no such plural category`];
    const isSame = listPlaceholders(text).join() === listPlaceholders(original).join();
    return isSame ? [] : [`${path}: other placeholders than in English`];
  });
  const missing = [...keys.difference(translatedKeys)].map((key) => `${key}: missing`);
  return [...missing, ...messageMistakes].map((mistake) => `${code} ${mistake}`);
}

test('every language has all texts, with the placeholders of English and plural forms of its own', async () => {
  for (const { code, texts } of await loadAll()) expect(findMistakes(code, texts)).toEqual([]);
  const broken = { ...en, common: { ...en.common, paymentCount: { few: '{number}', other: '' } } };
  expect(findMistakes('th', broken as unknown as DashboardTexts)).toEqual(
    expect.arrayContaining([
      'th common.paymentCount.few: the language has no such plural category',
      'th common.paymentCount.other: empty',
    ]),
  );
});

test('every text of the forms for receiving accounts is translated, with its label before the hint', async () => {
  const forms = methodCodes.flatMap(listDetailsForms);
  const formTexts = new Set(
    forms.flatMap(({ description, members }) => [
      description,
      ...members.map((member) => member.description),
    ]),
  );
  const countHints = (text: string) => text.split(': ').length - 1;
  const toShape = (form: string, text: string) => ({ form, hintCount: countHints(text) });
  const expected = [...formTexts].sort().map((form) => toShape(form, form));
  for (const { code, texts } of await loadAll()) {
    const translations = Object.entries(texts.receivingAccountForms).sort(([a], [b]) => (a < b ? -1 : 1));
    const shapes = translations.map(([form, text]) => toShape(form, text));
    expect({ code, shapes }).toEqual({ code, shapes: code === 'en' ? [] : expected });
  }
});

test('every language file is in the list of languages, and imports nothing', () => {
  const folder = new URL('../../src/dashboard/language/strings/', import.meta.url);
  const codes = readdirSync(folder).map((name) => name.replace('.ts', ''));
  expect(codes.sort()).toEqual(
    Object.keys(languages)
      .map((code) => code.toLowerCase())
      .sort(),
  );
  const sources = [...readSources()].filter(([file]) => file.startsWith('src/dashboard/language/strings/'));
  for (const [file, source] of sources)
    expect({ file, imports: source.match(/^import (?!type)/gm) }).toEqual({ file, imports: null });
});

/** Returns the text that a call fills, and the placeholders for which it has values. */
function readFill({ type, callee, arguments: args }: Node): { path: string; filled: string[] } | undefined {
  const name = type === 'CallExpression' ? (callee as { name?: string }).name : undefined;
  if (name === undefined || !/^(?:fillText|fillNodes|pluralize)$/.test(name)) return undefined;
  const isPlural = name === 'pluralize';
  const [text, values] = (args as Node[]).slice(isPlural ? 1 : 0) as [Node, { properties?: Node[] }?];
  const section = text.object as Node | undefined;
  if (text.type !== 'MemberExpression' || section?.type !== 'MemberExpression') return undefined;
  const path = `${readKey(section.property as Node)}.${readKey(text.property as Node)}`;
  const properties = values === undefined ? [] : values.properties;
  if (properties === undefined || properties.some((one) => one.type === 'SpreadElement')) return undefined;
  const filled = properties.map(({ key }) => readKey(key as Node));
  return isPlural ? { path: `${path}.other`, filled: [...filled, 'count'] } : { path, filled };
}

test('each use of a text has values for its placeholders', () => {
  const messages = flatten(en);
  const mistakes: string[] = [];
  for (const [file, source] of files)
    walk(parse(file, source), (node) => {
      const fill = readFill(node);
      if (fill === undefined) return;
      const missing = listPlaceholders(messages.get(fill.path) ?? '').filter(
        (name) => !fill.filled.includes(name),
      );
      if (missing.length > 0) mistakes.push(`${file}: ${fill.path} lacks ${missing.join()}`);
    });
  expect(mistakes).toEqual([]);
});

test('the language is the one that the user chose, or else the first known one of the browser', () => {
  const known = ['en', 'zh-Hant', 'th', 'id', 'vi'];
  const choose = (chosen: string | null, preferred: string[]) => chooseLanguage(known, { chosen, preferred });
  expect(choose('th', ['vi'])).toBe('th');
  expect(choose('xx', ['vi-VN'])).toBe('vi');
  expect(choose(null, ['zh-CN', 'zh-HK', 'en'])).toBe('zh-Hant');
  expect(choose(null, ['fr', 'th-TH'])).toBe('th');
  expect(choose(null, ['fr'])).toBe('en');
  expect(choose(null, ['en-US@posix', 'vi'])).toBe('vi');
  expect(chooseLanguage(known)).toBe('en');
});

test('dates and numbers follow the browser’s variant of the language, but those of Chinese follow Hong Kong', () => {
  expect(chooseLocale('en', ['th', 'en-HK'])).toBe('en-HK');
  expect(chooseLocale('zh-Hant', ['zh-CN', 'zh-TW'])).toBe('zh-HK');
  expect(chooseLocale('id', ['en', 'id-ID'])).toBe('id-ID');
  expect(chooseLocale('th', ['en-US'])).toBe('th');
  expect(chooseLocale('en', ['de'])).toBeUndefined();
  expect(chooseLocale('en', ['en-US@posix'])).toBeUndefined();
});
