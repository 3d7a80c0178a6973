import { link, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './sync-folder.ts';
import { newToken } from './token.ts';

/**
 * The secret of an installation with the embedded database stands in a file of DATA_DIR, readable by its owner only. A
 * new one is put beside it (`app-secret.new`) before the database is changed over to it, and takes its place after that;
 * the old one is kept, since backups made before need it.
 */
export function appSecretPath(dataDir: string): string {
  return join(dataDir, 'app-secret');
}

function proposalPath(dataDir: string): string {
  return `${appSecretPath(dataDir)}.new`;
}

/** Undefined: there is none yet. */
export function readAppSecret(dataDir: string): Promise<string | undefined> {
  return readSecret(appSecretPath(dataDir));
}

/** A new secret that may have come into force already: changing over was broken off. */
export function readProposedAppSecret(dataDir: string): Promise<string | undefined> {
  return readSecret(proposalPath(dataDir));
}

/** The secret, made when there is none. */
export async function readOrMakeAppSecret(dataDir: string): Promise<string> {
  const known = await readAppSecret(dataDir);
  if (known !== undefined) return known;
  await mkdir(dataDir, { recursive: true });
  const path = appSecretPath(dataDir);
  const draft = `${path}.${process.pid}`;
  await writeSecret(draft, newToken());
  // A link fails when another process was quicker; then its secret counts.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  await syncFolder(dataDir);
  return (await readAppSecret(dataDir)) as string;
}

/** Makes a new secret and keeps it beside the present one; gives that which stands there from before, if there is one. */
export async function proposeAppSecret(dataDir: string): Promise<string> {
  const proposed = await readProposedAppSecret(dataDir);
  if (proposed !== undefined) return proposed;
  const secret = newToken();
  await writeSecret(proposalPath(dataDir), secret);
  await syncFolder(dataDir);
  return secret;
}

/** Puts the new secret in place, once the database is changed over to it; gives where the old one is kept. */
export async function adoptAppSecret(dataDir: string, now: Date): Promise<string> {
  const path = appSecretPath(dataDir);
  const kept = `${path}.before-${now.toISOString().replace(/\D/g, '').slice(0, 14)}`;
  await link(path, kept).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error;
  });
  // It is gone when another process has brought the change to its end.
  await rename(proposalPath(dataDir), path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await syncFolder(dataDir);
  return kept;
}

async function writeSecret(path: string, secret: string): Promise<void> {
  await writeFile(path, secret, { mode: 0o600, flush: true });
}

async function readSecret(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
