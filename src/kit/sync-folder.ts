import { open } from 'node:fs/promises';

/** Syncs a folder to disk. A new or renamed file is durable only after its folder is synced too. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
