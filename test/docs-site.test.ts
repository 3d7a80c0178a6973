import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { createSite } from '../scripts/docs-site/create-site.ts';
import { toAnchor } from '../scripts/docs-site/rest-pages.ts';
import { type SitePage, toSiteUrl } from '../scripts/docs-site/site-page.ts';
import { eventTypes } from '../src/event/catalog.ts';
import { errorCatalog } from '../src/kit/errors.ts';
import { fileTest } from './setup/fixtures.ts';

/** The pages of the documentation site, without its generator. */
const test = fileTest.extend('site', { scope: 'file' }, async ({ onFileCleanup: _ }) =>
  createSite(fileURLToPath(new URL('..', import.meta.url))),
);

const fence = /^```[\s\S]*?^```$/gm;

test('every error code, event type and operation has a page', async ({ site }) => {
  const slugs = new Set(site.pages.map(({ slug }) => slug));
  const expected = [
    ...Object.keys(errorCatalog).map((code) => `reference/errors/${code}`),
    ...Object.keys(eventTypes).map((type) => `reference/events/${type}`),
    'reference/graphql/mutations/createCharge',
    'reference/graphql/queries/charges',
    'reference/graphql/subscriptions/eventAdded',
    'reference/graphql/types/Charge',
    'reference/rest/charges',
    'reference/environment',
    'reference/cli',
  ];
  expect(expected.filter((slug) => !slugs.has(slug))).toEqual([]);
});

test('every page has a title and content, and every link to the site has a target', async ({ site }) => {
  const anchors = new Map(site.pages.map((page) => [toSiteUrl(page.slug), listAnchors(page)]));
  const problems = site.pages.flatMap(({ slug, title, body }) => {
    const text = body.replaceAll(fence, '').replaceAll(/`[^`\n]*`(?!\])/g, '');
    const links = [...text.matchAll(/\]\((\/guides\/[^)#]*)(?:#([^)]*))?\)/g)].filter(
      ([, url = '']) => !url.endsWith('.png'),
    );
    const broken = links.filter(([, url = '', anchor]) => {
      const targets = anchors.get(url);
      return !targets || (anchor !== undefined && !targets.has(anchor));
    });
    const relative = text.match(/\]\((?!https?:|mailto:|#|\/guides\/)[^)]*\)/g) ?? [];
    const isEmpty = title === '' || body.trim() === '';
    return [...broken.map(([link]) => link), ...relative, ...(isEmpty ? ['no content'] : [])].map(
      (problem) => `${slug}: ${problem}`,
    );
  });
  expect(problems).toEqual([]);
});

test('the pages of errors name the operations that return them', async ({ site }) => {
  const { body = '' } = site.pages.find(({ slug }) => slug === 'reference/errors/charge_not_pending') ?? {};
  expect(body).toContain(
    '[`PATCH /charges/{id}/cancel`](/guides/reference/rest/charges/#cancel-a-pending-charge)',
  );
  expect(body).toContain('[`cancelCharge`](/guides/reference/graphql/mutations/cancelCharge/)');
  expect(body).toContain('Read the object again');
});

test('the sidebar has every guide, in the order of the indexes', async ({ site }) => {
  const links = JSON.stringify(site.sidebar).match(/"link":"[^"]*"/g)!;
  const listed = new Set(links.map((link) => link.slice('"link":"/'.length, -1).replace(/\/$/, '')));
  const generated = /^reference\/(?:errors|events|graphql)\/./;
  const guides = site.pages.map(({ slug }) => slug).filter((slug) => slug !== '' && !generated.test(slug));
  const indexes = ['reference', 'operations'];
  expect(guides.filter((slug) => !listed.has(slug) && !indexes.includes(slug))).toEqual([]);
  expect(links.indexOf('"link":"/quick-start/"')).toBeLessThan(links.indexOf('"link":"/checkout/"'));
});

function listAnchors({ body }: SitePage): Set<string> {
  const headings = body.replaceAll(fence, '').matchAll(/^#+ (.+)$/gm);
  return new Set([...headings].map(([, heading = '']) => toAnchor(heading)));
}
