import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { toTabs } from './code-tabs.ts';
import { type SitePage, toSiteUrl } from './site-page.ts';

/** A Markdown file of docs, with its path below docs. */
export type GuideFile = { path: string; text: string };

/** The folders of docs that the site shows; docs/internals and the rest of the repository are for contributors. */
const shownPath = /^(?:guides|operations|reference)\/.+\.md$/;

export function readGuideFiles(docsFolder: string): GuideFile[] {
  return readdirSync(docsFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => shownPath.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(docsFolder, path), 'utf8') }));
}

/** Returns the path of a page on the site. The guides are at its root, and a README is the page of its folder. */
export function toSlug(path: string): string {
  return path
    .replace(/\.md$/, '')
    .replace(/(?:^|\/)README$/, '')
    .replace(/^guides(?:\/|$)/, '');
}

export function getTitle({ path, text }: GuideFile): string {
  return (/^# (.+)$/m.exec(text)?.[1] ?? path).replaceAll('`', '');
}

export function toGuidePage(file: GuideFile): SitePage {
  const body = file.text.replace(/^# .+\n/, '');
  const [chunks, hasTabs] = toTabs(body);
  const prose = (text: string) => {
    const linked = linkCatalogs(toSiteImages(toSiteLinks(text, file.path)), file.path);
    return hasTabs ? escapeForMdx(linked) : linked;
  };
  return {
    slug: toSlug(file.path),
    title: getTitle(file),
    hasComponents: hasTabs,
    body: `${hasTabs ? "import { Tabs, TabItem } from '@astrojs/starlight/components';\n\n" : ''}${chunks
      .map(({ text, isCode }) => (isCode ? text : prose(text)))
      .join('\n')}`,
  };
}

/** Points links at pages and pictures of the site. Links to other files of the repository become text. */
function toSiteLinks(text: string, path: string): string {
  return text.replaceAll(
    /(?<!!)\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)/g,
    (link, label: string, href: string) => {
      if (/^https?:|^mailto:|^#/.test(href)) return link;
      const [target = '', anchor] = href.split('#');
      const targetPath = posix.join(posix.dirname(path), target);
      const page = targetPath.endsWith('.md') ? targetPath : posix.join(targetPath, 'README.md');
      if (/\.png$/.test(targetPath)) return `[${label}](/guides/${targetPath})`;
      return shownPath.test(page) ? `[${label}](${toSiteUrl(toSlug(page), anchor)})` : label;
    },
  );
}

function toSiteImages(text: string): string {
  const toImage = (source: string, attributes: string) =>
    `<img src="/guides/images/${posix.basename(source)}" ${attributes.trim()} loading="lazy" />`;
  return text
    .replaceAll(/!\[([^\]]*)\]\(([^)]+)\)/g, (_, alt: string, source: string) =>
      toImage(source, `alt="${alt}"`),
    )
    .replaceAll(/<img src="(\.\.\/[^"]+)"([^>]*?)\/?>/g, (_, source: string, rest: string) =>
      toImage(source, rest),
    );
}

/** Links each code in the tables of errors and event types to its own page. */
function linkCatalogs(text: string, path: string): string {
  const row = {
    'reference/errors.md': /^(\| \d{3} \| )`(\w+)`/gm,
    'reference/events.md': /^(\| )`(\w+)`(?= \| (?:\d\.\d|events only) )/gm,
  }[path];
  if (!row) return text;
  return text.replaceAll(
    row,
    (_, start: string, code: string) => `${start}[\`${code}\`](${toSiteUrl(`${toSlug(path)}/${code}`)})`,
  );
}

/** Escapes braces and angle brackets, which MDX reads as code, except in code and in `img` and `p` tags. */
function escapeForMdx(text: string): string {
  return text.replaceAll(/`[^`]*`|<\/?(?:img|p)\b[^>]*>|[{}<]/g, (match) =>
    match.length === 1 ? `\\${match}` : match,
  );
}

/** Returns a list item with a link for each guide that mentions a code. */
export function listMentions(files: GuideFile[], code: string): string[] {
  const mentioning = files.filter(
    ({ path, text }) => path.startsWith('guides/') && new RegExp(`[\`"]${code}[\`"]`).test(text),
  );
  return mentioning.map((file) => `- [${getTitle(file)}](${toSiteUrl(toSlug(file.path))})`);
}
