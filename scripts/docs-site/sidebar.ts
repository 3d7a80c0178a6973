import { posix } from 'node:path';
import { type GuideFile, getTitle, toSlug } from './guide-pages.ts';
import { type SitePage, toSiteUrl } from './site-page.ts';

/** An entry in the format of the site generator. */
type SidebarEntry =
  | { label: string; link: string }
  | { label: string; collapsed?: boolean; items: SidebarEntry[] };

/** Returns the sidebar in the order of the index pages of docs. */
export function createSidebar(files: GuideFile[], restPages: SitePage[]): SidebarEntry[] {
  const toEntry = (slug: string, label: string) => ({ label, link: toSiteUrl(slug).replace('/guides', '') });
  const byPath = new Map(files.map((file) => [file.path, file]));
  const toGuideEntry = (path: string): SidebarEntry => {
    const file = byPath.get(path)!;
    const entry = toEntry(toSlug(path), getTitle(file));
    const isFolder = path.endsWith('/README.md');
    if (!isFolder) return entry;
    return {
      label: entry.label,
      collapsed: true,
      items: [{ ...entry, label: 'Overview' }, ...listLinks(file).map(toGuideEntry)],
    };
  };
  const sections = byPath.get('guides/README.md')!.text.split(/^## /m).slice(1);
  const guides = sections.map((text) => ({
    label: text.split('\n')[0]!,
    items: listLinks({ path: 'guides/README.md', text }).map(toGuideEntry),
  }));
  const graphql = ['Queries', 'Mutations', 'Subscriptions', 'Types'].map((name) =>
    toEntry(`reference/graphql/${name.toLowerCase()}`, name),
  );
  const nested: Record<string, SidebarEntry[]> = {
    'reference/rest.md': restPages.map(({ slug, title }) => toEntry(slug, title)),
    'reference/graphql.md': graphql,
  };
  const reference = listLinks(byPath.get('reference/README.md')!).map((path): SidebarEntry => {
    const entry = toGuideEntry(path);
    const items = nested[path];
    return items
      ? {
          label: entry.label,
          collapsed: true,
          items: [{ ...(entry as { link: string }), label: 'Overview' }, ...items],
        }
      : entry;
  });
  const operations = listLinks(byPath.get('operations/README.md')!).map(toGuideEntry);
  return [
    ...guides,
    { label: 'Reference', items: reference },
    { label: 'Operations', collapsed: true, items: operations },
  ];
}

/** Returns the paths of the pages below the folder that an index lists, in its order. */
function listLinks({ path, text }: GuideFile): string[] {
  const folder = posix.dirname(path);
  const targets = [...text.matchAll(/^(?:- |\d+\. |\| ).*?\[[^\]]+\]\((?!https?:)([^)#]+\.md)\)/gm)].map(
    ([, href = '']) => posix.join(folder, href),
  );
  return [...new Set(targets)].filter((target) => target.startsWith(`${folder}/`) && target !== path);
}
