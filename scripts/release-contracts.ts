/**
 * `npm run release:contracts`, run at each release: saves the public interfaces as released. Tests then require that
 * the changelog announces breaking changes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { contracts, contractsFolder, releasedVersionFile } from './contracts.ts';
import { findNewestRelease } from './released-schema.ts';

const version = findNewestRelease(await readFile(new URL('../CHANGELOG.md', import.meta.url), 'utf8'));
if (version === undefined)
  throw new Error('CHANGELOG.md has no release: replace "Unreleased" with the version first');
for (const [file, contract] of Object.entries(contracts))
  await writeFile(new URL(file, contractsFolder), await contract.print());
await writeFile(releasedVersionFile, `${version}\n`);
