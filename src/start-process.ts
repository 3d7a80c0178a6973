import { type Config, ConfigError } from './kit/config.ts';
import type { RunningService } from './start-service.ts';

/** A second signal within this time is the terminal's and npm's telling of the first. */
const sameSignalMs = 1_000;
/** So often it is looked whether npm, which started us, is still there. */
const parentCheckMs = 500;

const say = (line: string) => console.log(`· ${line}`);

/**
 * The service as a process of its own, from reading its configuration to its end: says what it does, stops at a signal,
 * and exits with 1 and a line where it cannot start. `begunAt`: milliseconds of this process before its turn came;
 * `isAgain`: it takes over from one that has said where everything is.
 */
export async function startProcess(
  read: () => Config,
  { begunAt = 0, isAgain = false }: { begunAt?: number; isAgain?: boolean } = {},
): Promise<void> {
  const { signal, onStop } = stopOnSignals();
  try {
    const config = read();
    // Loaded only now: a fault in the environment is told at once, and a signal while loading is heard.
    const { startService } = await import('./start-service.ts');
    const running = await startService(config, { say, signal });
    onStop(running.stop);
    await welcome(running, { signal, begunAt, isAgain });
  } catch (error) {
    if (signal.aborted) process.exit(0);
    console.error(
      error instanceof ConfigError ? error.message : `Causeway cannot start: ${messageOf(error)}`,
    );
    process.exit(1);
  }
}

/** The demo merchant belongs to those who serve its pages. What is told last is that all is ready. */
async function welcome(
  { config, context, address, stop }: RunningService,
  { signal, begunAt, isAgain }: { signal: AbortSignal; begunAt: number; isAgain: boolean },
): Promise<void> {
  try {
    const { ensureDemo } = await import('./demo/ensure-demo.ts');
    const { printWelcome } = await import('./demo/welcome.ts');
    const isShown = config.demo && config.role !== 'worker';
    const demo = isShown ? await ensureDemo(context.service, config, { say, isServing: true }) : undefined;
    const seconds = (performance.now() - begunAt) / 1000;
    if (signal.aborted) return;
    if (isAgain) say(`Ready after ${seconds.toFixed(1)} s: ${address}`);
    else printWelcome({ config, address, demo, seconds });
  } catch (error) {
    await stop();
    throw error;
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env.LOG_LEVEL === 'debug' ? (error.stack ?? error.message) : error.message;
}

/** npm hands a signal to the shell between it and us, which ends without handing it on. */
function onOrphaned(stop: () => void): void {
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
      say(`${name}: stopping`);
      controller.abort(new Error(`stopped by ${name}`));
    } else if (performance.now() - stoppingSince > sameSignalMs) {
      process.exit(130);
    }
  };
  // SIGHUP: the terminal is gone, and can no longer be written to.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  onOrphaned(() => onSignal('npm has ended'));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    signal: controller.signal,
    onStop(stop) {
      const end = () => void stop().then(() => process.exit(0));
      if (controller.signal.aborted) end();
      else controller.signal.addEventListener('abort', end);
    },
  };
}
