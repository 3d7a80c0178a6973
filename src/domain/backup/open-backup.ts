import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { BackupHeader } from './backup-file.ts';
import { damaged } from './backup-reader.ts';

/** The text of a backup file. Throws an Error that tells a damaged file from another kind of file. */
export async function* openBackup(file: string): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(createReadStream(file), createGunzip(), () => {});
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw damaged();
    if (code?.startsWith('Z_')) throw noBackup(file);
    throw error;
  }
}

function noBackup(file: string): Error {
  return new Error(`${file} is no backup of Causeway, or it is damaged`);
}

/** The first line. Throws where it is not that of a backup. */
export function parseHeader(line: string, file: string): BackupHeader {
  const header = parseJson(line) as Partial<BackupHeader> | undefined;
  if (header?.format !== 'causeway-backup') throw noBackup(file);
  if (header.version !== 1) throw new Error('This backup was made by a newer version of Causeway');
  return header as BackupHeader;
}

/** Undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
