import { ConfigError, readConfig } from './kit/config.ts';
import type { RunningService } from './start-service.ts';

/** A second signal within this time is the terminal's and npm's telling of the first. */
const duplicateSignalMs = 1_000;
/** So often it is looked whether npm, which started us, is still there. */
const parentCheckMs = 500;

const printProgress = (line: string) => console.log(`· ${line}`);

/**
 * Runs the service as a process of its own until a signal stops it. When it cannot start, it prints one line and exits
 * with 1.
 */
export async function startProcess(): Promise<void> {
  const { signal, onStop } = stopOnSignals();
  try {
    const config = readConfig(process.env);
    // Loaded only now: an error in the environment is reported at once, and a signal while loading is heard.
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

/** Only processes that serve pages need the demo merchant. The last line printed says that the service is ready. */
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

/** npm hands a signal to the shell between it and us, which ends without handing it on. */
function watchParent(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, parentCheckMs);
}

/**
 * Requests end, jobs finish or are released, PostgreSQL stops; a start under way is broken off. A second Ctrl-C does not
 * wait. What `onStop` is given runs at the signal, or at once when it has come already.
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
  // SIGHUP: the terminal is gone, and can no longer be written to.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  watchParent(() => onSignal('npm has exited'));
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
