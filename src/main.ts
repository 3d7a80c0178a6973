import { ensureDemo } from './demo/ensure-demo.ts';
import { printWelcome } from './demo/welcome.ts';
import { ConfigError, readConfig } from './kit/config.ts';
import { startService } from './start-service.ts';

/** A second signal within this time is the terminal's and npm's telling of the first. */
const sameSignalMs = 1_000;

const startedAt = performance.now();
const say = (line: string) => console.log(`· ${line}`);

try {
  const config = readConfig(process.env);
  const running = await startService(config, say);
  stopOnSignals(running.stop);
  const demo =
    config.demo && config.role !== 'worker'
      ? await ensureDemo(running.context.service, config, say)
      : undefined;
  printWelcome({ config, address: running.address, demo, seconds: (performance.now() - startedAt) / 1000 });
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `Causeway cannot start: ${messageOf(error)}`);
  process.exit(1);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01' || code === '3D000') {
    return `DATABASE_URL: the database does not answer (${error.message || code})`;
  }
  return process.env.LOG_LEVEL === 'debug' ? (error.stack ?? error.message) : error.message;
}

/** Requests end, jobs finish or are released, PostgreSQL stops. A second Ctrl-C does not wait. */
function stopOnSignals(stop: () => Promise<void>): void {
  let stoppingSince: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSince === undefined) {
      stoppingSince = performance.now();
      console.log(`· ${signal}: stopping`);
      void stop().then(() => process.exit(0));
    } else if (performance.now() - stoppingSince > sameSignalMs) {
      process.exit(130);
    }
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
}
