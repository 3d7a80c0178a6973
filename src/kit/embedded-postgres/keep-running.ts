import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedPostgres } from '../embedded-postgres.ts';
import { processStartMark } from './process-info.ts';

const lookEveryMs = 1_000;

/**
 * Starts PostgreSQL again when it has gone without being told to: killed by mistake, or by a kernel out of memory. The
 * service answers 503 meanwhile and finds it again where it was. Gives what ends watching and stops PostgreSQL.
 */
export function keepRunning(
  first: EmbeddedPostgres,
  options: { start: () => Promise<EmbeddedPostgres>; say: (line: string) => void },
): { stop(): Promise<void> } {
  const { start, say } = options;
  const ending = new AbortController();
  let current = first;

  const look = async (): Promise<void> => {
    if ((await processStartMark(current.pid)) !== undefined) return;
    say('PostgreSQL exited unexpectedly: restarting it');
    await current.stop();
    current = await start();
    if (current.port !== first.port)
      say(`PostgreSQL now listens on another port (${current.port}): restart Causeway`);
  };

  const watch = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await look().catch((error: Error) => say(error.message));
      await delay(lookEveryMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  };

  const watching = watch();
  return {
    async stop() {
      ending.abort();
      await watching;
      await current.stop();
    },
  };
}
