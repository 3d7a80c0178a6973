/**
 * Generates the Prisma client and the Pothos types if they are missing or older than the schema. npm's own
 * hooks do not run with ignore-scripts, so `npm start` and `npm test` call this.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const schema = `${root}prisma/schema.prisma`;
const stamp = `${root}prisma/client/.schema-hash`;
const lock = `${root}prisma/.generating`;
const lockStaleMs = 60_000;

export async function generate() {
  const require = createRequire(import.meta.url);
  const cli = require.resolve('prisma/build/index.js');
  const hash = createHash('sha256')
    .update(readFileSync(schema))
    .update(require('prisma/package.json').version)
    .digest('hex');
  const isFresh = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (isFresh()) return;
  // On standard error, because standard output is reserved for the results of commands.
  console.error('· Generating the database client');
  await takeLock();
  try {
    if (isFresh()) return;
    execFileSync(process.execPath, [cli, 'generate'], {
      cwd: root,
      // Generating needs no schema engine, but the command looks for one and would download it. Any
      // executable satisfies it.
      env: {
        ...process.env,
        // Generators are found by name in the PATH, which npm would set this way.
        PATH: `${root}node_modules/.bin:${process.env.PATH}`,
        CHECKPOINT_DISABLE: '1',
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
      // Progress output is discarded; the thrown error contains the error output.
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    writeFileSync(stamp, hash);
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/**
 * Concurrent starts in one checkout must not overwrite each other's files. The lock of a killed process is
 * ignored.
 */
async function takeLock() {
  for (;;) {
    try {
      return writeFileSync(lock, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isVoid()) rmSync(lock, { recursive: true, force: true });
      else await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function isVoid() {
  try {
    if (Date.now() - statSync(lock).mtimeMs > lockStaleMs) return true;
    const pid = Number(readFileSync(lock, 'utf8'));
    return pid > 0 && !existsSync(`/proc/${pid}`) && existsSync('/proc/self');
  } catch (error) {
    // The lock was released in the meantime.
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate();
