/**
 * Generates the Prisma client and the Pothos types if they are missing or do not match the schema. npm's hooks, such as
 * `postinstall`, do not run with ignore-scripts, so `npm start` and `npm test` call `generate`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const schema = `${root}prisma/schema.prisma`;
const hashFile = `${root}prisma/client/.schema-hash`;
const lockFile = `${root}prisma/.generating`;
const lockStaleMs = 60_000;

export async function generate() {
  const require = createRequire(import.meta.url);
  const cli = require.resolve('prisma/build/index.js');
  const hash = createHash('sha256')
    .update(readFileSync(schema))
    .update(require('prisma/package.json').version)
    .digest('hex');
  const isCurrent = () => existsSync(hashFile) && readFileSync(hashFile, 'utf8') === hash;
  if (isCurrent()) return;
  // The message goes to standard error, because standard output is reserved for the results of commands.
  console.error('· Generating the database client');
  await acquireLock();
  try {
    if (isCurrent()) return;
    execFileSync(process.execPath, [cli, 'generate'], {
      cwd: root,
      // Generating needs no schema engine, but the command looks for one and would download it. Any executable is
      // accepted.
      env: {
        ...process.env,
        // Prisma finds its generators by name in the PATH, to which npm would add this folder.
        PATH: `${root}node_modules/.bin:${process.env.PATH}`,
        CHECKPOINT_DISABLE: '1',
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
      // Progress output is discarded; the thrown error contains the error output.
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    writeFileSync(hashFile, hash);
  } finally {
    rmSync(lockFile, { recursive: true, force: true });
  }
}

/**
 * Waits for the lock, because concurrent starts in one checkout must not overwrite each other's files. Removes a lock
 * whose process has ended or that is a minute old.
 */
async function acquireLock() {
  for (;;) {
    try {
      return writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isLockStale()) rmSync(lockFile, { recursive: true, force: true });
      else await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function isLockStale() {
  try {
    if (Date.now() - statSync(lockFile).mtimeMs > lockStaleMs) return true;
    const pid = Number(readFileSync(lockFile, 'utf8'));
    return pid > 0 && !existsSync(`/proc/${pid}`) && existsSync('/proc/self');
  } catch (error) {
    // The lock has been released.
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate();
