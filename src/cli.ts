import { runCommandLine } from './cli/run-command-line.ts';

const abortController = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => abortController.abort());

const terminal = { env: process.env, out: console.log, err: console.error, signal: abortController.signal };
// At once: the schema engine leaves a timer of 10 s behind.
process.exit(await runCommandLine(process.argv.slice(2), terminal));
