import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { count } from './counts.ts';

const memoryDir = '/dev/shm';
/** The long run fills tables with a million rows. */
const bytesNeeded = count(4, 24) * 1024 ** 3;

/**
 * Returns the folder for test databases: in memory if there is enough space, which makes creating a database ten times
 * faster.
 */
export function getFastTempDir(): string {
  try {
    accessSync(memoryDir, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryDir);
    return bavail * bsize > bytesNeeded ? memoryDir : tmpdir();
  } catch {
    return tmpdir();
  }
}
