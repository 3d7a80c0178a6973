/** Writes schema/schema.graphql, the printed schema. A test compares the two. */
import { writeFile } from 'node:fs/promises';
import { printSchema } from 'graphql';
import { schema } from '../schema/schema.ts';

await writeFile(new URL('../schema/schema.graphql', import.meta.url), `${printSchema(schema)}\n`);
