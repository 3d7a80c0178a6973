import { ConfigError, readConfig } from './kit/config.ts';
import type { RunningService } from './start-service.ts';

/** A second signal within this time is a copy of the first, because both the terminal and npm send one. */
const duplicateSignalMs = 1_000;
/** The interval at which the process checks whether its parent, npm, is still running. */
const parentCheckMs = 500;

const printProgress = (line: string) => console.log(`· ${line}`);

/** Runs the service until a signal stops it. If it cannot start, prints one line and exits with 1. */
export async function startProcess(): Promise<void> {
  const { signal, onStop } = stopOnSignals();
  try {
    const config = readConfig(process.env);
    // Imported only now, so that configuration errors are reported immediately,
    // and signals during the import are handled.
    const { startService } = await import('./start-service.ts');
    const running = await startService(config, { onProgress: printProgress, signal });
    onStop(running.stop);
    await printWelcome(running, signal);
  } catch (error) {
    if (signal.aborted) process.exit(0);
    console.error(
      error instanceof ConfigError ? error.message : `Causeway cannot start: ${getErrorMessage(error)}`,
    );
    process.exit(1);
  }
}

/** Creates the demo merchant if the process serves pages, and then prints that the service is ready. */
async function printWelcome(
  { config, context, address, stop }: RunningService,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { ensureDemo } = await import('./demo/ensure-demo.ts');
    const { formatWelcome } = await import('./demo/welcome.ts');
    const hasDemo = config.demo && config.role !== 'worker';
    const demo = hasDemo
      ? await ensureDemo(context.service, config, { onProgress: printProgress, isServing: true })
      : undefined;
    const seconds = performance.now() / 1000;
    if (signal.aborted) return;
    console.log(formatWelcome({ config, address, demo, seconds }));
  } catch (error) {
    await stop();
    throw error;
  }
}

function getErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Only the stack names the file of a broken module.
  const isBroken = error instanceof SyntaxError || error instanceof ReferenceError;
  return isBroken || process.env.LOG_LEVEL === 'debug' ? (error.stack ?? error.message) : error.message;
}

/** Calls `stop` when npm has exited, because the shell that npm starts does not forward signals to this process. */
function watchParent(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parentPid = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parentPid) return;
    clearInterval(timer);
    stop();
  }, parentCheckMs);
}

/**
 * Stops the service on a signal: requests and jobs finish, PostgreSQL stops, and an unfinished start is
 * aborted. A second Ctrl-C exits immediately. The `onStop` callback runs at the signal, or immediately if
 * the signal has already arrived.
 */
function stopOnSignals(): { signal: AbortSignal; onStop: (stop: () => Promise<void>) => void } {
  const controller = new AbortController();
  let stoppingSince: number | undefined;
  const onSignal = (name: string) => {
    if (stoppingSince === undefined) {
      stoppingSince = performance.now();
      printProgress(`${name}: stopping`);
      controller.abort(new Error(`stopped by ${name}`));
    } else if (performance.now() - stoppingSince > duplicateSignalMs) {
      process.exit(130);
    }
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  watchParent(() => onSignal('npm has exited'));
  // After SIGHUP the terminal is closed, so writing to it fails.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    signal: controller.signal,
    onStop(stop) {
      const stopAndExit = () => void stop().then(() => process.exit(0));
      if (controller.signal.aborted) stopAndExit();
      else controller.signal.addEventListener('abort', stopAndExit);
    },
  };
}
