/** Writes what follows from the schema: its print, and the types of the dashboard. Tests compare them. */
import { writeFile } from 'node:fs/promises';
import { printSchema } from 'graphql';
import { schema } from '../schema/schema.ts';
import { dashboardTypes, dashboardTypesFile } from './dashboard-types.ts';

await writeFile(new URL('../schema/schema.graphql', import.meta.url), `${printSchema(schema)}\n`);
await writeFile(dashboardTypesFile, dashboardTypes(schema));
console.log('wrote schema/schema.graphql and the types of the dashboard');
