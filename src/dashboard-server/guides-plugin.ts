import { posix, relative } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Plugin } from 'vite';

/**
 * Turns the Markdown files of docs into modules with a title and HTML, so that the dashboard shows the guides of its
 * own version. Links lead to other guides of the dashboard, or to websites; pictures are left out.
 */
export function guidesPlugin(docsFolder: string): Plugin {
  return {
    name: 'guides',
    enforce: 'pre',
    transform(source, id) {
      if (!id.endsWith('.md')) return undefined;
      const path = relative(docsFolder, id);
      const title = /^# (.+)$/m.exec(source)?.[1] ?? path;
      const html = toHtml(source.replace(/^# .+$/m, ''), path);
      return `export default ${JSON.stringify({ title, html })}`;
    },
  };
}

function toHtml(markdown: string, path: string): string {
  const marked = new Marked({ gfm: true, async: false });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const target = toDashboardUrl(href, path);
        return target === undefined ? text : `<a href="${target}">${text}</a>`;
      },
      image: () => '',
      html: ({ raw }: Tokens.HTML | Tokens.Tag) => (/^<\/?(p|img)\b/.test(raw) ? '' : raw),
      table({ header, rows }: Tokens.Table) {
        const toRow = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        return `<div class="table" tabindex="0"><table><thead>${toRow(header, 'th')}</thead><tbody>${rows.map((row) => toRow(row, 'td')).join('')}</tbody></table></div>`;
      },
      code({ text, lang = '' }: Tokens.Code) {
        const language = languages[lang];
        const label = language === undefined ? '' : ` data-language="${language}"`;
        return `<pre tabindex="0"${label}><code>${escapeHtml(text)}</code></pre>`;
      },
    },
  });
  return marked.parse(markdown) as string;
}

/** The names of languages in which guides have the same sample. */
const languages: Record<string, string> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  graphql: 'GraphQL',
};

/** Returns the anchor of a heading, as websites that show Markdown create it. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The folders of docs that the dashboard shows. */
const shownPath = /^(guides|operations|reference)\/(.+)\.md$/;

/** Returns the URL of a link in the dashboard, or undefined if the dashboard does not show its target. */
function toDashboardUrl(href: string, path: string): string | undefined {
  if (/^https?:/.test(href) || href.startsWith('#')) return escapeHtml(href);
  const [target = '', anchor] = href.split('#');
  const targetPath = posix.join(posix.dirname(path), target);
  const slug = shownPath.test(targetPath) ? targetPath.replace(/\.md$/, '') : undefined;
  return slug && `/dashboard/help/${slug}${anchor === undefined ? '' : `#${anchor}`}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
