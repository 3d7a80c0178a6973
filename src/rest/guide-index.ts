import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { createCachedTextHandler } from '../http/send-compressed.ts';
import { apiVersion } from '../http/version.ts';

const docsFolder = fileURLToPath(new URL('../../docs', import.meta.url));
/** The folders of docs that are served, with their headings. llmstxt.org lets readers skip the section `Optional`. */
const sections = { guides: 'Guides', reference: 'Reference', operations: 'Optional' } as const;

type Section = keyof typeof sections;
/** A page of docs. `path` is relative to docs. */
type GuidePage = { section: Section; path: string; title: string; description: string; text: string };

const summary =
  'Causeway is a self-hosted payments service for bank and wallet transfers in Asia-Pacific. It creates charges with QR codes or account numbers, matches the transfers that arrive, and notifies your server, with a REST and a GraphQL API.';

const contracts = [
  {
    title: 'OpenAPI 3.1 document',
    description: 'Every REST route with its schemas, examples and errors, and the webhooks.',
    path: '/openapi.json',
    mediaType: 'application/json',
  },
  {
    title: 'GraphQL schema',
    description: 'Every type, query, mutation and subscription, in the schema definition language.',
    path: '/schema.graphql',
    mediaType: 'text/plain',
  },
] as const;

/**
 * Serves the index of guides and contracts at /llms.txt (https://llmstxt.org) and /llms.json, and the guides as
 * Markdown under /llms/. The files are read on the first request.
 */
export function serveGuideIndex(app: FastifyInstance, publicUrl: string): void {
  const pages = () => (cachedPages ??= readPages());
  let cachedPages: Map<string, GuidePage> | undefined;
  const toUrl = (path: string) => `${publicUrl}/llms/${path}`;
  const routes = {
    '/llms.txt': createCachedTextHandler('text/plain; charset=utf-8', () =>
      formatIndex([...pages().values()], publicUrl, toUrl),
    ),
    '/llms.json': createCachedTextHandler('application/json; charset=utf-8', () =>
      JSON.stringify(toJson([...pages().values()], publicUrl, toUrl)),
    ),
  };
  for (const [url, send] of Object.entries(routes)) app.get(url, { schema: { hide: true } }, send);
  app.get<{ Params: { '*': string } }>('/llms/*', { schema: { hide: true } }, (request, reply) => {
    const page = pages().get(request.params['*']);
    if (!page) return reply.callNotFound();
    return reply.type('text/markdown; charset=utf-8').send(page.text);
  });
}

function readPages(): Map<string, GuidePage> {
  const paths = (Object.keys(sections) as Section[]).flatMap((section) =>
    readdirSync(join(docsFolder, section), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => ({ section, path: posix.join(section, name) })),
  );
  const served = new Set(paths.map(({ path }) => path));
  return new Map(
    paths.map(({ section, path }) => {
      const source = readFileSync(join(docsFolder, path), 'utf8');
      const title = /^# (.+)$/m.exec(source)?.[1] ?? path;
      return [
        path,
        {
          section,
          path,
          title,
          description: findFirstSentence(source),
          text: keepLinks(source, path, served),
        },
      ];
    }),
  );
}

/** Returns the first sentence below the title, without markup. */
function findFirstSentence(source: string): string {
  const paragraph = /^# .+\n+(?!#|\||```|- )([\s\S]*?)(?:\n\n|\n?$)/.exec(source)?.[1] ?? '';
  const text = paragraph
    .replaceAll(/\[([^[\]]+)\]\([^()]+\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .replaceAll('\n', ' ');
  return (/^.+?\.(?= |$)/.exec(text)?.[0] ?? text).replace(/:$/, '.');
}

/** Removes the links to files that are not served, and keeps their texts. */
function keepLinks(source: string, path: string, served: ReadonlySet<string>): string {
  return source.replaceAll(/!?\[([^[\]]+)\]\(([^()\s]+)\)/g, (link, text: string, href: string) => {
    if (/^https?:|^#/.test(href)) return link;
    const target = posix.join(posix.dirname(path), href.split('#')[0]!);
    return served.has(target) && !link.startsWith('!') ? link : text;
  });
}

type ToUrl = (path: string) => string;

function formatIndex(pages: GuidePage[], publicUrl: string, toUrl: ToUrl): string {
  const toItem = (title: string, url: string, description: string) =>
    `- [${title}](${url})${description && `: ${description}`}`;
  const lists = Object.entries(sections).map(([section, heading]) => {
    const items = pages.filter((page) => page.section === section);
    return `## ${heading}\n\n${items.map(({ title, path, description }) => toItem(title, toUrl(path), description)).join('\n')}\n`;
  });
  const contractItems = contracts.map(({ title, path, description }) =>
    toItem(title, `${publicUrl}${path}`, description),
  );
  return [
    `# Causeway\n\n> ${summary}\n`,
    `The version of the API is ${apiVersion}. The same index as JSON is at ${publicUrl}/llms.json.\n`,
    `## Contracts\n\n${contractItems.join('\n')}\n`,
    ...lists,
  ].join('\n');
}

function toJson(pages: GuidePage[], publicUrl: string, toUrl: ToUrl) {
  return {
    name: 'Causeway',
    description: summary,
    apiVersion,
    contracts: contracts.map(({ path, ...contract }) => ({ ...contract, url: `${publicUrl}${path}` })),
    guides: pages.map(({ section, path, title, description }) => ({
      section,
      title,
      description,
      url: toUrl(path),
      mediaType: 'text/markdown',
    })),
  };
}
