/**
 * `npm run schema`: writes the files that are generated from the schema and the dashboard's documents. Tests check that
 * they are current.
 */
import { writeFile } from 'node:fs/promises';
import { printSchema } from 'graphql';
import { schema } from '../schema/schema.ts';
import { writeClientTypes } from './client-types.ts';
import { writeDashboardHashes } from './dashboard-documents.ts';
import { dashboardTypesFile, renderDashboardTypes } from './dashboard-types.ts';

await writeFile(new URL('../schema/schema.graphql', import.meta.url), `${printSchema(schema)}\n`);
await writeFile(dashboardTypesFile, renderDashboardTypes(schema));
await writeDashboardHashes();
await writeClientTypes(schema);
console.log(
  'wrote schema/schema.graphql, the types and the hashes of the dashboard’s documents, and the types of packages/client',
);
