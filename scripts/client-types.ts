import { mkdir, writeFile } from 'node:fs/promises';
import type { GraphQLSchema } from 'graphql';
import { eventTypes } from '../src/event/catalog.ts';
import { apiVersion } from '../src/http/version.ts';
import { errorCatalog } from '../src/kit/errors.ts';
import { renderGraphqlTypes } from './client-graphql-types.ts';
import { renderRestTypes } from './client-rest-types.ts';
import { buildOpenApi } from './released-openapi.ts';

/** The folder of the files that are generated from the contracts of the service. */
export const clientTypesFolder = new URL('../packages/client/src/generated/', import.meta.url);

const head = '/** Written by `npm run schema` from the contracts of the service. */\n';

/** Renders the generated files of `packages/client`, by name. */
export async function renderClientTypes(schema: GraphQLSchema): Promise<Record<string, string>> {
  return {
    'rest.ts': `${head}\n${renderRestTypes(await buildOpenApi())}`,
    'graphql.ts': `${head}\n${renderGraphqlTypes(schema)}`,
    'catalog.ts': `${head}\n${renderCatalog()}`,
  };
}

export async function writeClientTypes(schema: GraphQLSchema): Promise<void> {
  await mkdir(clientTypesFolder, { recursive: true });
  for (const [name, text] of Object.entries(await renderClientTypes(schema)))
    await writeFile(new URL(name, clientTypesFolder), text);
}

function renderCatalog(): string {
  const statuses = Object.entries(errorCatalog).map(([code, { status }]) => `  ${code}: ${status},\n`);
  const objects = Object.entries(eventTypes).map(([type, { object }]) => `  ${type}: '${object}',\n`);
  return `/** The version of the REST API that this package was written for. */
export const apiVersion = '${apiVersion}';

/** The HTTP status of each error code. GraphQL returns codes without a status. */
export const errorStatuses = {
${statuses.join('')}} as const;

/** The kind of object that each event type is about. */
export const eventObjects = {
${objects.join('')}} as const;
`;
}
