import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { PostgresProcessLine, PostgresProcessOptions } from './postgres-process.ts';

type Ready = Extract<PostgresProcessLine, { event: 'ready' }>;

export type RunningPostgresProcess = {
  child: ChildProcess;
  /** All that it has said so far. */
  lines: PostgresProcessLine[];
  /** Its PostgreSQL; throws with its message when it refused to start. */
  ready(): Promise<Ready>;
  /** Ends its input, or sends it a signal, and waits until it has ended; gives its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

/**
 * Starts `postgres-process.ts` in a session of its own, so that Ctrl-C in a test run does not reach it and a test can
 * press Ctrl-C for it alone. `uid`, `gid`: runs it as another user (root only). `inside`: what the command has before it.
 */
export function runPostgresProcess(
  options: PostgresProcessOptions,
  { inside = [], ...as }: { uid?: number; gid?: number; inside?: string[] } = {},
): RunningPostgresProcess {
  const script = fileURLToPath(new URL('./postgres-process.ts', import.meta.url));
  const [program, ...args] = [...inside, process.execPath, script, JSON.stringify(options)];
  const child = spawn(program!, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    ...as,
  });
  const lines: PostgresProcessLine[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => lines.push(JSON.parse(line) as PostgresProcessLine));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const closed = once(reader, 'close');

  async function ready(): Promise<Ready> {
    for (;;) {
      const found = lines.find((line) => line.event === 'ready');
      if (found !== undefined) return found;
      const refused = lines.find((line) => line.event === 'refused');
      if (refused !== undefined) throw new Error(refused.message);
      await Promise.race([once(reader, 'line'), closed.then(() => failWithoutAnswer(lines))]);
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

function failWithoutAnswer(lines: PostgresProcessLine[]): void {
  const answered = lines.some((line) => line.event === 'ready' || line.event === 'refused');
  if (!answered) throw new Error('The process ended before its PostgreSQL was ready');
}
