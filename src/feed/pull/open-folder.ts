import { constants } from 'node:fs';
import { access, lstat, mkdir, open, readdir, realpath, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveFolder, type FileSource, type SourceFile, toArchiveName } from './file-source.ts';
import { PullError } from './pull-error.ts';

/**
 * Opens the folder of a feed: the one with the feed's ID below the operator's folder, so that no feed reaches the
 * files of another. No symbolic link is followed below the operator's folder.
 */
export async function openFolder(feedDir: string | undefined, feedId: string): Promise<FileSource> {
  if (feedDir === undefined)
    throw new PullError('folder_missing', 'the operator has not set FEED_DIR for this service');
  const folder = join(await resolveFolder(feedDir), feedId);
  const stat = await lstat(folder).catch(() => undefined);
  if (!stat?.isDirectory())
    throw new PullError('folder_missing', `the operator must create the folder ${feedId} in FEED_DIR`);
  return {
    list: () => listFiles(folder, feedId),
    read: (file) => readFile(join(folder, file.name), file),
    archive: (file) => archiveFile(folder, file),
    isOpen: () => true,
    close: async () => {},
  };
}

async function resolveFolder(feedDir: string): Promise<string> {
  try {
    return await realpath(feedDir);
  } catch (cause) {
    throw new PullError('folder_missing', 'the folder that the operator set as FEED_DIR does not exist', {
      cause,
    });
  }
}

async function listFiles(folder: string, feedId: string): Promise<SourceFile[]> {
  try {
    const files: SourceFile[] = [];
    for (const name of await readdir(folder)) {
      const stat = await lstat(join(folder, name)).catch(ignoreMissing);
      if (stat?.isFile())
        files.push({ name, size: stat.size, modifiedAt: new Date(Math.floor(stat.mtimeMs)) });
    }
    return files;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const detail = `the service cannot read the folder ${feedId} in FEED_DIR: ${code}`;
    throw new PullError(code === 'EIO' ? 'connection_failed' : 'folder_missing', detail, { cause });
  }
}

/** A file may disappear after the folder was read. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function* readFile(path: string, { name, size }: SourceFile): AsyncGenerator<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (cause) => {
      throw new PullError('connection_failed', `${name} cannot be opened: ${cause.code}`, { cause });
    },
  );
  let bytesRead = 0;
  try {
    if (!(await handle.stat()).isFile()) throw new PullError('connection_failed', `${name} is not a file`);
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      bytesRead += chunk.length;
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof PullError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    throw new PullError('connection_failed', `${name} cannot be read: ${code}`, { cause });
  } finally {
    await handle.close();
  }
  if (bytesRead !== size) throw new PullError('file_truncated', `${name} is still being written`);
}

async function archiveFile(folder: string, file: SourceFile): Promise<void> {
  const archive = join(folder, archiveFolder);
  try {
    await mkdir(archive, { recursive: true });
    if (!(await lstat(archive)).isDirectory())
      throw new PullError('connection_failed', `${archiveFolder} is not a folder`);
    for (let number = 0; ; number++) {
      const target = join(archive, toArchiveName(file, number));
      const isTaken = await access(target).then(
        () => true,
        () => false,
      );
      if (!isTaken) return await rename(join(folder, file.name), target);
    }
  } catch (cause) {
    if (cause instanceof PullError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    throw new PullError('connection_failed', `${file.name} cannot be moved to ${archiveFolder}: ${code}`, {
      cause,
    });
  }
}
