import { mkdir, realpath } from 'node:fs/promises';

/**
 * Makes DATA_DIR where it is missing and gives its real path. Only its owner may look inside; root's may be passed
 * through by others (each secret in it is a file of mode 0600), because PostgreSQL never runs as root.
 * Throws an Error that names DATA_DIR when that is not possible.
 */
export async function createDataDir(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    return await realpath(dataDir);
  } catch (error) {
    throw explainAccess(error, dataDir, 'created');
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

/** Turns an error of the file system into one that names DATA_DIR; any other error is given back as it is. */
export function explainAccess(
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
