import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** What customers read comes from the language files, so that it is in every language and in GET /translations. */

const folder = fileURLToPath(new URL('../../src/pages/', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.startsWith('script/') && name !== 'html.ts',
);

/** Stands for what a template fills in. */
const hole = '\0';
const spoken = /\b(?:aria-label|alt|title|placeholder|label|summary)="([^"]*)"/g;

/** The text that a template itself says: not in its tags, not filled in. */
function wordsOf(template: string): string[] {
  const attributes = [...template.matchAll(spoken)].map((match) => match[1] as string);
  const between = template
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<!--[\s\S]*?-->|<[^>]*>/g, ' ')
    // A template of attributes alone.
    .replace(/[\w-]+="[^"]*"/g, ' ')
    .replace(
      template.includes('<') ? '' : /\b(?:checked|open|required|hidden|selected|disabled|data-[a-z-]+)\b/g,
      ' ',
    )
    .replace(/&#?\w+;/g, ' ');
  return [...attributes, between].flatMap((text) => text.match(/\p{L}{2,}/gu) ?? []);
}

/** The html templates of a source, inner ones on their own, with a hole for each value. */
function templatesOf(source: string): string[] {
  return [...source.matchAll(/\bhtml`/g)].map(
    ({ index }) => readTemplate(source, index + 'html`'.length).text,
  );
}

function readTemplate(source: string, from: number): { text: string; end: number } {
  let text = '';
  let at = from;
  while (source[at] !== '`') {
    if (source.startsWith('${', at)) {
      at = skipValue(source, at + 2);
      text += hole;
    } else {
      text += source[at];
      at += source[at] === '\\' ? 2 : 1;
    }
  }
  return { text, end: at + 1 };
}

/** Where the value that begins here ends, past its brace: over inner templates, strings and braces. */
function skipValue(source: string, from: number): number {
  let at = from;
  for (let depth = 1; depth > 0; ) {
    const character = source[at] as string;
    if (character === '`') at = readTemplate(source, at + 1).end;
    else if (character === "'" || character === '"') at = source.indexOf(character, at + 1) + 1;
    else {
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      at += 1;
    }
  }
  return at;
}

test.each(files)('%s says nothing of its own', (file) => {
  const templates = templatesOf(readFileSync(folder + file, 'utf8'));
  expect(templates.flatMap(wordsOf)).toEqual([]);
});

test('a word in a template would be found, in text and in what is read aloud', () => {
  const source = [
    'html`<p class="row">#{amount} paid</p>#{list.map((one) => html`<b title="More">#{one}</b>`)}`',
    'html`<img alt="#{text.alt}" src="/a.svg"> · #{at({ a: "}" })}`',
  ]
    .join('\n')
    .replaceAll('#{', '$'.concat('{'));
  expect(templatesOf(source).flatMap(wordsOf)).toEqual(['paid', 'More']);
  expect(files.flatMap((file) => templatesOf(readFileSync(folder + file, 'utf8'))).length).toBeGreaterThan(
    50,
  );
});
