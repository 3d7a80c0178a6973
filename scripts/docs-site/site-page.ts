import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** One page of the documentation site. */
export type SitePage = {
  /** The path below /guides, empty for the first page. */
  slug: string;
  title: string;
  /** The Markdown below the title. */
  body: string;
  /** Whether the body uses components, which needs MDX. */
  hasComponents?: boolean;
};

const siteBase = '/guides';

export function toSiteUrl(slug: string, anchor?: string): string {
  return `${siteBase}/${slug === '' ? '' : `${slug}/`}${anchor ? `#${anchor}` : ''}`;
}

/** Replaces the contents of a folder with these pages. */
export async function writeSitePages(folder: string, pages: SitePage[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const slugs = new Set(pages.map(({ slug }) => slug));
  if (slugs.size < pages.length) throw new Error('Two pages of the site have the same slug');
  for (const { slug, title, body, hasComponents } of pages) {
    const file = join(folder, `${slug === '' ? 'index' : slug}.${hasComponents ? 'mdx' : 'md'}`);
    const head = [
      `title: ${JSON.stringify(title)}`,
      `description: ${JSON.stringify(getFirstSentence(body) || title)}`,
      // Without this line, the generator changes the slug to lower case.
      ...(slug === '' ? [] : [`slug: ${JSON.stringify(slug)}`]),
    ];
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `---\n${head.join('\n')}\n---\n\n${body.trim()}\n`);
  }
}

/** Returns the first sentence of a page as plain text, for search engines and link previews. */
function getFirstSentence(body: string): string {
  const line = body.split('\n').find((candidate) => /^[A-Z`]/.test(candidate)) ?? '';
  const text = line.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*\\]/g, '');
  return text.split(/(?<=\.) (?=[A-Z])/)[0]!;
}

/** Returns a Markdown table, or an empty string without rows. */
export function toTable(columns: string[], rows: string[][]): string {
  if (rows.length === 0) return '';
  const toLine = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`;
  return [toLine(columns), toLine(columns.map(() => '---')), ...rows.map(toLine)].join('\n');
}

/** Returns a cell with a name above its type, because a phone has no room for a column of types. */
export function toNameCell(name: string, type: string): string {
  return `\`${name}\`<br />${type}`;
}

/** Escapes what Markdown would read as HTML, outside of code. */
export function escapeMarkup(markdown: string): string {
  return markdown.replaceAll(/`[^`]*`|</g, (match) => (match === '<' ? '&lt;' : match));
}

export function toJsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** Joins the parts of a page that are not empty, as paragraphs. */
export function joinParts(parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}
