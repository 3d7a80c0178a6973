import { mkdir, realpath } from 'node:fs/promises';

/**
 * Creates DATA_DIR if it is missing and returns its real path. Only the owner can list a new folder. If root creates
 * it, other users can pass through it, because PostgreSQL then runs as another user; every secret in the folder has
 * mode 0600.
 */
export async function createDataDir(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    return await realpath(dataDir);
  } catch (error) {
    throw toDataDirError(error, dataDir, 'created');
  }
}

const accessCodes = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
  'ENOSPC',
  'EDQUOT',
  'EISDIR',
]);

/** Converts a file system error into one that names DATA_DIR. Returns other errors unchanged. */
export function toDataDirError(
  error: unknown,
  dataDir: string,
  verb: 'created' | 'written' | 'read',
): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !accessCodes.has(code)) return error;
  return new Error(
    `DATA_DIR (${dataDir}) cannot be ${verb}: ${message}. ` +
      'Set DATA_DIR to a directory owned by the user that runs Causeway.',
    { cause: error },
  );
}
