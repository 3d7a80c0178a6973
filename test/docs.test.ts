import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands } from '../src/cli/commands.ts';
import { exceptionReasons } from '../src/domain/transfer/transfer-state.ts';
import { errorCatalogue } from '../src/kit/errors.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...docsUnder('docs')];

function docsUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

test('docs/errors.md lists every error code with its status, and no other', () => {
  const text = readFileSync(join(root, 'docs/errors.md'), 'utf8');
  const listed = [...text.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map((match) => `${match[1]} ${match[2]}`);
  expect(listed.sort()).toEqual(
    Object.entries(errorCatalogue)
      .map(([code, { status }]) => `${status} ${code}`)
      .sort(),
  );
});

test('docs/money-in.md tells what to do about every kind of exception, and no other', () => {
  const text = readFileSync(join(root, 'docs/money-in.md'), 'utf8');
  const table = text.slice(text.indexOf('| reason |'), text.indexOf('| to | mutation |'));
  const told = [...table.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]);
  expect(told.sort()).toEqual(Object.keys(exceptionReasons).sort());
});

test('docs/operating.md tells every command and every variable', () => {
  const text = readFileSync(join(root, 'docs/operating.md'), 'utf8');
  const named = (name: string) => text.includes(`\`${name}`);
  expect(commands.map(({ words }) => words.join(' ')).filter((name) => !named(name))).toEqual([]);
  const config = readFileSync(join(root, 'src/kit/config.ts'), 'utf8');
  const variables = [...config.matchAll(/read\.\w+\(\s*'([A-Z_]+)'/g)].map((match) => match[1] as string);
  expect(variables.length).toBeGreaterThan(10);
  expect(variables.filter((name) => !named(name))).toEqual([]);
});

test('docs/conformance.md names files that exist, and for each promise what keeps it and the test that holds it', () => {
  const text = readFileSync(join(root, 'docs/conformance.md'), 'utf8');
  const named = [...text.matchAll(/`(\w[\w./-]*\.(?:ts|tsx|mjs|md|graphql))`/g)].map(
    (match) => match[1] as string,
  );
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  const rows = [...text.matchAll(/^\| (?!promise \||--- \|)(.+) \| ([^|]+) \| ([^|]+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(200);
  const unproved = rows.filter(
    ([, , kept, held]) => !/^`\S+`/.test(kept!) || !/^`test\/\S+\.test\.ts`/.test(held!),
  );
  expect(unproved.map(([, promise]) => promise)).toEqual([]);
  expect(text.match(/^\| /gm)).toHaveLength(rows.length + 2 * text.match(/^\| promise /gm)!.length);
});

test.each(pages)('the relative links of %s lead somewhere', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const links = [...text.matchAll(/(?:\]\(|src=")(?!https?:|mailto:|#)([^)#\s"]+)/g)].map(
    (match) => match[1] as string,
  );
  const broken = links.filter((link) => !existsSync(join(root, dirname(page), link)));
  expect(broken.map((link) => relative(root, link))).toEqual([]);
});
