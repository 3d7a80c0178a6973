import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedPostgres } from '../embedded-postgres.ts';
import { readProcessStartTime } from './process-info.ts';

const checkIntervalMs = 1_000;

/**
 * Starts PostgreSQL again when it has gone without being told to: killed by mistake, or by a kernel out of memory. The
 * service answers 503 meanwhile and finds it again where it was. Gives what ends watching and stops PostgreSQL.
 */
export function keepRunning(
  initialServer: EmbeddedPostgres,
  options: { start: () => Promise<EmbeddedPostgres>; onProgress: (line: string) => void },
): { stop(): Promise<void> } {
  const { start, onProgress } = options;
  const abortController = new AbortController();
  let current = initialServer;

  const restartIfGone = async (): Promise<void> => {
    if ((await readProcessStartTime(current.pid)) !== undefined) return;
    onProgress('PostgreSQL exited unexpectedly: restarting it');
    await current.stop();
    current = await start();
    if (current.port !== initialServer.port)
      onProgress(`PostgreSQL now listens on another port (${current.port}): restart Causeway`);
  };

  const watch = async (): Promise<void> => {
    while (!abortController.signal.aborted) {
      await restartIfGone().catch((error: Error) => onProgress(error.message));
      await delay(checkIntervalMs, undefined, { signal: abortController.signal }).catch(() => {});
    }
  };

  const watching = watch();
  return {
    async stop() {
      abortController.abort();
      await watching;
      await current.stop();
    },
  };
}
