import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
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

test.each(pages)('the relative links of %s lead somewhere', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map((match) => match[1] as string);
  const broken = links.filter((link) => !existsSync(join(root, dirname(page), link)));
  expect(broken.map((link) => relative(root, link))).toEqual([]);
});
