import { link, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './sync-folder.ts';
import { newToken } from './token.ts';

/**
 * Returns the path of the file that contains APP_SECRET if the database is embedded. Only the owner of the file can
 * read it. A rotation writes the new secret to `app-secret.new` before it commits, and renames that file afterwards.
 */
export function getAppSecretPath(dataDir: string): string {
  return join(dataDir, 'app-secret');
}

function getPendingSecretPath(dataDir: string): string {
  return `${getAppSecretPath(dataDir)}.new`;
}

export function readAppSecret(dataDir: string): Promise<string | undefined> {
  return readSecret(getAppSecretPath(dataDir));
}

/** Returns the new secret of an unfinished rotation. */
export function readPendingAppSecret(dataDir: string): Promise<string | undefined> {
  return readSecret(getPendingSecretPath(dataDir));
}

export async function readOrCreateAppSecret(dataDir: string): Promise<string> {
  const existing = await readAppSecret(dataDir);
  if (existing !== undefined) return existing;
  await mkdir(dataDir, { recursive: true });
  const path = getAppSecretPath(dataDir);
  const temporaryPath = `${path}.${process.pid}`;
  await writeSecret(temporaryPath, newToken());
  // The link fails if another process created the file first; that process's secret is then used.
  await link(temporaryPath, path).catch(ignore('EEXIST'));
  await unlink(temporaryPath);
  await syncFolder(dataDir);
  return (await readAppSecret(dataDir)) as string;
}

/** Writes a new secret next to the current one, or returns the new secret of an unfinished rotation. */
export async function writePendingAppSecret(dataDir: string): Promise<string> {
  const pending = await readPendingAppSecret(dataDir);
  if (pending !== undefined) return pending;
  const secret = newToken();
  await writeSecret(getPendingSecretPath(dataDir), secret);
  await syncFolder(dataDir);
  return secret;
}

/**
 * Replaces the secret with the pending one, which must already wrap the data keys. Returns the path of the
 * old secret, which old backups need, or undefined if no secret is pending.
 */
export async function activatePendingAppSecret(dataDir: string, now: Date): Promise<string | undefined> {
  if ((await readPendingAppSecret(dataDir)) === undefined) return undefined;
  const path = getAppSecretPath(dataDir);
  const backupPath = `${path}.before-${now.toISOString().replace(/\D/g, '').slice(0, 14)}`;
  await link(path, backupPath).catch(ignore('EEXIST', 'ENOENT'));
  await rename(getPendingSecretPath(dataDir), path).catch(ignore('ENOENT'));
  await syncFolder(dataDir);
  return backupPath;
}

async function writeSecret(path: string, secret: string): Promise<void> {
  await writeFile(path, secret, { mode: 0o600, flush: true });
}

async function readSecret(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(ignore('ENOENT'));
  return text?.trim() || undefined;
}

function ignore(...codes: string[]): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}
