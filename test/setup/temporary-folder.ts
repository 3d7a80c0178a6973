import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, onTestFinished } from 'vitest';
import { startEmbeddedPostgres } from '../../src/kit/embedded-postgres.ts';

/** An empty folder for one test, removed after it (and after what the test registers later for its end). */
export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/**
 * One DATA_DIR with an embedded database for all tests of a file, made before the first and removed after the last (making
 * one is most of what such a test costs). Every test leaves it stopped and in order.
 */
export function sharedDataDir(): () => string {
  let dataDir = '';
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'causeway-test-'));
    const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
    await server.stop();
    return () => rm(dataDir, { recursive: true, force: true });
  });
  return () => dataDir;
}
