import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { OnCleanup } from './cleanup.ts';
import type { PostgresProcessLine, PostgresProcessOptions } from './postgres-process.ts';

type Ready = Extract<PostgresProcessLine, { event: 'ready' }>;

export type RunningPostgresProcess = {
  child: ChildProcess;
  /** All lines so far. */
  lines: PostgresProcessLine[];
  /** Waits for its PostgreSQL; throws if it failed to start. */
  ready(): Promise<Ready>;
  /** Ends its input or sends a signal, and returns its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

/**
 * Starts `postgres-process.ts` in its own session, which Ctrl-C in the test run does not reach, while a test can send
 * SIGINT to it. `uid` and `gid` run it as another user (root only). `inside` is a prefix of the command.
 */
export function runPostgresProcess(
  options: PostgresProcessOptions,
  { inside = [], ...processOptions }: { uid?: number; gid?: number; inside?: string[] } = {},
): RunningPostgresProcess {
  const script = fileURLToPath(new URL('./postgres-process.ts', import.meta.url));
  const [program, ...args] = [...inside, process.execPath, script, JSON.stringify(options)];
  const child = spawn(program!, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    ...processOptions,
  });
  const lines: PostgresProcessLine[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => lines.push(JSON.parse(line) as PostgresProcessLine));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const closed = once(reader, 'close');

  async function ready(): Promise<Ready> {
    for (;;) {
      const line = lines.find((line) => line.event === 'ready');
      if (line !== undefined) return line;
      const failure = lines.find((line) => line.event === 'failed');
      if (failure !== undefined) throw new Error(failure.message);
      await Promise.race([once(reader, 'line'), closed.then(() => failUnlessReported(lines))]);
    }
  }

  async function end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal === undefined) child.stdin.end();
    else child.kill(signal);
    const code = await exited;
    await closed;
    return code;
  }

  return { child, lines, ready, end };
}

function failUnlessReported(lines: PostgresProcessLine[]): void {
  const hasReported = lines.some((line) => line.event === 'ready' || line.event === 'failed');
  if (!hasReported) throw new Error('The process ended before its PostgreSQL was ready');
}

/** Starts a process that runs an embedded PostgreSQL as the service does. */
export function startPostgresProcess(
  onCleanup: OnCleanup,
  options: PostgresProcessOptions,
  processOptions?: Parameters<typeof runPostgresProcess>[1],
): RunningPostgresProcess {
  const running = runPostgresProcess({ lock: true, settings: { fsync: 'off' }, ...options }, processOptions);
  onCleanup(async () => void (await running.end()));
  return running;
}
