import { open } from 'node:fs/promises';

/** A new or renamed file is certain to be found under its name after a power cut only when its folder is synced too. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
