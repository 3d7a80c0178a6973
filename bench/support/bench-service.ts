import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { npmStartArguments } from '../../test/process/npm-start.ts';
import { benchAppSecret } from './bench-database.ts';

export type BenchProcess = { url: string; pid: number; [Symbol.asyncDispose](): Promise<void> };

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Starts the service as in production, on any free port and without its log. Rate limits are off unless `env` sets
 * them.
 */
export function startBenchService(options: {
  connectionString: string;
  role: 'all' | 'api' | 'worker';
  env?: Record<string, string>;
}): Promise<BenchProcess> {
  const env = {
    PORT: '0',
    DATABASE_URL: options.connectionString,
    APP_SECRET: benchAppSecret,
    ROLE: options.role,
    PUBLIC_URL: 'http://127.0.0.1:0',
    RATE_LIMIT: '0',
    ALLOW_PRIVATE_TARGETS: 'true',
    DEMO: 'false',
    ...options.env,
  };
  return startProcess(npmStartArguments, env, /is ready after [\d.]+ s: (.*)/);
}

/**
 * Starts a Node.js process and waits until its output matches `readyPattern`; the first group of the match becomes
 * `url`. With BENCH_NODE_OPTIONS='--cpu-prof --cpu-prof-dir=DIR', each process writes a profile.
 */
export async function startProcess(
  args: string[],
  extraEnv: Record<string, string>,
  readyPattern: RegExp,
): Promise<BenchProcess> {
  const { PATH = '', HOME = '', BENCH_NODE_OPTIONS: options } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH, HOME, ...(options && { NODE_OPTIONS: options }), ...extraEnv },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close');
  const url = await readUrl(child, readyPattern);
  return {
    url,
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function readUrl(child: ChildProcess, readyPattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout!.on('data', (chunk) => {
      output += chunk;
      const match = readyPattern.exec(output);
      if (match) resolve(match[1]!);
    });
    child.once('close', () => reject(new Error(`It ended before it was ready:\n${output}`)));
  });
}
