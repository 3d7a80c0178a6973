import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { buildOpenApi } from '../released-openapi.ts';
import { createErrorPages, createEventPages } from './catalog-pages.ts';
import { createGraphqlPages, listGraphqlOperations } from './graphql-pages.ts';
import { readGuideFiles, toGuidePage } from './guide-pages.ts';
import { createRestPages, listRestOperations, type SiteOpenApi } from './rest-pages.ts';
import { createSidebar } from './sidebar.ts';
import type { SitePage } from './site-page.ts';

/** Returns the sidebar and all pages of the documentation site: those of docs, and those created from the contracts. */
export async function createSite(root: string) {
  const files = readGuideFiles(join(root, 'docs'));
  const document = (await buildOpenApi()) as unknown as SiteOpenApi;
  const schema = buildSchema(readFileSync(join(root, 'schema/schema.graphql'), 'utf8'));
  const restPages = createRestPages(document);
  const pages: SitePage[] = [
    ...files.map(toGuidePage),
    ...restPages,
    ...createGraphqlPages(schema),
    ...createErrorPages({
      files,
      rest: listRestOperations(document),
      graphql: listGraphqlOperations(schema),
    }),
    ...createEventPages(files, document),
  ];
  return { pages, sidebar: createSidebar(files, restPages) };
}
