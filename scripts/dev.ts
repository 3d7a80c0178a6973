/**
 * `npm run dev`: restarts the service when one of its sources changes. The embedded PostgreSQL keeps running, so that
 * restarts are fast.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../src/kit/config.ts';
import { startEmbeddedPostgres } from '../src/kit/embedded-postgres.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

// Signals are handled before PostgreSQL starts, so that PostgreSQL is always stopped.
const interruption = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, resolve);
});
try {
  const { databaseUrl, dataDir } = readConfig(process.env);
  const postgres = databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir }) : undefined;
  await runService();
  await postgres?.stop();
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
process.exit(0);

async function runService(): Promise<void> {
  const watcher = spawn(
    process.execPath,
    ['--watch', '--watch-preserve-output', 'scripts/launch.mjs', 'scripts/dev-service.ts'],
    { cwd: root, stdio: 'inherit' },
  );
  void interruption.then(() => watcher.kill());
  await once(watcher, 'exit');
}
