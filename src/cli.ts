import { runCommandLine } from './cli/run-command-line.ts';

const abortController = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => abortController.abort());

const terminal = { env: process.env, out: console.log, err: console.error, signal: abortController.signal };
// Exits explicitly, because the Prisma schema engine leaves a timer of 10 s.
process.exit(await runCommandLine(process.argv.slice(2), terminal));
