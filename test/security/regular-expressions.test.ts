import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { count, isLongRun } from '../setup/counts.ts';

/**
 * Every regular expression of the server is tried on long texts made of what it looks for, over and over: none takes much
 * more than its text is long, but those that only ever see short texts, each named here with the reason.
 */

/** What is tried, by its beginning: why the text is short. */
const short: Record<string, string> = {
  '0+$': 'at most 15 decimals',
  '([\\s\\-/.,]*)\\b([A-Za-z]{3,9})': 'a cell of at most 100 characters',
  '\\s*(\\b(am|pm)': 'a cell of at most 100 characters',
  '\\s*[/|\\n]\\s*': 'a heading of at most 200 characters',
  '\\([^)]*\\)|': 'a heading of at most 200 characters',
};

const textLength = count(5_000, 30_000);
/** What takes the square of the text's length takes several times that, all else a hundredth. */
const msMax = count(20, 400);
const triesMax = 4;
const root = fileURLToPath(new URL('../..', import.meta.url));

type Found = { file: string; source: string; flags: string };
type Node = { type?: string; regex?: { pattern: string; flags: string } } & Record<string, unknown>;

function expressionsOf(file: string): Found[] {
  const program = parseAst(stripTypeScriptTypes(readFileSync(file, 'utf8')));
  const found: Found[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex } = node as Node;
    if (regex) found.push({ file: relative(root, file), source: regex.pattern, flags: regex.flags });
    for (const member of Object.values(node)) visit(member);
  };
  visit(program);
  return found;
}

const files = ['src', 'schema']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => file.endsWith('.ts') && !/src\/(?:dashboard|pages\/script)\//.test(file));
const expressions = files.flatMap(expressionsOf);

/** Characters an expression names, and some of each class. */
function pumpsOf({ source }: Found): string[] {
  const named = source.replace(/\\[dwsDWSbBpPu](?:\{[^}]*\})?/g, '').replace(/\\(.)/g, '$1');
  const singles = new Set([...named.replace(/[\^$*+?()|{}]/g, ''), ...'a0 \t\n-./,(":_/<']);
  const all = [...singles];
  const words = named.split(/[^\w/:.,]+/).filter((word) => word.length > 1);
  return [...all, ...all.flatMap((one) => [`${one} `, `${one}0`, `${one}a`]), ...words];
}

const frames = [
  ['', '\u0001'],
  ['\u0001', '\u0001!'],
] as const;

/** What it takes too long for; undefined where there is no such text. */
function slowPump(found: Found): string | undefined {
  const expression = new RegExp(found.source, found.flags);
  return pumpsOf(found).find((pump) =>
    frames.some(([before, after]) => {
      const text = before + pump.repeat(Math.ceil(textLength / pump.length)) + after;
      // Once more, for whom memory was being cleared meanwhile.
      return Array.from({ length: triesMax }).every(() => timeOf(() => text.replace(expression, '')) > msMax);
    }),
  );
}

/** Of the processor: what else the machine is busy with does not count. */
function timeOf(work: () => void): number {
  const started = process.cpuUsage();
  work();
  return process.cpuUsage(started).user / 1_000;
}

test('there are many', () => expect(expressions.length).toBeGreaterThan(300));

test('none takes the square of its text', () => {
  const slow = expressions.flatMap((found) => {
    const pump = slowPump(found);
    return pump === undefined ? [] : [{ ...found, pump }];
  });
  const isShort = ({ source }: Found) => Object.keys(short).some((start) => source.startsWith(start));
  expect(slow.filter((found) => !isShort(found))).toEqual([]);
  // A reason that no expression needs any more is taken out; texts of the short run may be quick on a quick machine.
  const needed = Object.keys(short).filter((start) => slow.some(({ source }) => source.startsWith(start)));
  if (isLongRun) expect(needed).toEqual(Object.keys(short));
}, 600_000);
