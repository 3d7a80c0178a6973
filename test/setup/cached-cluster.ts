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
 * Fills an empty DATA_DIR with a stopped PostgreSQL that has the migrated template, and returns the path of the cached
 * cluster of which it is a copy. Creates the cached cluster if there is none for these settings and migrations. If the
 * checkout is read-only, DATA_DIR stays empty and the result is undefined.
 */
export async function copyCachedCluster(
  dataDir: string,
  options: { settings: object; create: (dataDir: string) => Promise<void> },
): Promise<string | undefined> {
  if (!isWritable(join(root, 'node_modules'))) return undefined;
  const cachedPath = join(
    cache,
    `causeway-test-${process.getuid?.() ?? 0}`,
    await getCacheKey(options.settings),
  );
  if (!existsSync(cachedPath)) await createCachedCluster(cachedPath, options.create);
  await run('cp', ['-a', `${cachedPath}/.`, dataDir]);
  return cachedPath;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Creates the cached cluster and deletes obsolete ones. If two runs create it concurrently, the first one is kept. */
async function createCachedCluster(
  cachedPath: string,
  create: (dataDir: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(cachedPath);
  await mkdir(folder, { recursive: true });
  // Other runs may be creating the clusters whose names begin with `new-`.
  const obsolete = (await readdir(folder)).filter((name) => !name.startsWith('new-'));
  const newCluster = await mkdtemp(join(folder, 'new-'));
  await create(newCluster);
  await rename(newCluster, cachedPath).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(newCluster, { recursive: true });
  });
  for (const old of obsolete) await rm(join(folder, old), { recursive: true, force: true });
}

/**
 * Returns a hash of everything that determines the cluster: the PostgreSQL package, its settings, the setup code, and
 * the migrations.
 */
async function getCacheKey(settings: object): Promise<string> {
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
