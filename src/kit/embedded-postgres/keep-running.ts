import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedPostgres } from '../embedded-postgres.ts';
import { readProcessStartTime } from './process-info.ts';

const checkIntervalMs = 1_000;

/**
 * Restarts PostgreSQL if it exits unexpectedly, for example when the kernel runs out of memory. The service
 * responds with 503 until the server is back, normally on the same port. `stop` ends the watch and stops
 * PostgreSQL.
 */
export function keepRunning(
  initialServer: EmbeddedPostgres,
  options: { start: () => Promise<EmbeddedPostgres>; onProgress: (line: string) => void },
): { stop(): Promise<void> } {
  const { start, onProgress } = options;
  const abortController = new AbortController();
  let current = initialServer;

  const restartIfExited = async (): Promise<void> => {
    if ((await readProcessStartTime(current.pid)) !== undefined) return;
    onProgress('PostgreSQL exited unexpectedly: restarting it');
    await current.stop();
    current = await start();
    if (current.port !== initialServer.port)
      onProgress(`PostgreSQL now listens on another port (${current.port}): restart Causeway`);
  };

  const watch = async (): Promise<void> => {
    while (!abortController.signal.aborted) {
      await restartIfExited().catch((error: Error) => onProgress(error.message));
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
