import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { glob, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules/.cache');

/**
 * Fills an empty DATA_DIR with a stopped PostgreSQL that has the migrated template: with a copy of the one kept from an
 * earlier run, which is made first where there is none for these settings and migrations. Making one is most of what a
 * test file alone would wait for. Gives the folder of the kept one; none where the checkout cannot be written: nothing
 * is kept, and DATA_DIR stays empty.
 */
export async function copyKeptCluster(
  dataDir: string,
  options: { settings: object; make: (dataDir: string) => Promise<void> },
): Promise<string | undefined> {
  if (!isWritable(join(root, 'node_modules'))) return undefined;
  const kept = join(cache, `causeway-test-${process.getuid?.() ?? 0}`, await keyOf(options.settings));
  if (!existsSync(kept)) await keep(kept, options.make);
  await run('cp', ['-a', `${kept}/.`, dataDir]);
  return kept;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Of two runs that make one at once, the first one's stays. What was kept before goes. */
async function keep(kept: string, make: (dataDir: string) => Promise<void>): Promise<void> {
  const folder = dirname(kept);
  await mkdir(folder, { recursive: true });
  // Not what another run is just making.
  const before = (await readdir(folder)).filter((name) => !name.startsWith('new-'));
  const made = await mkdtemp(join(folder, 'new-'));
  await make(made);
  await rename(made, kept).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(made, { recursive: true });
  });
  for (const old of before) await rm(join(folder, old), { recursive: true, force: true });
}

/**
 * Changes with whatever makes the cluster what it is: the package of PostgreSQL, its settings, how it is made, the
 * migrations.
 */
async function keyOf(settings: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  const files = [
    'package-lock.json',
    'src/kit/embedded-postgres.ts',
    'src/kit/migrate.ts',
    'test/setup/global-setup.ts',
    'test/setup/template.ts',
  ];
  for (const pattern of ['src/kit/embedded-postgres/*.ts', 'prisma/migrations/*/migration.sql'])
    for await (const file of glob(pattern, { cwd: root })) files.push(file);
  for (const file of files.sort()) hash.update(file).update(await readFile(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}
