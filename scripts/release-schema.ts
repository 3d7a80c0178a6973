/**
 * `npm run release:schema`, run at each release: saves the interfaces as released. Tests then require that the
 * changelog announces breaking changes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { printSchema } from 'graphql';
import { schema } from '../schema/schema.ts';
import { buildOpenApi, releasedOpenApiFile } from './released-openapi.ts';
import { findNewestRelease, releasedSchemaFile } from './released-schema.ts';

const version = findNewestRelease(await readFile(new URL('../CHANGELOG.md', import.meta.url), 'utf8'));
if (version === undefined)
  throw new Error('CHANGELOG.md has no release: replace "Unreleased" with the version first');
await writeFile(releasedSchemaFile, `# As released in ${version}\n\n${printSchema(schema)}\n`);
await writeFile(releasedOpenApiFile, `${JSON.stringify(await buildOpenApi(), null, 2)}\n`);
